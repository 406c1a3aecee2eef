import PoolProtocol

/// Determines which states of the pool a new client of events receives after they are older than the last minute: the first
/// one of each ten seconds, and each one with which the coordinator is lost or found, so that no interruption is missing.
struct PastStates {
  static let milliseconds: UInt64 = 10_000

  private var last: (period: UInt64, isLost: Bool)?

  /// Returns whether a state is one of them.
  ///
  /// - Parameter time: The time of the state in milliseconds.
  mutating func keeps(time: UInt64, isLost: Bool) -> Bool {
    let period = time / Self.milliseconds
    defer { last = (period, isLost) }
    return last.map { $0.period != period || $0.isLost != isLost } ?? true
  }
}

extension PoolStatus {
  /// The state without its lists of workers, batches and clients, whose sizes depend on the pool.
  var withoutLists: PoolStatus {
    var status = self
    (status.workers, status.batches, status.clients) = ([], [], [])
    return status
  }
}
