import Buffers
import LogLevels
import PoolMemory
import PoolProtocol
import PoolScheduler

/// A coordinator without its sockets, clock, files and processes: it receives events with their time and returns effects.
///
/// It accepts batches from clients, cuts their rows into jobs, assigns these to workers as the `Scheduler` decides, and
/// delivers results in row order. A kept batch has a journal, and survives its client and the coordinator: rows are
/// acknowledged and results are delivered only when the journal has them.
public struct CoordinatorCore: ~Copyable {
  public struct Configuration: Sendable {
    /// The shortest deadline of a job in seconds, after which its worker expires.
    public var jobDeadline: UInt32 = 10
    /// The nanoseconds that a job should take.
    public var jobDuration = Scheduler.targetDuration
    /// Whether batches are kept in journals.
    public var keepsBatches = false
    /// Whether batches pause, instead of failing, while their journals cannot be written.
    public var waitsForSpool = true
    /// The limit for the bytes of journals and programs in the spool, or nil.
    public var spoolLimit: Int?
    /// The number of batches of one key that are not done, so that each holder leaves room for others. The scheduler shares workers
    /// equally between keys. Limits apply only to peers with keys, because only a key identifies its holder.
    public var batchesOfKey = 1_000
    /// The bytes of the journals of one key's batches in the spool; nil for half of the limit of the spool, if that has one.
    public var spoolBytesOfKey: Int?
    /// The nanoseconds after which a batch that is done and was not fetched is removed; nil if it never is.
    public var keepTime: UInt64?
    /// The number of worker processes of the coordinator's own.
    public var processes = 0
    /// The process of the coordinator, as its status names it.
    public var origin = PeerOrigin.unknown
    /// Programs that are present from the start and are not stored in the spool.
    public var programs: [(id: ProgramID, parts: [OwnedBytes])] = []
    /// Whether workers map the files of programs that are mapped in this process, instead of a copy; see `SharedProgram`.
    public var sharesFiles = false
    public var flowControl = FlowControl()

    public init() {}
  }

  struct State: ~Copyable {
    var scheduler: Scheduler
    var life = Life.running
    var workers: [WorkerID: WorkerConnection] = [:]
    var workersByIdentity: [PeerIdentity: WorkerConnection] = [:]
    var nextWorker: WorkerID = 1
    var distrusted = DistrustedWorkers()
    var batches: [BatchID: OpenBatch] = [:]
    var batchesByClient: [ClientConnection.ID: BatchID] = [:]
    var lastBatch: BatchID = 0
    var lastFetch: UInt64 = 0
    /// The batches in the spool whose journals cannot be used.
    var unreadable: [BatchID: UnreadableBatch] = [:]
    var paused = PausedBatches()
    /// The journal of a refused batch, while no journal can be created. Gateways submit no batch meanwhile, so only a retry by the
    /// coordinator can show that the spool can be used again.
    var failedCreation = JournalQueue<(id: BatchID, description: BatchDescription)>()
    /// The batches with results that wait to be sent with later ones.
    var unflushed: [OpenBatch] = []
    var jobs: [JobID: OpenJob] = [:]
    var programs: BatchPrograms
    /// Programs that clients are sending for batches that are not yet open.
    var uploads: [ClientConnection.ID: (submit: ClientMessage.Submit, assembly: ProgramAssembly)] = [:]
    /// Leases of columns that were transferred to clients.
    var transferred = TransferredLeases()
    var metrics = PoolMetrics()
    /// The bytes of memory of the process.
    var processMemory: UInt64 = 0
    var throughput = Throughput()
    var fleet: WorkerFleet
    /// The work list of the current event: effects of the scheduler, and the number of those that were taken from the list. It is
    /// empty between two events.
    var schedulerEffects: [SchedulerEffect] = []
    var takenSchedulerEffects = 0
    var malformedMessages = 0
    var nextTick: UInt64 = 0
    var nextPeriod: UInt64 = 0
    /// The effects of the current event.
    var effects: [CoordinatorEffect] = []
    var time = EventTime(monotonic: 0, sinceEpoch: 0)
    #if DEBUG
      var invariantChecks = InvariantChecks()
    #endif
  }

  /// The phases of a coordinator's life.
  enum Life {
    case running
    /// No new batches are accepted, and open ones are finished.
    case draining
    /// All batches are finished; clients still read columns in shared memory, at most until this time in nanoseconds.
    case lingering(until: UInt64)
    case ended
  }

  let configuration: Configuration
  let memory: any MemorySystem
  let format: LayoutFormat
  /// The time of the start in nanoseconds.
  let startedAt: UInt64
  var state: State

  /// Nanoseconds between two searches for disconnected peers, while a batch is open and while none is. These searches detect
  /// workers that a row has ended.
  private static let period: UInt64 = 60_000_000
  private static let idlePeriod: UInt64 = 240_000_000
  /// Nanoseconds after the last batch within which clients must have read columns in shared memory.
  private static let linger: UInt64 = 5_000_000_000
  /// Nanoseconds between ticks while a batch is open, and while there is none.
  private static let tick: UInt64 = 20_000_000
  private static let idleTick: UInt64 = 100_000_000

  /// - Parameters:
  ///   - time: The time of the start, with which the numbers of batches and jobs begin, so that no number is used twice.
  public init(
    _ configuration: Configuration, memory: any MemorySystem, format: LayoutFormat, startedAt time: EventTime
  ) {
    (self.configuration, self.memory, self.format) = (configuration, memory, format)
    startedAt = time.monotonic
    // Results for an earlier coordinator have no job here.
    let scheduler = Scheduler(
      jobDeadline: configuration.jobDeadline, targetDuration: configuration.jobDuration,
      firstJob: time.sinceEpoch << 20)
    state = State(
      scheduler: scheduler, programs: BatchPrograms(configuration.programs, sharesFiles: configuration.sharesFiles),
      fleet: WorkerFleet(count: configuration.processes, isAwaited: !configuration.waitsForSpool))
    state.time = time
  }

  /// Appends the effects of an event in the order in which the loop carries them out.
  public mutating func handle(
    _ event: CoordinatorEvent, at time: EventTime, into effects: inout [CoordinatorEffect]
  ) {
    swap(&state.effects, &effects)
    defer { swap(&state.effects, &effects) }
    state.time = time
    switch event {
    case .message(.worker(let message), let parts, let identity, let holder):
      receive(message, parts, from: identity, holder)
    case .message(.client(let message), let parts, let identity, let holder):
      receive(message, parts, from: identity, holder)
    case .message(.unknown, _, _, _): break
    case .malformedMessage(let identity, let holder): noteMalformedMessage(from: identity, holder)
    case .unreachable(let identity): disconnect(identity)
    case .recovered(let batches): recover(batches)
    case .journalCreated(let batch, let bytes): noteCreated(batch, bytes: bytes)
    case .appended(let batch, let ranges, let bytes): noteAppended(batch, ranges, bytes)
    case .read(let batch, let parts): noteRead(batch, parts)
    case .journalFailed(let batch, let operation, let reason, let canPass):
      noteFailure(of: operation, batch, reason, canPass: canPass)
    case .processStarted(let process, let session): state.fleet.noteStart(process, session: session, at: runningTime)
    case .processStartFailed(let reason): noteFailedStart(reason)
    case .processEnded(let process, let how): noteEnd(of: process, how)
    case .measured(let memory, let keysRefused, let connectionsClosed):
      state.processMemory = memory
      (state.metrics.keysRefused, state.metrics.connectionsClosed) = (keysRefused, connectionsClosed)
    case .tick: tick()
    case .stop(let drains): stop(drains: drains)
    }
    flushDueResults()
    endIfFinished()
    #if DEBUG
      if state.invariantChecks.isDue(jobs: state.jobs.count) { checkInvariants { preconditionFailure($0) } }
    #endif
  }

  /// The time of the event, in nanoseconds.
  var now: UInt64 { state.time.monotonic }
  /// The time for which the process has run, in nanoseconds. After a pause, what others sent meanwhile is still to be read.
  var runningTime: UInt64 { state.scheduler.now }

  mutating func emit(_ effect: CoordinatorEffect) { state.effects.append(effect) }
  mutating func emit(_ effect: JournalEffect) { state.effects.append(.journal(effect)) }
  mutating func log(_ level: LogLevel, _ message: String) { emit(.log(level, message)) }
  mutating func send(_ message: MessageToClient, _ parts: [OwnedBytes] = [], toClient identity: PeerIdentity) {
    emit(.sendToClient(message, parts, identity))
  }
  mutating func send(_ message: MessageToWorker, _ parts: [OwnedBytes] = [], toWorker identity: PeerIdentity) {
    emit(.sendToWorker(message, parts, identity))
  }

  /// The time in nanoseconds at which a tick is due, whatever else happens.
  public var nextTick: UInt64 {
    state.unflushed.reduce(state.nextTick) { min($0, $1.results.flushedAt + configuration.flowControl.flushInterval) }
  }

  // MARK: Time

  private mutating func tick() {
    state.nextTick = now + (state.batches.isEmpty ? Self.idleTick : Self.tick)
    startProcesses()
    retryJournals()
    guard now >= state.nextPeriod else { return }
    state.nextPeriod = now + (state.batches.isEmpty ? Self.idlePeriod : Self.period)
    state.throughput.sample(rows: state.metrics.rowsDone, at: now)
    ping()
    sweepSharedMemory()
    endAbsentProcesses()
    reportMissingWorkers()
    giveUpAbandonedBatches()
    removeExpiredBatches()
    act(on: .tick)
  }

  /// Sends pings. A failed send means that the peer has disconnected.
  private mutating func ping() {
    for worker in state.workers.values { send(.ping, toWorker: worker.identity) }
    let clients =
      state.batches.values.compactMap { $0.client.connection?.id.identity } + state.uploads.keys.map(\.identity)
    for identity in Set(clients) { send(.ping, toClient: identity) }
  }

  // MARK: End

  private mutating func stop(drains: Bool) {
    guard case .running = state.life else { return }
    guard drains && !configuration.keepsBatches else { return end() }
    log(.info, "finishing \(state.batches.count) batches, accepting no others")
    state.life = .draining
  }

  private mutating func endIfFinished() {
    if case .draining = state.life, state.batches.isEmpty { state.life = .lingering(until: now + Self.linger) }
    guard case .lingering(let time) = state.life else { return }
    // Clients map columns through the descriptors of this process.
    sweepSharedMemory()
    if state.transferred.count == 0 || now > time { end() }
  }

  private mutating func end() {
    // Clients of kept batches wait for the next coordinator.
    if !configuration.keepsBatches { failOpenBatches("the coordinator stops") }
    for worker in state.workers.values { send(.drain, toWorker: worker.identity) }
    state.life = .ended
    emit(.end)
  }

  // MARK: Scheduling

  /// Reports an event to the scheduler, and performs its effects in their order.
  ///
  /// Performing an effect can cause further events. Their effects are appended to the work list, and the outermost call performs
  /// them after those that are already there.
  mutating func act(on event: SchedulerEvent) {
    state.scheduler.handle(event, at: state.time, into: &state.schedulerEffects)
    guard state.takenSchedulerEffects == 0 else { return }
    while state.takenSchedulerEffects < state.schedulerEffects.count {
      let next = state.schedulerEffects[state.takenSchedulerEffects]
      state.takenSchedulerEffects += 1
      perform(next)
    }
    state.schedulerEffects.removeAll(keepingCapacity: true)
    state.takenSchedulerEffects = 0
  }

  private mutating func perform(_ effect: SchedulerEffect) {
    switch effect {
    case .send(let job, let attempt, let worker):
      let batch = state.jobs[job]?.batch
      send(job, attempt, to: worker)
      if let batch { cutMore(batch) }
    case .deliver(_, let job): deliver(job)
    case .probe(let batch, let job, let attempt, let worker): probe(batch, job, attempt, worker)
    case .failRow(_, let job, let failure): failRow(job, failure)
    case .split(let job): split(job)
    case .expire(let worker): expire(worker)
    case .forget(let job):
      // The lines of the job remain in memory until each worker that received their range has replied.
      state.jobs.removeValue(forKey: job)?.dropResult()
    case .batchDone(let batch, let rows, let cost): noteDone(batch, rows, cost)
    }
  }
}
