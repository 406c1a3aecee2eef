import Buffers
import PoolProtocol

/// A job in the scheduler.
final class OpenJob {
  let batch: OpenBatch
  /// The lines of the job.
  let chunk: RowsChunk<OwnedBytes>
  /// The results, once they were received from a worker or found in a journal.
  private(set) var result: JobResult?
  /// The time in nanoseconds from which the job could be sent; nil after it was sent.
  private var readySince: UInt64?

  /// - Parameter readySince: The time in nanoseconds from which the job can be sent.
  init(_ chunk: RowsChunk<OwnedBytes>, of batch: OpenBatch, readySince: UInt64) {
    (self.chunk, self.batch, self.readySince) = (chunk, batch, readySince)
  }

  /// Records the results of the job.
  func finish(_ result: JobResult) { self.result = result }

  /// Removes the results, which were delivered or are not needed.
  func dropResult() { result = nil }

  /// Records that the job is sent. The first call returns the nanoseconds for which it has waited.
  func noteSent(at now: UInt64) -> UInt64? {
    defer { readySince = nil }
    return readySince.map { now - min($0, now) }
  }
}

/// The results of a job until they are stored and delivered.
final class JobResult {
  /// The results without their columns, which move from memory to the journal.
  private let run: ResultRun<Void>
  /// The columns, one part per variant, while they are in memory.
  var columns: [OwnedBytes]?
  /// The ranges of the columns in the journal, once they are written.
  var stored: [JournalRange]?

  /// - Parameters:
  ///   - checksums: The XXH3 of the columns of each variant, which the worker has computed.
  ///   - isKept: Whether the results are stored, so that they have the hash of their lines. Lost lines have none.
  init(_ chunk: RowsChunk<OwnedBytes>, columns: [OwnedBytes], checksums: [UInt64], isKept: Bool) {
    let (firstRow, rows) = (chunk.firstRow, chunk.rows)
    run = ResultRun(
      firstRow: firstRow, rows: rows, columns: (), checksums: checksums,
      linesHash: isKept && chunk.lines.count > 0 ? chunk.hash : 0)
    self.columns = columns
  }

  init(_ run: ResultRun<[JournalRange]>) { (self.run, stored) = (run.moved(to: ()), run.columns) }

  var firstRow: UInt64 { run.firstRow }
  var rows: UInt32 { run.rows }
  var endRow: UInt64 { run.endRow }
  var bytes: Int { stored?.bytes ?? columns?.reduce(0) { $0 + $1.count } ?? 0 }

  /// Returns the results with their columns in memory.
  func run(with columns: [OwnedBytes]) -> ResultRun<[OwnedBytes]> {
    var run = run.moved(to: columns)
    if run.checksums.isEmpty { run.checksums = columns.map(\.checksum) }
    return run
  }
}
