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
  /// The XXH3 of the columns of each variant, which the worker has computed; none in journals of version 0.5.0 and before.
  let checksums: [UInt64]
  /// The columns, one part per variant, while they are in memory.
  var columns: [OwnedBytes]?
  /// The ranges of the columns in the journal, once they are written.
  var stored: StoredResult?

  init(_ lines: JobLines, columns: [OwnedBytes], checksums: [UInt64]) {
    (firstRow, rows, self.checksums) = (lines.header.firstRow, lines.header.rows, checksums)
    self.columns = columns
  }

  init(_ stored: StoredResult) {
    (firstRow, rows, checksums) = (stored.firstRow, stored.rows, stored.checksums)
    self.stored = stored
  }

  var endRow: UInt64 { firstRow &+ UInt64(rows) }
  var bytes: Int { stored?.bytes ?? columns?.reduce(0) { $0 + $1.count } ?? 0 }
}

extension JobResult {
  /// Results whose columns are in memory.
  struct Columns {
    let firstRow: UInt64
    let rows: UInt32
    let parts: [OwnedBytes]
    /// The XXH3 of each part.
    let checksums: [UInt64]

    init(_ result: JobResult, _ parts: [OwnedBytes]) {
      (firstRow, rows, self.parts) = (result.firstRow, result.rows, parts)
      checksums = result.checksums.isEmpty ? parts.map(\.checksum) : result.checksums
    }

    var bytes: Int { parts.reduce(0) { $0 + $1.count } }
  }
}
