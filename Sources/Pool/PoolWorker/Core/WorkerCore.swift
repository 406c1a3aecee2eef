import Buffers
import LogLevels
import PoolMemory
import PoolProtocol

/// A worker without its socket, clock and layout engine: it receives events with their time and returns effects.
///
/// It registers with the coordinator, executes jobs in their order, and sends their columns.
public struct WorkerCore: ~Copyable {
  /// Nanoseconds without a message after which the worker registers again, because the coordinator may be a new one; and
  /// after which it ends. A pause of the worker's process does not count.
  static let registrationInterval: UInt64 = 2_000_000_000
  static let silenceTimeout: UInt64 = 30_000_000_000
  /// Nanoseconds between two messages that only show that the worker runs.
  private static let aliveInterval: UInt64 = 1_000_000_000

  /// The current activity of the worker.
  enum Activity {
    case idle
    /// The worker waits for the program of the first job in the inbox.
    case fetching(ProgramID)
    case layingOut(MessageToWorker.Job)
    case ended
  }

  /// What it registers with, beside its memory.
  private var hello: WorkerMessage.Hello
  private let endpoint: String
  private let waitsForCoordinator: Bool
  private let memoryLimit: Int
  private let memory: any MemorySystem
  var channel: PeerMemoryChannel
  /// The channel that the last registration offered, until the coordinator replies. A coordinator that knows the worker ignores
  /// it.
  private(set) var offered: PeerMemoryChannel?
  /// Whether a coordinator has accepted a registration.
  public private(set) var isRegistered = false
  var activity = Activity.idle
  /// The messages that were received during the layout of a job, in order.
  var inbox: ArraySlice<(message: MessageToWorker, parts: [OwnedBytes])> = []
  /// The job that the last result announced as the next one.
  var announced: JobReference?
  /// The programs that are ready, the oldest first.
  var programs: [ProgramID] = []
  /// The program that is being received in parts.
  var assembly: ProgramAssembly?
  /// The time for which the process has run.
  private var running = RunningTime()
  /// The running time of the last message, registration and reply to a ping in nanoseconds. The start counts as the first two.
  private var lastMessage: UInt64 = 0
  private var lastHello: UInt64 = 0
  private var lastAlive: UInt64?
  /// Whether the process has exceeded its memory limit, so that it ends before the next job.
  private(set) var hasGrown = false
  private var connection = Connection.none
  /// The effects of the current event.
  private var effects: [WorkerEffect] = []

  /// Whether a coordinator sends messages.
  private enum Connection {
    case none, established, lost
  }

  /// - Parameters:
  ///   - hello: What the worker registers with, beside its memory.
  ///   - endpoint: The endpoint of the coordinator, for messages in the log.
  ///   - waits: Whether the worker waits without end while no coordinator replies.
  ///   - memoryLimit: The bytes of memory above which the worker ends, so that another replaces it.
  ///   - time: The time of the start.
  public init(
    _ hello: WorkerMessage.Hello, endpoint: String, waits: Bool = false, memoryLimit: Int = .max,
    memory: any MemorySystem, at time: EventTime
  ) {
    (self.hello, self.endpoint, waitsForCoordinator) = (hello, endpoint, waits)
    (self.memoryLimit, self.memory) = (memoryLimit, memory)
    channel = PeerMemoryChannel(memory)
    running.advance(to: time)
  }

  /// Appends the effects of an event in the order in which the loop carries them out.
  public mutating func handle(_ event: WorkerEvent, at time: EventTime, into effects: inout [WorkerEffect]) {
    swap(&self.effects, &effects)
    defer { swap(&self.effects, &effects) }
    running.advance(to: time)
    let now = running.nanoseconds
    if case .ended = activity { return }
    switch event {
    case .started: sendHello()
    case .message(let message, let parts):
      lastMessage = now
      noteConnection()
      receive(message, parts, at: now)
    case .malformedMessage:
      lastMessage = now
      log(.warning, "a malformed message came from the coordinator, perhaps a job; the worker registers again")
      send(.goodbye)
      registerAgain(at: now)
    case .laidOut(let result, let sizes, let write):
      lastMessage = now
      finish(result, sizes, write)
      beginNextJob()
    case .programFailed(let reason):
      lastMessage = now
      fail(reason)
      beginNextJob()
    case .memoryMeasured(let bytes):
      guard bytes > memoryLimit, !hasGrown else { return }
      hasGrown = true
      log(.info, "it has \(bytes >> 20) MiB of memory, which is over its limit")
      beginNextJob()
    case .tick: checkSilence(at: now)
    case .stop: end(.drained)
    }
    #if DEBUG
      checkInvariants { preconditionFailure($0) }
    #endif
  }

  /// The bytes in the worker's memory that others have not released.
  package var bytesInUse: Int { channel.bytesInUse }

  mutating func emit(_ effect: WorkerEffect) { effects.append(effect) }
  mutating func send(_ message: WorkerMessage, _ parts: [OwnedBytes] = []) { emit(.send(message, parts)) }
  mutating func log(_ level: LogLevel, _ message: String) { emit(.log(level, message)) }

  private mutating func sendHello() {
    hello.memory = (offered ?? channel).offer
    send(.hello(hello))
  }

  /// Begins a new registration. The coordinator has discarded jobs that were sent on an earlier connection.
  private mutating func register(_ memory: MemoryReference) {
    isRegistered = true
    if let offered { channel = offered }
    offered = nil
    channel.connect(memory)
    inbox.removeAll()
    announced = nil
    if case .fetching = activity { activity = .idle }
  }

  private mutating func checkSilence(at now: UInt64) {
    switch activity {
    case .idle, .fetching: break
    case .layingOut, .ended: return
    }
    if now - lastMessage >= Self.silenceTimeout && !waitsForCoordinator {
      return end(.coordinatorGone, saysGoodbye: false)
    }
    guard now - max(lastMessage, lastHello) >= Self.registrationInterval else { return channel.closeOthers() }
    if case .established = connection {
      connection = .lost
      let seconds = (now - lastMessage) / 1_000_000_000
      log(.info, "lost the coordinator at \(endpoint): no message for \(seconds) s; the worker registers again")
    }
    registerAgain(at: now)
  }

  /// Registers again on the same or a new connection.
  private mutating func registerAgain(at now: UInt64) {
    lastHello = now
    // The memory of an earlier registration belongs to the coordinator that has it.
    if isRegistered && offered == nil { offered = PeerMemoryChannel(memory) }
    sendHello()
  }

  /// Logs the first message, and the first one after a silence.
  private mutating func noteConnection() {
    switch connection {
    case .none: log(.info, "connected to the coordinator at \(endpoint)")
    case .lost: log(.info, "connected to the coordinator at \(endpoint) again")
    case .established: break
    }
    connection = .established
  }

  private mutating func end(_ end: WorkerEnd, saysGoodbye: Bool = true) {
    activity = .ended
    if saysGoodbye { send(.goodbye) }
    emit(.end(end))
  }

  // MARK: Messages

  private mutating func receive(_ message: MessageToWorker, _ parts: [OwnedBytes], at now: UInt64) {
    switch message {
    case .welcome(let memory): register(memory)
    case .program(let part): take(part, parts.first)
    // A worker cannot reply during a layout, but its result shows that it runs.
    case .ping:
      if let lastAlive, now - lastAlive < Self.aliveInterval { return }
      lastAlive = now
      return send(.alive)
    case .job, .refused, .drain: inbox.append((message, parts))
    }
    beginNextJob()
  }

  /// Handles the messages of the inbox until one begins a job.
  private mutating func beginNextJob() {
    while case .idle = activity {
      if hasGrown { return end(.grown) }
      guard let (message, parts) = inbox.first else { return }
      if case .job(let job) = message, !programs.contains(job.setup.program) {
        return fetch(job.setup.program)
      }
      inbox.removeFirst()
      switch message {
      case .job(let job): begin(job, parts)
      case .refused(let reason): end(.refused(reason), saysGoodbye: false)
      // The coordinator has stopped receiving messages, so a goodbye message would only delay the end of this process.
      case .drain: end(.drained, saysGoodbye: false)
      case .welcome, .program, .ping: break
      }
    }
  }
}
