import PoolMessages
import ZeroMQ

/// Batches that a coordinator before this one kept.
extension Coordinator {
  var keptBatches: [String] { batches.keys.sorted().map { OpenBatch.name($0) } }

  func recoverBatches() throws(ZeroMQError) {
    guard let spool else { return }
    for name in spool.batches {
      guard let id = OpenBatch.id(name) else { continue }
      do throws(JournalError) {
        let (batch, contents) = try recover(id, name, spool)
        lastBatch = max(lastBatch, id)
        try resume(batch, contents)
      } catch {
        log.error("batch \(name) is lost: \(error.description); its journal is put aside")
        spool.putAside(name)
      }
    }
    spool.removePrograms(except: Set(batches.values.map(\.programID)))
  }

  private func recover(
    _ id: BatchID, _ name: String, _ spool: Spool
  ) throws(JournalError) -> (OpenBatch, BatchJournal.Contents) {
    let path = spool.journalPath(of: name)
    let (journal, contents) = try BatchJournal.recover(path)
    guard contents.batch.version == Version.current else {
      throw JournalError(path, reason: "is of version \(contents.batch.version), this is \(Version.current)")
    }
    if contents.damaged > 0 { log.warning("\(path): \(contents.damaged) records are damaged and not used") }
    let programID = [UInt8](contents.batch.program)
    if programs[programID] == nil { programs.add(try spool.program(programID), programID) }
    guard let program = programs[programID] else { throw JournalError(path, reason: "has no program") }
    let batch = OpenBatch(
      id: id, programID: programID, program: program, variants: contents.batch.variants,
      priority: contents.batch.priority, input: contents.batch.input, client: nil, journal: journal,
      resendsRows: contents.batch.resendsRows)
    batch.isHeldInMemory = contents.batch.resendsRows
    batch.recovered = contents.results.filter { $0.value.columns.count == batch.variants.count }
    return (batch, contents)
  }

  private func resume(_ batch: OpenBatch, _ contents: BatchJournal.Contents) throws(JournalError) {
    let done = batch.recovered.values.reduce(UInt64(0)) { $0 + UInt64($1.rows) }
    add(batch)
    do throws(JournalError) {
      try tell(.batchOpened(batch.id, priority: batch.priority), batch)
      for chunk in contents.chunks { try take(chunk, batch) }
    } catch {
      batches.removeValue(forKey: batch.id)
      try tell(.batchCancelled(batch.id), batch)
      throw error
    }
    if !batch.isComplete { batch.abandonedAt = Clock.monotonic() }
    log.info("batch \(batch.name) goes on: \(done) rows are done")
  }

  private func take(_ chunk: BatchJournal.StoredChunk, _ batch: OpenBatch) throws(JournalError) {
    guard let file = batch.journal?.file else { return }
    guard chunk.message.firstRow == batch.nextRow, !batch.isComplete else {
      throw JournalError(file.path, reason: "rows \(batch.nextRow) and further are damaged; submit it again")
    }
    let lines = try file.read(chunk.lines)
    guard let event = take(chunk.message, lines, at: .journal(file, chunk.lines), batch) else {
      throw JournalError(file.path, reason: "a chunk has not the rows that it claims; submit it again")
    }
    try tell(event, batch)
  }

  private func tell(_ event: SchedulerEvent, _ batch: OpenBatch) throws(JournalError) {
    do throws(ZeroMQError) { try act(on: event) } catch {
      throw JournalError(batch.journal?.file.path ?? "", reason: error.description)
    }
  }
}
