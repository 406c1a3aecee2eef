import Buffers
import PoolProtocol

/// A job that the scheduler has.
final class OpenJob {
  let batch: OpenBatch
  let lines: JobLines
  /// The results, once a worker has sent them or a journal has them.
  @exclusivity(unchecked) var result: JobResult?  // See `CoordinatorCore` for the attribute.

  init(_ lines: JobLines, of batch: OpenBatch) { (self.lines, self.batch) = (lines, batch) }
}

/// The results of a job on their way to the journal and to the client.
final class JobResult {
  let firstRow: UInt64
  let rows: UInt32
  /// The columns, one part per variant, as long as they are in memory.
  var columns: [OwnedBytes]? {
    get { state.columns }
    set { state.columns = newValue }
  }
  /// The columns in the journal, once they are there.
  var stored: StoredResult? {
    get { state.stored }
    set { state.stored = newValue }
  }
  /// See `CoordinatorCore` for the attribute.
  @exclusivity(unchecked) private var state = State()

  private struct State {
    var columns: [OwnedBytes]?
    var stored: StoredResult?
  }

  init(_ lines: JobLines, columns: [OwnedBytes]) {
    (firstRow, rows) = (lines.header.firstRow, lines.header.rows)
    state.columns = columns
  }

  init(_ stored: StoredResult) {
    (firstRow, rows) = (stored.firstRow, stored.rows)
    state.stored = stored
  }

  var endRow: UInt64 { firstRow &+ UInt64(rows) }
  var bytes: Int { stored?.bytes ?? columns?.reduce(0) { $0 + $1.count } ?? 0 }
}
