import Glibc
import HTTPServing
import PoolClient
import PoolProtocol
import Processes
import Synchronization

/// The state of the pool as it was last seen, which is asked for every second.
final class PoolMonitor: Sendable {
  /// The milliseconds between requests for the state, and those that a reply may take.
  static let interval = 1000
  static let timeout = 3000
  /// The number of states that the dashboard receives at its start: those of a minute.
  static let history = 60

  private let clients: BatchClients
  private let log: Log
  private let state = Mutex<PoolStatus?>(nil)
  /// The events of the dashboard.
  let events = EventSource(history: history)

  init(_ clients: BatchClients, log: Log) { (self.clients, self.log) = (clients, log) }

  /// The last state; nil while the coordinator does not reply.
  var status: PoolStatus? { state.withLock { $0 } }

  /// The reason why no layout is possible now; nil if one is.
  var obstacle: Problem? {
    guard let status else { return .noCoordinator }
    guard status.workerCount > 0 else {
      return Problem(503, "No worker", "No worker is connected to the coordinator.", retrySeconds: 1)
    }
    return nil
  }

  /// Asks for the state until `shouldStop`.
  func run(shouldStop: () -> Bool) throws {
    var client = try clients.statusClient()
    var begin = Clock.monotonic()
    while !shouldStop() {
      if let status = try? client.status(milliseconds: Self.timeout) {
        note(status)
        begin += UInt64(Self.interval) * 1_000_000
      } else {
        note(nil)
        // A reply that comes late would be taken for that of the next request.
        client = try clients.statusClient()
        begin = Clock.monotonic()
      }
      log.flush()
      while Clock.monotonic() < begin, !shouldStop() { usleep(20_000) }
    }
  }

  private func note(_ status: PoolStatus?) {
    let before = state.withLock { state in
      defer { state = status }
      return state
    }
    switch (before, status) {
    case (nil, let status?):
      log.info("found the coordinator, process \(status.process), with \(status.workerCount) workers")
    case (.some, nil): log.warning("lost the coordinator at \(clients.endpoint)")
    default: break
    }
    // The time of each event, because those of the last minute are sent together to a new client.
    let time = String(Clock.sinceEpoch())
    if let status, let json = try? status.json() {
      events.send(json, event: "status", id: time)
    } else {
      events.send("{}", event: "lost", id: time)
    }
  }
}
