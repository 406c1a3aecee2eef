import Buffers
import Glibc
import PoolCoordinatorCore
import PoolEnvelopes
import PoolProtocol
import PoolSecurity
import PosixMemory
import Processes
import ZeroMQ

/// A coordinator process: the loop around a `CoordinatorCore`. It reports messages and all other events
/// to the core, and carries out its effects.
public final class Coordinator {
  /// The number of queued messages to a peer at which it counts as disconnected.
  private static let maxUnread: Int32 = 20_000
  /// Milliseconds for which the last messages may delay the end of the process.
  private static let shutdownLinger: Int32 = 500
  /// The number of messages after which other events are handled, also while more messages wait.
  private static let messagesPerIteration = 64
  /// Nanoseconds between two searches for ended processes; and the largest interval while messages never stop.
  private static let processInterval: UInt64 = 20_000_000
  private static let longestProcessInterval: UInt64 = 240_000_000

  /// Nanoseconds between two searches for connections that hold too much memory.
  private static let connectionInterval: UInt64 = 100_000_000

  /// The endpoints at which it listens.
  public private(set) var endpoints: [String] = []
  private let socket: Socket
  private var core: CoordinatorCore
  private let workers: LocalWorkers?
  private let journals: Journals?
  private let authenticator: CurveAuthenticator?
  private let log: Log
  /// Events that effects have caused, which are reported after these effects.
  private var events: [CoordinatorEvent] = []
  private var effects: [CoordinatorEffect] = []
  private var nextConnectionCheck: UInt64 = 0
  private var hasEnded = false
  /// The number of connections that were closed because they exceeded a bound.
  private var closedConnections: UInt64 = 0

  public struct Options {
    /// The worker processes that it starts, and their number.
    public var workers: (local: LocalWorkers, count: Int)?
    /// The directory in which batches are kept, if they are.
    public var spool: Spool?
    /// The configuration of the core. What follows from the process and from the other options is set by the coordinator.
    public var core = CoordinatorCore.Configuration()

    public init() {}
  }

  /// - Parameters:
  ///   - endpoints: The endpoints to which clients and workers connect, apart from the local workers.
  ///   - authenticator: Accepts peers at the tcp endpoints; without it all are accepted.
  public init(
    _ context: Context, endpoints: [String], authenticator: CurveAuthenticator? = nil, _ options: Options, log: Log
  ) throws(ZeroMQError) {
    socket = try Socket(.router, context)
    try socket.setHighWaterMarks(send: Self.maxUnread, receive: 0)
    try socket.endLostConnections()
    try socket.setMaxMessageSize(ProtocolLimits.partBytes)
    try socket.limitConnections(bytes: ProtocolLimits.unreceivedBytes, parts: ProtocolLimits.parts)
    var configuration = options.core
    configuration.keepsBatches = options.spool != nil
    configuration.processes = options.workers?.count ?? 0
    configuration.origin = PeerOrigin(host: HostName.current, process: Int64(getpid()))
    core = CoordinatorCore(configuration, memory: SystemMemory(), format: .columns, startedAt: Self.time)
    workers = options.workers?.local
    journals = options.spool.map { Journals($0) }
    self.authenticator = authenticator
    self.log = log
    // The spool is read before the endpoints are bound, so that no request for a kept batch arrives earlier.
    if let journals { try handle(.recovered(journals.recover())) }
    let all = endpoints + (workers.map { [$0.endpoint] } ?? [])
    self.endpoints = try socket.listen(at: all, context, authenticator: authenticator)
  }

  /// The names of all batches in the spool.
  public var batchNames: [String] { core.batchNames }

  private static var time: EventTime {
    EventTime(monotonic: Clock.monotonic(), sinceEpoch: Clock.sinceEpoch())
  }

  /// Runs until `shouldStop`; then accepts no new batches, and finishes the open ones if it `drains` and does not keep
  /// them.
  ///
  /// - Parameter wakeUp: What makes it ask `shouldStop` at once, where it has no authenticator. Without that, a signal does, or the
  ///   next tick.
  public func run(
    drains: @autoclosure () -> Bool = false, wakeUp: WakeUp? = nil, shouldStop: () -> Bool
  ) throws(ZeroMQError) {
    var nextProcessCheck: UInt64 = 0
    var isWoken = false
    defer { workers?.stop() }
    try handle(.tick)
    while !hasEnded {
      if shouldStop() { try handle(.stop(drains: drains())) }
      guard !hasEnded else { break }
      if let wakeUp, authenticator == nil, !isWoken {
        isWoken = try socket.wait(milliseconds: waitTime, or: wakeUp.descriptor).isReadable
      } else {
        _ = try socket.wait(milliseconds: waitTime)
      }
      var messages = 0
      while messages < Self.messagesPerIteration, let parts = try socket.receive() {
        messages += 1
        try receive(parts)
      }
      let now = Clock.monotonic()
      // The last messages of a worker are handled before its end, unless other peers never stop sending.
      let isBusy = messages == Self.messagesPerIteration
      if now >= nextProcessCheck && (!isBusy || now >= nextProcessCheck + Self.longestProcessInterval) {
        nextProcessCheck = now + Self.processInterval
        for (process, how) in workers?.takeEnded() ?? [] {
          try handle(.processEnded(Int64(process), how: how))
        }
      }
      if now >= core.nextTick {
        try handle(.tick)
        log.flush()
      }
      try endExcessiveConnections(at: now)
    }
    // The last messages may still be in the queues.
    try socket.setLinger(Self.shutdownLinger)
  }

  /// Incomplete messages of a peer must not fill the memory.
  private func endExcessiveConnections(at now: UInt64) throws(ZeroMQError) {
    guard now >= nextConnectionCheck else { return }
    nextConnectionCheck = now + Self.connectionInterval
    for reason in socket.closeExcessiveConnections() {
      closedConnections += 1
      log.warning("a connection is closed: \(reason)")
    }
    try measure()
  }

  private func measure() throws(ZeroMQError) {
    try handle(
      .measured(
        memory: UInt64(ResidentMemory.bytes), keysRefused: authenticator?.refusals ?? 0,
        connectionsClosed: closedConnections))
  }

  /// The milliseconds that the loop may wait for messages.
  private var waitTime: Int {
    let now = Clock.monotonic()
    let wake = core.nextTick
    return wake <= now ? 0 : Int((wake - now + 999_999) / 1_000_000)
  }

  private func receive(_ parts: [MessagePart]) throws(ZeroMQError) {
    // The first part is the identity of the peer.
    guard parts.count >= 2 else { return }
    let identity = parts[0].withBytes { PeerIdentity($0) }
    var holder = KeyHolder.withoutKey
    if let authenticator {
      guard let known = authenticator.holder(of: parts[1]) else { return }
      holder = known
    }
    guard parts.count <= ProtocolLimits.parts,
      let message = parts[1].withBytes({ MessageToCoordinator(envelope: $0) })
    else { return try handle(.malformedMessage(from: identity, by: holder)) }
    try handle(.message(message, parts.dropFirst(2).map(\.ownedBytes), from: identity, by: holder))
  }

  // MARK: Effects

  /// Reports an event to the core and carries out its effects.
  private func handle(_ event: CoordinatorEvent) throws(ZeroMQError) {
    events.append(event)
    var index = 0
    while index < events.count {
      effects.removeAll(keepingCapacity: true)
      core.handle(events[index], at: Self.time, into: &effects)
      index += 1
      for effect in effects { try perform(effect) }
    }
    events.removeAll(keepingCapacity: true)
  }

  private func perform(_ effect: CoordinatorEffect) throws(ZeroMQError) {
    switch effect {
    case .sendToWorker(let message, let parts, let identity): try send(message.encoded(), parts, to: identity)
    case .sendToClient(let message, let parts, let identity): try send(message.encoded(), parts, to: identity)
    case .journal(let effect): if let event = journals?.perform(effect) { events.append(event) }
    case .startProcess:
      guard let workers else { break }
      do throws(ZeroMQError) {
        let process = try workers.start()
        events.append(.processStarted(Int64(process.id), session: process.session))
      } catch {
        events.append(.processStartFailed(reason: error.description))
      }
    case .killProcess(let process): workers?.kill(process)
    case .log(let level, let message): log.write(level, message)
    case .end: hasEnded = true
    }
  }

  private func send(_ envelope: [UInt8], _ parts: [OwnedBytes], to identity: PeerIdentity) throws(ZeroMQError) {
    let sent = try socket.send([identity, envelope], parts.map { MessagePart.sharing($0) })
    if sent != .sent { events.append(.unreachable(identity)) }
  }
}
