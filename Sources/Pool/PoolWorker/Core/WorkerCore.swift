import Buffers
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

  /// What the worker does at present.
  enum Activity {
    case idle
    case layingOut(MessageToWorker.Job)
    case ended
  }

  private let process: Int64
  private let memory: any MemorySystem
  private var channel: PeerMemoryChannel
  private var activity = Activity.idle
  /// The messages that came while a job was laid out, in order.
  private var inbox: ArraySlice<(message: MessageToWorker, parts: [OwnedBytes])> = []
  /// The job that the last result announced as the next.
  private var announced: JobReference?
  /// The programs that are ready, the oldest first.
  private var programs: [ProgramID] = []
  private var lastMessage: UInt64
  private var lastHello: UInt64
  private var hasGrown = false
  private var connection = Connection.none

  /// Whether a coordinator sends messages.
  private enum Connection {
    case none, established, lost
  }

  /// - Parameters:
  ///   - process: The number of this process.
  ///   - now: The time in nanoseconds of a clock that never goes back.
  public init(process: Int64, memory: any MemorySystem, at now: UInt64) {
    (self.process, self.memory) = (process, memory)
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
      inbox.append((message, parts))
      return noteConnection() + handleMessages()
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

  /// Registers with memory of its own, unless the coordinator has that of the last registration.
  private func hello() -> WorkerEffect {
    .send(
      .hello(
        .init(
          version: Version.current, process: process, credit: UInt32(ProtocolLimits.jobsOfWorker),
          memory: channel.offer)), [])
  }

  private func noteSilence(at now: UInt64) -> [WorkerEffect] {
    guard case .idle = activity else { return [] }
    if now - lastMessage >= Self.silenceTimeout { return end(.coordinatorGone, saysGoodbye: false) }
    guard now - max(lastMessage, lastHello) >= Self.registrationInterval else {
      channel.closeOthers()
      return []
    }
    lastHello = now
    let loss = noteLoss(after: now - lastMessage)
    // The memory of an earlier registration belongs to the coordinator that has it.
    channel = PeerMemoryChannel(memory)
    announced = nil
    return loss + [hello()]
  }

  /// Returns the log line for the first message, and for the first one after a silence.
  private func noteConnection() -> [WorkerEffect] {
    let previous = connection
    connection = .established
    switch previous {
    case .none: return [.log(.info, "connected to the coordinator")]
    case .lost: return [.log(.info, "connected to the coordinator again")]
    case .established: return []
    }
  }

  private func noteLoss(after silence: UInt64) -> [WorkerEffect] {
    guard case .established = connection else { return [] }
    connection = .lost
    let seconds = silence / 1_000_000_000
    return [.log(.info, "lost the coordinator: no message for \(seconds) s; the worker registers again")]
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
      guard let (message, parts) = inbox.popFirst() else { break }
      switch message {
      case .job(let job): effects += begin(job, parts)
      case .refused(let reason): return effects + end(.refused(reason), saysGoodbye: false)
      // The coordinator ends: a goodbye would only hold this process up, because nobody receives it.
      case .drain: return effects + end(.drained, saysGoodbye: false)
      case .welcome(let memory): channel.connect(memory)
      case .ping: break
      }
    }
    return effects
  }

  private func begin(_ job: MessageToWorker.Job, _ parts: [OwnedBytes]) -> [WorkerEffect] {
    let programParts = parts.dropLast(job.lines == nil ? 1 : 0)
    guard parts.count == programParts.count + (job.lines == nil ? 1 : 0), programParts.count <= 1 else { return [] }
    guard let lines = job.lines.map({ channel.lines($0) }) ?? parts.last else {
      return [.send(.missing(job.reference, isInvisible: true), [])]
    }
    var effects: [WorkerEffect] = []
    let id = job.setup.program
    if !programs.contains(id) {
      let shown = job.program.map { channel.program($0) }
      guard let program = programParts.first ?? shown ?? nil else {
        return [.send(.missing(job.reference, isInvisible: shown != nil), [])]
      }
      if programs.count == ProtocolLimits.programsOfWorker { effects.append(.unload(programs.removeFirst())) }
      programs.append(id)
      effects.append(.load(id, program))
    }
    if announced != job.reference { effects.append(.send(.started(job.reference), [])) }
    announced = nil
    activity = .layingOut(job)
    return effects + [.layOut(job, lines: lines)]
  }

  // MARK: Results

  private func finish(_ outcome: JobOutcome) -> [WorkerEffect] {
    guard case .layingOut(let job) = activity else { return [] }
    activity = .idle
    let left = channel.leave(columns: outcome.columnSizes, write: outcome.write)
    let parts =
      left == nil
      ? outcome.columnSizes.enumerated().map { variant, size in
        OwnedBytes(count: size) { outcome.write(variant, $0) }
      } : []
    var result = WorkerMessage.Result(
      job: job.reference, rows: outcome.rows, duration: outcome.duration, cacheHitRate: outcome.cacheHitRate,
      columns: left, seenToken: channel.seenToken)
    // The result announces the next job, which saves a message.
    if !hasGrown, case .job(let next)? = inbox.first?.message { result.next = next.reference }
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
