import Buffers
import Hashing
import PoolMemory
import PoolProtocol

/// A worker without its socket, clock and layout engine: it receives events with their time and returns effects.
///
/// It registers with the coordinator, executes jobs in their order, and sends their columns.
public final class WorkerCore {
  /// Nanoseconds without a message after which the worker registers again, because the coordinator may be a new one; and
  /// after which it gives up.
  static let registrationInterval: UInt64 = 2_000_000_000
  static let silenceTimeout: UInt64 = 30_000_000_000
  /// Nanoseconds between messages that only show that the worker runs.
  private static let aliveInterval: UInt64 = 1_000_000_000

  /// What the worker does at present.
  enum Activity {
    case idle
    /// The program of the job at the head of the inbox is on its way.
    case fetching(ProgramID)
    case layingOut(MessageToWorker.Job)
    case ended
  }

  private let process: Int64
  private let session: UInt64
  private let host: String
  private let endpoint: String
  private let waitsForCoordinator: Bool
  private let memory: any MemorySystem
  private var channel: PeerMemoryChannel
  /// The channel that the last registration offered, until the coordinator replies: one that knows the worker ignores it.
  private var offered: PeerMemoryChannel?
  private var isRegistered = false
  private var activity = Activity.idle
  /// The messages that came while a job was laid out, in order.
  private var inbox: ArraySlice<(message: MessageToWorker, parts: [OwnedBytes])> = []
  /// The job that the last result announced as the next.
  private var announced: JobReference?
  /// The programs that are ready, the oldest first.
  private var programs: [ProgramID] = []
  /// The program of which parts have come.
  private var assembly: ProgramAssembly?
  private var lastMessage: UInt64
  private var lastHello: UInt64
  private var lastAlive: UInt64 = 0
  private var hasGrown = false
  private var connection = Connection.none

  /// Whether a coordinator sends messages.
  private enum Connection {
    case none, established, lost
  }

  /// - Parameters:
  ///   - process: The number of this process.
  ///   - endpoint: The endpoint of the coordinator, for messages in the log.
  ///   - session: A random number other than zero, by which the coordinator recognizes the worker on another connection, or
  ///     as one of its own processes.
  ///   - host: The name of this machine.
  ///   - waits: Whether the worker waits without end while no coordinator replies.
  ///   - now: The time in nanoseconds of a clock that never goes back.
  public init(
    process: Int64, session: UInt64, host: String = "", endpoint: String, waits: Bool = false,
    memory: any MemorySystem, at now: UInt64
  ) {
    (self.process, self.session, self.host, self.endpoint) = (process, session, host, endpoint)
    waitsForCoordinator = waits
    self.memory = memory
    channel = PeerMemoryChannel(memory)
    (lastMessage, lastHello) = (now, now)
  }

  /// Returns the registration, with which a worker begins.
  public func start() -> [WorkerEffect] { [hello()] }

  /// Returns what is to be done about an event, in this order.
  public func handle(_ event: WorkerEvent, at now: UInt64) -> [WorkerEffect] {
    if case .ended = activity { return [] }
    switch event {
    case .message(let message, let parts):
      lastMessage = now
      let connected = noteConnection()
      switch message {
      case .welcome(let memory): register(memory)
      case .program(let part): return connected + take(part, parts.first) + handleMessages()
      case .ping: return connected + reply(at: now)
      default: inbox.append((message, parts))
      }
      return connected + handleMessages()
    case .malformedMessage:
      lastMessage = now
      return [.log(.warning, "the coordinator sent a malformed message; it is ignored")]
    case .laidOut(let outcome):
      lastMessage = now
      return finish(outcome) + handleMessages()
    case .programFailed(let reason):
      lastMessage = now
      return fail(reason) + handleMessages()
    case .tick: return noteSilence(at: now)
    case .memoryLimitReached:
      hasGrown = true
      return handleMessages()
    case .stop: return end(.drained)
    }
  }

  /// The bytes that were left for others and are not released.
  package var bytesInUse: Int { channel.bytesInUse }

  private func hello() -> WorkerEffect {
    .send(
      .hello(
        .init(
          version: Version.current, process: process, credit: UInt32(ProtocolLimits.jobsOfWorker),
          memory: (offered ?? channel).offer, session: session, host: host)), [])
  }

  /// The coordinator has registered the worker, and knows nothing of jobs that were sent on an earlier connection.
  private func register(_ memory: MemoryReference) {
    isRegistered = true
    if let offered { channel = offered }
    offered = nil
    channel.connect(memory)
    inbox.removeAll()
    announced = nil
    if case .fetching = activity { activity = .idle }
  }

  private func noteSilence(at now: UInt64) -> [WorkerEffect] {
    switch activity {
    case .idle, .fetching: break
    case .layingOut, .ended: return []
    }
    if now - lastMessage >= Self.silenceTimeout && !waitsForCoordinator {
      return end(.coordinatorGone, saysGoodbye: false)
    }
    guard now - max(lastMessage, lastHello) >= Self.registrationInterval else {
      channel.closeOthers()
      return []
    }
    lastHello = now
    let loss = noteLoss(after: now - lastMessage)
    // The memory of an earlier registration belongs to the coordinator that has it.
    if isRegistered && offered == nil { offered = PeerMemoryChannel(memory) }
    return loss + [hello()]
  }

  /// Shows the coordinator that the worker runs. One that lays out a job cannot, and need not.
  private func reply(at now: UInt64) -> [WorkerEffect] {
    guard now - min(lastAlive, now) >= Self.aliveInterval else { return [] }
    lastAlive = now
    return [.send(.alive, [])]
  }

  /// Returns the log line for the first message, and for the first one after a silence.
  private func noteConnection() -> [WorkerEffect] {
    let previous = connection
    connection = .established
    switch previous {
    case .none: return [.log(.info, "connected to the coordinator at \(endpoint)")]
    case .lost: return [.log(.info, "connected to the coordinator at \(endpoint) again")]
    case .established: return []
    }
  }

  private func noteLoss(after silence: UInt64) -> [WorkerEffect] {
    guard case .established = connection else { return [] }
    connection = .lost
    let seconds = silence / 1_000_000_000
    return [
      .log(.info, "lost the coordinator at \(endpoint): no message for \(seconds) s; the worker registers again")
    ]
  }

  private func end(_ end: WorkerEnd, saysGoodbye: Bool = true) -> [WorkerEffect] {
    activity = .ended
    return (saysGoodbye ? [.send(.goodbye, [])] : []) + [.end(end)]
  }

  // MARK: Messages

  /// Handles messages until one begins a job.
  private func handleMessages() -> [WorkerEffect] {
    var effects: [WorkerEffect] = []
    while case .idle = activity {
      if hasGrown { return effects + end(.grown) }
      guard let (message, parts) = inbox.first else { break }
      if case .job(let job) = message, !programs.contains(job.setup.program) {
        return effects + [fetch(job.setup.program)]
      }
      inbox.removeFirst()
      switch message {
      case .job(let job): effects += begin(job, parts)
      case .refused(let reason): return effects + end(.refused(reason), saysGoodbye: false)
      // The coordinator ends: a goodbye would only hold this process up, because nobody receives it.
      case .drain: return effects + end(.drained, saysGoodbye: false)
      case .welcome, .program, .ping: break
      }
    }
    return effects
  }

  // MARK: Programs

  private func fetch(_ program: ProgramID, isInvisible: Bool = false) -> WorkerEffect {
    activity = .fetching(program)
    // What has come of the same program before a connection was lost is kept.
    var assembly = self.assembly?.id == program ? self.assembly ?? ProgramAssembly(program) : ProgramAssembly(program)
    let request = assembly.request(isInvisible: isInvisible)
    self.assembly = assembly
    return .send(.programWanted(request), [])
  }

  /// Takes a part of the program that the next job needs, or all of it.
  private func take(_ part: MessageToWorker.ProgramPart, _ bytes: OwnedBytes?) -> [WorkerEffect] {
    guard case .fetching(let program) = activity, part.program == program else { return [] }
    if let range = part.shared {
      guard let shared = channel.program(range) else { return [fetch(program, isInvisible: true)] }
      return load(shared, program)
    }
    switch assembly?.add(bytes ?? .empty, at: part.offset, ofSize: part.size) {
    case .wait, nil: return []
    case .ask(let request): return [.send(.programWanted(request), [])]
    case .complete(let bytes): return load(bytes, program)
    case .refuse:
      // The batch is over, and its program was removed.
      (activity, assembly) = (.idle, nil)
      guard case .job(let job)? = inbox.popFirst()?.message else { return [] }
      return [.send(.missing(job.reference, isInvisible: false), [])]
    }
  }

  private func load(_ bytes: OwnedBytes, _ program: ProgramID) -> [WorkerEffect] {
    (activity, assembly) = (.idle, nil)
    var effects: [WorkerEffect] = []
    if programs.count == ProtocolLimits.programsOfWorker { effects.append(.unload(programs.removeFirst())) }
    programs.append(program)
    effects.append(.load(program, bytes))
    return effects
  }

  // MARK: Jobs

  private func begin(_ job: MessageToWorker.Job, _ parts: [OwnedBytes]) -> [WorkerEffect] {
    guard let lines = job.lines.map({ channel.lines($0) }) ?? parts.first else {
      return [.send(.missing(job.reference, isInvisible: true), [])]
    }
    guard job.checksum == 0 || lines.checksum == job.checksum else {
      return [
        .log(.warning, "the lines of a job were damaged on their way: they differ from their checksum"),
        .send(.missing(job.reference, isInvisible: false), []),
      ]
    }
    var effects: [WorkerEffect] = []
    if announced != job.reference { effects.append(.send(.started(job.reference), [])) }
    announced = nil
    activity = .layingOut(job)
    return effects + [.layOut(job, lines: lines)]
  }

  // MARK: Results

  private func finish(_ outcome: JobOutcome) -> [WorkerEffect] {
    guard case .layingOut(let job) = activity else { return [] }
    activity = .idle
    guard outcome.isWhole, outcome.columnSizes.allSatisfy({ $0 <= ProtocolLimits.columnBytes }) else {
      return [.send(.tooLarge(job.reference), [])]
    }
    var checksums = [UInt64](repeating: 0, count: outcome.columnSizes.count)
    func write(_ variant: Int, _ start: UnsafeMutableRawPointer) {
      outcome.write(variant, start)
      checksums[variant] = Checksum.of(UnsafeRawBufferPointer(start: start, count: outcome.columnSizes[variant]))
    }
    let left = channel.leave(columns: outcome.columnSizes, write: write)
    let parts =
      left == nil
      ? outcome.columnSizes.enumerated().map { variant, size in OwnedBytes(count: size) { write(variant, $0) } } : []
    var result = WorkerMessage.Result(
      job: job.reference, rows: outcome.rows, duration: outcome.duration, cacheHitRate: outcome.cacheHitRate,
      columns: left, checksums: checksums, seenToken: channel.seenToken)
    // The result announces the next job, which saves a message.
    if !hasGrown, case .job(let next)? = inbox.first?.message, programs.contains(next.setup.program) {
      result.next = next.reference
    }
    announced = result.next
    return [.send(.result(result), parts)]
  }

  private func fail(_ reason: String) -> [WorkerEffect] {
    guard case .layingOut(let job) = activity else { return [] }
    activity = .idle
    programs.removeAll { $0 == job.setup.program }
    return [
      .unload(job.setup.program),
      .send(.failure(job.reference, reason: "the program cannot be used: \(reason)"), []),
    ]
  }
}
