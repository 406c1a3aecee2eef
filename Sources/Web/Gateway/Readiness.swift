import HTTPServing
import PoolProtocol

/// Whether a pool can do layouts, by its state.
enum Readiness {
  /// Returns the reason why no layout is possible, or why other gateways or later times are better for one; nil if there is none.
  ///
  /// - Parameter isFull: Whether the gateway has no place for a further request.
  static func obstacle(_ status: PoolStatus?, isFull: Bool = false) -> Problem? {
    guard let status else { return .noCoordinator }
    guard maySubmit(status) else { return .workerKey }
    guard status.workerCount > 0 else {
      return Problem(503, "No worker", "No worker is connected to the coordinator.", retrySeconds: 1)
    }
    guard status.accepting else {
      return Problem(503, "No batches", "The coordinator accepts no batches: \(status.obstacle).", retrySeconds: 5)
    }
    return isFull ? Problem(503, "Busy", "The gateway works on as many requests as it can.", retrySeconds: 1) : nil
  }

  /// Whether the coordinator accepts batches with the key of the gateway: it sends metrics only to holders of such keys.
  static func maySubmit(_ status: PoolStatus) -> Bool { status.metrics.uptime > 0 }
}

extension Problem {
  static let workerKey = Problem(
    503, "Key of a worker",
    "The key of the gateway has the role worker, which may not use batches; give --keys one of a client or an operator.",
    retrySeconds: 5)
}
