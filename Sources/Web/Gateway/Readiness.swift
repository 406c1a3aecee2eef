import HTTPServing
import PoolProtocol

/// Whether a pool can do layouts, by its state.
enum Readiness {
  /// Returns the reason why no layout is possible; nil if one is.
  static func obstacle(_ status: PoolStatus?) -> Problem? {
    guard let status else { return .noCoordinator }
    guard status.workerCount > 0 else {
      return Problem(503, "No worker", "No worker is connected to the coordinator.", retrySeconds: 1)
    }
    return nil
  }

  /// Returns the reason why other gateways or later times are better for a layout; nil if there is none.
  ///
  /// - Parameter isFull: Whether the gateway has no place for a further request.
  static func obstacle(_ status: PoolStatus?, isFull: Bool) -> Problem? {
    if let problem = obstacle(status) { return problem }
    if isFull {
      return Problem(503, "Busy", "The gateway works on as many requests as it can.", retrySeconds: 1)
    }
    // A single batch may pause for a reason of its own. When all pause, the spool has no room.
    let underWay = status?.batches.filter { ["receiving", "running", "paused"].contains($0.state) } ?? []
    guard let paused = underWay.first, underWay.allSatisfy({ $0.state == "paused" }) else { return nil }
    return Problem(503, "Paused", "All batches of the coordinator pause: \(paused.waiting).", retrySeconds: 5)
  }
}
