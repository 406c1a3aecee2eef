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
  /// The number of short states that the dashboard receives before those: a little more than an hour of `PastStates`.
  static let past = 400

  private let clients: BatchClients
  private let log: Log
  private let state = Mutex<PoolStatus?>(nil)
  /// The events of the dashboard.
  let events = EventSource(history: history, past: past)

  init(_ clients: BatchClients, log: Log) { (self.clients, self.log) = (clients, log) }

  /// The last state; nil while the coordinator does not reply.
  var status: PoolStatus? { state.withLock { $0 } }

  /// Asks for the state until `shouldStop`.
  func run(shouldStop: () -> Bool) throws {
    var client = try clients.statusClient()
    var begin = Clock.monotonic()
    var pastStates = PastStates()
    while !shouldStop() {
      if let status = try? client.status(milliseconds: Self.timeout) {
        note(status, &pastStates)
        begin += UInt64(Self.interval) * 1_000_000
      } else {
        note(nil, &pastStates)
        // A reply that comes late would be taken for that of the next request.
        client = try clients.statusClient()
        begin = Clock.monotonic()
      }
      log.flush()
      while Clock.monotonic() < begin, !shouldStop() { usleep(20_000) }
    }
  }

  private func note(_ status: PoolStatus?, _ pastStates: inout PastStates) {
    let before = state.withLock { state in
      defer { state = status }
      return state
    }
    // Messages on connections to a coordinator that has ended would be lost.
    if before?.process != status?.process { clients.forgetIdle() }
    switch (before, status) {
    case (nil, let status?):
      log.info("found the coordinator, process \(status.process), with \(status.workerCount) workers")
    case (.some, nil): log.warning("lost the coordinator at \(clients.endpoint)")
    default: break
    }
    // The time of each event, because those of the last hour are sent together to a new client.
    let time = Clock.sinceEpoch()
    let lasts = pastStates.keeps(time: time, isLost: status == nil)
    if let status, let json = try? status.json() {
      let past = lasts ? try? status.withoutLists.json() : nil
      send(json, "status", time, past: past.map { ($0, "past") })
    } else {
      send("{}", "lost", time, past: lasts ? ("{}", "lost") : nil)
    }
  }

  private func send(_ data: String, _ type: String, _ time: UInt64, past: (data: String, type: String)?) {
    events.send(
      .init(data, type: type, id: "\(time)"), past: past.map { .init($0.data, type: $0.type, id: "\(time)") })
  }
}
