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

  /// Creates the difference of two readings; nil if one is missing, or if they are of different coordinators.
  init?(from first: Reading?, to last: Reading?) {
    guard let first, let last, last.time > first.time, let metrics = last.status.metrics(since: first.status) else {
      return nil
    }
    // The workers themselves may have left meanwhile, with the rows that they had counted.
    rows = metrics.rowsDone
    seconds = last.time - first.time
    rowsPerSecond = Double(rows) / seconds
  }
}
