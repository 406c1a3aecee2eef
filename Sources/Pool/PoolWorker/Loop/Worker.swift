import Buffers
import CellTemplates
import Glibc
import PoolEnvelopes
import PoolProtocol
import PoolSecurity
import PoolWorkerCore
import PosixMemory
import Processes
import ZeroMQ

/// A worker process: the loop around a `WorkerCore`. It reports messages and measurements to the core, and
/// carries out its effects: it sends messages and lays out jobs.
public final class Worker {
  /// The number of queued messages: at most two of each job, and some others.
  private static let maxUnread: Int32 = 32
  /// Milliseconds between ticks while no message comes.
  private static let tick = 100
  /// The milliseconds for which messages of a worker that ends wait: before they are queued, and after that.
  private static let linger: Int32 = 1000

  /// The environment variable with the session of a worker that its coordinator has started. It does not begin with GALLEY_, as those
  /// of options do, so that a worker need not look for these.
  public static let sessionVariable = "GALLEYWORKER_SESSION"

  private let socket: Socket
  private var core: WorkerCore
  private var effects: [WorkerEffect] = []
  private let layouts: ProgramLayouts
  /// Whether the coordinator has started this worker.
  private let isStarted: Bool
  private let log: Log
  private var end: WorkerEnd?
  private var shouldStop: () -> Bool = { false }
  /// The job to be laid out next.
  private var order: (job: MessageToWorker.Job, lines: OwnedBytes)?

  /// - Parameters:
  ///   - keys: The keys of this worker, where the coordinator accepts by key.
  ///   - cells: Cell classes beside those of the programs.
  ///   - cacheBudget: The bytes for measured texts.
  ///   - memoryLimit: The resident bytes above which the worker ends after a job, so that another one replaces it.
  ///   - session: The number with which the worker registers, if the coordinator has started it.
  ///   - waits: Whether the worker waits without end while no coordinator replies.
  public init(
    _ context: Context, endpoint: String, keys: ClientKeys? = nil, cells: CellRegistry, cacheBudget: Int,
    memoryLimit: Int, session: UInt64? = nil, waits: Bool = false, log: Log
  ) throws(ZeroMQError) {
    socket = try Socket(.dealer, context)
    // The coordinator limits the queue of this socket. With a limit on this side, libzmq stops reading and may then abort when
    // the connection ends (its issue 3937).
    try socket.setHighWaterMarks(send: Self.maxUnread, receive: 0)
    try socket.endLostConnections()
    try socket.setMaxMessageSize(ProtocolLimits.partBytes)
    try socket.setLinger(Self.linger)
    // A coordinator may start workers before it listens.
    isStarted = session != nil
    if isStarted { try socket.setReconnectInterval(first: 1, most: 16) }
    try socket.connect(endpoint, keys, warn: waits ? { log.warning($0) } : nil)
    let hello = WorkerMessage.Hello(
      origin: PeerOrigin(host: HostName.current, process: Int64(getpid())),
      session: session ?? .random(in: 1 ... .max), cells: cells.isEmpty ? 0 : executableChecksum())
    core = WorkerCore(
      hello, endpoint: endpoint, waits: waits, memoryLimit: memoryLimit, memory: SystemMemory(), at: Self.time)
    layouts = ProgramLayouts(cells: cells, cacheBudget: cacheBudget)
    self.log = log
  }

  private static var time: EventTime { EventTime(monotonic: Clock.monotonic()) }

  /// Runs until `shouldStop`, until the coordinator ends it, or until the coordinator no longer replies.
  public func run(shouldStop: @escaping () -> Bool) throws(ZeroMQError) -> WorkerEnd {
    self.shouldStop = shouldStop
    try handle(.started)
    while end == nil {
      if shouldStop() {
        try handle(.stop)
        break
      }
      if order != nil {
        try layOut()
      } else if try socket.wait(milliseconds: Self.tick) {
        try receive()
      } else {
        try handle(.tick)
        log.flush()
      }
    }
    // The coordinator that started this worker and has not replied does not wait for its last messages.
    if isStarted && !core.isRegistered { try socket.setLinger(0) }
    return end ?? .drained
  }

  /// Reports all messages that were received.
  private func receive() throws(ZeroMQError) {
    while end == nil, let parts = try socket.receive() {
      guard let message = parts.first?.withBytes({ MessageToWorker(envelope: $0) }) else {
        try handle(.malformedMessage)
        continue
      }
      try handle(.message(message, parts.dropFirst().map(\.ownedBytes)))
    }
  }

  private func layOut() throws(ZeroMQError) {
    guard let (job, lines) = order else { return }
    order = nil
    let event = layouts.layOut(job, lines)
    // The result announces the next job, if it is there.
    try receive()
    try handle(.memoryMeasured(ResidentMemory.bytes))
    try handle(event)
  }

  private func handle(_ event: WorkerEvent) throws(ZeroMQError) {
    effects.removeAll(keepingCapacity: true)
    core.handle(event, at: Self.time, into: &effects)
    for effect in effects {
      switch effect {
      case .send(let message, let parts): try send(message, parts)
      case .load(let id, let program): layouts.load(id, program)
      case .unload(let id): layouts.unload(id)
      case .layOut(let job, let lines): order = (job, lines)
      case .log(let level, let message): log.write(level, message)
      case .end(let end): self.end = end
      }
    }
  }

  private func send(_ message: WorkerMessage, _ parts: [OwnedBytes]) throws(ZeroMQError) {
    let envelope = message.encoded()
    // The queue is full only if the coordinator does not read. Registrations are then skipped, and the goodbye of a worker that was not
    // registered; all other messages wait, until the worker is to stop.
    var waited: Int32 = 0
    while try socket.send([envelope], parts.map { MessagePart.sharing($0) }) == .full {
      switch message {
      case .hello: return
      case .goodbye where !core.isRegistered: return
      case _ where waited >= Self.linger && shouldStop(): return
      default: usleep(1000)
      }
      waited += 1
      // Fails when the coordinator no longer accepts this worker.
      _ = try socket.wait(milliseconds: 0)
    }
  }
}
