import Glibc
import HTTPServing
import PoolClient
import PoolProtocol
import Processes
import Synchronization
import ZeroMQ

/// The state of the pool as it was last seen, which is asked for every second.
final class PoolMonitor: Sendable {
  /// The milliseconds that a reply to a request of a client may take.
  static let timeout = 3000
  /// The milliseconds for which a reply is awaited before the connection is checked.
  private static let step = 20
  /// The number of states that the dashboard receives at its start: those of a minute.
  static let history = 60
  /// The number of short states that the dashboard receives before those: a little more than an hour of `PastStates`.
  static let past = 400

  private let clients: BatchClients
  private let log: Log
  private let state = Mutex<PoolStatus?>(nil)
  private let lost = Atomic<Bool>(false)
  /// The events of the dashboard.
  let events = EventSource(history: history, past: past)

  init(_ clients: BatchClients, log: Log) { (self.clients, self.log) = (clients, log) }

  /// Asks for the first state, so that requests are worked on before `run` has it. Without a reply nothing is known.
  func askForFirstState(shouldStop: @escaping () -> Bool) {
    replace(try? clients.coordinatorClient().status(milliseconds: Self.timeout, shouldStop: shouldStop))
  }

  /// The last state; nil while the coordinator does not reply.
  var status: PoolStatus? { state.withLock { $0 } }

  /// Whether the coordinator has ended and was not started again at once. No request that waits for it can be completed.
  var hasLostCoordinator: Bool { lost.load(ordering: .relaxed) }

  /// Asks for the state until `shouldStop`.
  func run(shouldStop: () -> Bool) throws {
    var watch = try makeWatch()
    var presence = CoordinatorPresence(at: Clock.monotonic())
    var pastStates = PastStates()
    var refusal: String?
    while !shouldStop() {
      do {
        try observe(watch, &presence, &pastStates)
        if status != nil { refusal = nil }
      } catch {
        // A coordinator that does not accept this side ends each connection.
        note(nil, &pastStates)
        if refusal != error.description { log.warning(error.description) }
        refusal = error.description
        pause(shouldStop)
        watch = try makeWatch()
      }
      log.flush()
    }
  }

  private func makeWatch() throws -> StatusWatch { try clients.statusWatch { [log] in log.warning($0) } }

  private func pause(_ shouldStop: () -> Bool) {
    let end = Clock.monotonic() + CoordinatorPresence.interval
    while Clock.monotonic() < end, !shouldStop() { usleep(UInt32(Self.step) * 1000) }
  }

  private func observe(
    _ watch: StatusWatch, _ presence: inout CoordinatorPresence, _ pastStates: inout PastStates
  ) throws(ZeroMQError) {
    let status = try watch.status(milliseconds: Self.step)
    if let status { note(status, &pastStates) }
    let finding = presence.note(
      isConnected: try watch.isConnected, hasReplied: status != nil, at: Clock.monotonic())
    lost.store(presence.isLost, ordering: .relaxed)
    switch finding {
    case .isDue: try watch.request()
    case .isAbsent: note(nil, &pastStates)
    case nil: break
    }
  }

  private func replace(_ status: PoolStatus?) {
    let before = state.withLock { state in
      defer { state = status }
      return state
    }
    // Messages on connections to a coordinator that has ended would be lost.
    if before?.pid != status?.pid { clients.forgetIdle() }
    switch (before, status) {
    case (nil, let status?):
      log.info("found the coordinator, process \(status.pid), with \(status.workerCount) workers")
      if !Readiness.maySubmit(status) { log.warning(Problem.workerKey.detail) }
    case (.some, nil): log.warning("lost the coordinator at \(clients.endpoint)")
    default: break
    }
  }

  private func note(_ status: PoolStatus?, _ pastStates: inout PastStates) {
    replace(status)
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
