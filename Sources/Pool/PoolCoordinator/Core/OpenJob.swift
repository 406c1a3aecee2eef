import Buffers
import PoolProtocol

/// A job that the scheduler has.
final class OpenJob {
  let batch: OpenBatch
  let lines: JobLines
  /// The results, once a worker has sent them or a journal has them.
  private(set) var result: JobResult?
  /// The time in nanoseconds since when the job can be sent; nil once it was.
  private var readySince: UInt64?

  /// - Parameter readySince: The time in nanoseconds since when the job can be sent.
  init(_ lines: JobLines, of batch: OpenBatch, readySince: UInt64) {
    (self.lines, self.batch, self.readySince) = (lines, batch, readySince)
  }

  /// The job has its results.
  func finish(_ result: JobResult) { self.result = result }

  /// The results have been delivered, or are not needed.
  func dropResult() { result = nil }

  /// The job is sent. Returns the nanoseconds that it has waited if that is the first time.
  func noteSent(at now: UInt64) -> UInt64? {
    defer { readySince = nil }
    return readySince.map { now - min($0, now) }
  }
}

/// The results of a job on their way to the journal and to the client.
final class JobResult {
  let firstRow: UInt64
  let rows: UInt32
  /// The XXH3 of the columns of each variant, which the worker has computed; none in journals of version 0.5.0 and before.
  let checksums: [UInt64]
  /// The columns, one part per variant, as long as they are in memory.
  var columns: [OwnedBytes]?
  /// The columns in the journal, once they are there.
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
