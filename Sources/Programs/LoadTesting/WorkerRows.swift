import PoolProtocol

/// The rows that the workers of a pool have laid out, for all of its clients. They differ from the rows that clients
/// receive when batches are not complete.
public struct WorkerRows: Encodable, Equatable, Sendable {
  public let rows: UInt64
  /// The time in which they were laid out, in seconds.
  public let seconds: Double
  public let rowsPerSecond: Double

  /// A status of the pool, and the time of the run at which it was received.
  typealias Reading = (status: PoolStatus, time: Double)

  /// Creates the difference of two readings; nil if one is missing.
  init?(from first: Reading?, to last: Reading?) {
    guard let first, let last, last.time > first.time else { return nil }
    let before = Dictionary(first.status.workers.map { ($0.name, $0.rows) }) { $1 }
    let rows = last.status.workers.reduce(0) { sum, worker in
      // A worker that was started meanwhile began with 0.
      sum + worker.rows - min(before[worker.name] ?? 0, worker.rows)
    }
    (self.rows, seconds) = (rows, last.time - first.time)
    rowsPerSecond = Double(rows) / seconds
  }
}
