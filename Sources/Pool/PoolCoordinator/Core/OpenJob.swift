import Buffers
import PoolProtocol

/// A job in the scheduler.
final class OpenJob {
  let batch: OpenBatch
  let lines: JobLines
  /// The results, once they were received from a worker or found in a journal.
  private(set) var result: JobResult?
  /// The time in nanoseconds from which the job could be sent; nil after it was sent.
  private var readySince: UInt64?

  /// - Parameter readySince: The time in nanoseconds from which the job can be sent.
  init(_ lines: JobLines, of batch: OpenBatch, readySince: UInt64) {
    (self.lines, self.batch, self.readySince) = (lines, batch, readySince)
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
  let firstRow: UInt64
  let rows: UInt32
  private let checksums: [UInt64]
  private let linesHash: UInt64
  /// The columns, one part per variant, while they are in memory.
  var columns: [OwnedBytes]?
  /// The ranges of the columns in the journal, once they are written.
  var stored: [JournalRange]?

  /// - Parameter checksums: The XXH3 of the columns of each variant, which the worker has computed.
  init(_ lines: JobLines, columns: [OwnedBytes], checksums: [UInt64]) {
    (firstRow, rows, linesHash) = (lines.header.firstRow, lines.header.rows, lines.hash)
    (self.columns, self.checksums) = (columns, checksums)
  }

  init(_ run: ResultRun<[JournalRange]>) {
    (firstRow, rows, linesHash) = (run.firstRow, run.rows, run.linesHash)
    (stored, checksums) = (run.columns, run.checksums)
  }

  var endRow: UInt64 { firstRow &+ UInt64(rows) }
  var bytes: Int { stored?.bytes ?? columns?.reduce(0) { $0 + $1.count } ?? 0 }

  /// Returns the results with their columns in memory.
  func run(with columns: [OwnedBytes]) -> ResultRun<[OwnedBytes]> {
    ResultRun(
      firstRow: firstRow, rows: rows, columns: columns,
      checksums: checksums.isEmpty ? columns.map(\.checksum) : checksums, linesHash: linesHash)
  }
}
