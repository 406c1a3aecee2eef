import Glibc
import PoolMessages
import ZeroMQ

/// Batches that a coordinator before this one kept.
extension Coordinator {
  /// Milliseconds since 1970.
  static func milliseconds() -> UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return UInt64(now.tv_sec) * 1000 + UInt64(now.tv_nsec) / 1_000_000
  }

  var keptBatches: [String] { batches.keys.sorted().map { OpenBatch.name($0) } }

  func recoverBatches() throws(ZeroMQError) {
    guard let spool else { return }
    for name in spool.batches {
      guard let id = OpenBatch.id(name) else { continue }
      do throws(JournalError) {
        let (batch, slices, isDone) = try recover(id, name, spool)
        add(batch)
        lastBatch = max(lastBatch, id)
        try take(batch, slices, isDone)
      } catch {
        log.error("batch \(name) is lost: \(error.description); its journal is put aside")
        spool.putAside(name)
      }
    }
    spool.removePrograms(except: Set(batches.values.map(\.programID)))
  }

  private func take(_ batch: OpenBatch, _ slices: [JobSlice], _ isDone: [Bool]) throws(JournalError) {
    do throws(ZeroMQError) {
      try act(on: .batchOpened(batch.id, priority: batch.priority))
      try act(on: .jobsRecovered(batch.id, slices, isDone: isDone, isLast: batch.isComplete))
    } catch {
      throw JournalError(spool?.journalPath(of: batch.name) ?? "", reason: error.description)
    }
    let done = zip(slices, isDone).reduce(UInt64(0)) { $0 + ($1.1 ? UInt64($1.0.rows) : 0) }
    log.info("batch \(batch.name) goes on: \(done) of \(batch.nextRow) rows are done")
  }

  private func recover(
    _ id: BatchID, _ name: String, _ spool: Spool
  ) throws(JournalError) -> (OpenBatch, [JobSlice], [Bool]) {
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
      priority: contents.batch.priority, input: contents.batch.input, client: nil, journal: journal)
    var slices: [JobSlice] = []
    var isDone: [Bool] = []
    for chunk in contents.chunks {
      guard chunk.message.firstRow == batch.nextRow, !batch.isComplete else {
        throw JournalError(path, reason: "rows \(batch.nextRow) and further are damaged; submit the batch again")
      }
      let lines = try journal.file.read(chunk.lines)
      guard
        let cut = JobBytes.cut(
          lines, at: .journal(journal.file, chunk.lines), firstLine: chunk.message.firstLine,
          firstRow: chunk.message.firstRow, rows: chunk.message.rows, jobBytes: Scheduler.initialJobBytes,
          done: { contents.results[$0]?.rows })
      else { throw JournalError(path, reason: "a chunk has not the rows that it claims") }
      batch.hash.update(lines.bytes)
      batch.storedBytes += UInt64(lines.count)
      note(chunk.message, batch)
      let first = scheduler.nextJobID + UInt64(slices.count)
      for (offset, job) in cut.filter({ $0.rows > 0 }).enumerated() {
        let number = first + UInt64(offset)
        jobs[number] = job
        let result = contents.results[job.firstRow].flatMap {
          $0.rows == job.rows && $0.columns.count == batch.variants.count ? $0 : nil
        }
        if let result { results[number] = .stored(result) }
        slices.append(job.slice)
        isDone.append(result != nil)
      }
    }
    if !batch.isComplete { batch.abandonedAt = Self.nanoseconds() }
    return (batch, slices, isDone)
  }
}
