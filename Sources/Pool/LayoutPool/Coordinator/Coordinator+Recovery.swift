import PoolMessages
import ZeroMQ

/// Batches that a coordinator before this one kept.
extension Coordinator {
  var keptBatches: [String] { batches.keys.sorted().map { OpenBatch.name($0) } }

  func recoverBatches() throws(ZeroMQError) {
    guard let spool else { return }
    for name in spool.batches {
      guard let id = OpenBatch.id(name) else { continue }
      let batch: OpenBatch
      do throws(JournalError) { batch = try recover(id, name, spool) } catch {
        log.error("batch \(name) is lost: \(error.description); its journal is put aside")
        spool.putAside(name)
        continue
      }
      lastBatch = max(lastBatch, id)
      try resume(batch)
    }
    spool.removePrograms(except: Set(batches.values.map(\.programID)))
  }

  private func recover(_ id: BatchID, _ name: String, _ spool: Spool) throws(JournalError) -> OpenBatch {
    let path = spool.journalPath(of: name)
    let (journal, contents) = try BatchJournal.recover(path)
    guard contents.batch.version == Version.current else {
      throw JournalError(path, reason: "is of version \(contents.batch.version), this is \(Version.current)")
    }
    if contents.damaged > 0 { log.warning("\(path): \(contents.damaged) records are damaged and not used") }
    let programID = [UInt8](contents.batch.program)
    if programs[programID] == nil { programs.add(try spool.program(programID), programID) }
    guard programs[programID] != nil else { throw JournalError(path, reason: "has no program") }
    let batch = OpenBatch(
      id: id, programID: programID, variants: contents.batch.variants,
      priority: contents.batch.priority, input: contents.batch.input, client: nil, journal: journal,
      resendsRows: contents.batch.resendsRows)
    batch.isHeldInMemory = contents.batch.resendsRows
    batch.recovered = contents.results.filter { $0.value.columns.count == batch.variants.count }
    for chunk in contents.chunks {
      guard chunk.message.firstRow == batch.nextRow, !batch.isComplete else {
        throw JournalError(path, reason: "rows \(batch.nextRow) and further are damaged; submit it again")
      }
      take(chunk.message, at: .journal(journal.file, chunk.lines), bytes: chunk.lines.count, batch)
    }
    return batch
  }

  private func resume(_ batch: OpenBatch) throws(ZeroMQError) {
    let done = batch.recovered.values.reduce(UInt64(0)) { $0 + UInt64($1.rows) }
    add(batch)
    if !batch.isComplete { batch.abandonedAt = Clock.monotonic() }
    log.info("batch \(batch.name) goes on: \(done) rows are done")
    try act(on: .batchOpened(batch.id, priority: batch.priority))
    try cutMore(batch)
  }
}
