import PoolProtocol
import Synchronization

/// The times of requests by route, from the head of a request to the last byte of its response or the end of its connection.
final class RequestTimes: Sendable {
  private let state = Mutex<[Route: TimeHistogram]>([:])

  func record(_ route: Route, nanoseconds: UInt64) {
    state.withLock { $0[route, default: TimeHistogram()].record(nanoseconds) }
  }

  var values: [Route: TimeHistogram] { state.withLock { $0 } }
}
