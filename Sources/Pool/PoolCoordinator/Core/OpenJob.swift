import Buffers
import PoolProtocol

/// A job that the scheduler has.
final class OpenJob {
  let batch: OpenBatch
  let lines: JobLines
  /// The results, once a worker has sent them or a journal has them.
  var result: JobResult?

  init(_ lines: JobLines, of batch: OpenBatch) { (self.lines, self.batch) = (lines, batch) }
}

/// The results of a job on their way to the journal and to the client.
final class JobResult {
  let firstRow: UInt64
  let rows: UInt32
  /// The columns, one part per variant, as long as they are in memory.
  var columns: [OwnedBytes]?
  /// The columns in the journal, once they are there.
  var stored: StoredResult?

  init(_ lines: JobLines, columns: [OwnedBytes]) {
    (firstRow, rows, self.columns) = (lines.header.firstRow, lines.header.rows, columns)
  }

  init(_ stored: StoredResult) { (firstRow, rows, self.stored) = (stored.firstRow, stored.rows, stored) }

  var endRow: UInt64 { firstRow &+ UInt64(rows) }
  var bytes: Int { stored?.bytes ?? columns?.reduce(0) { $0 + $1.count } ?? 0 }
}
