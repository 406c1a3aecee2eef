import PoolProtocol

/// Decides which worker executes which job when: a pure state machine. It receives events and appends effects. It has no
/// socket, clock, thread or random source, so that any schedule can be simulated.
public struct Scheduler: ~Copyable {
  /// The number of workers that a row may end before it becomes a bad row.
  public static let maxTries = 3
  /// The number of refused results of a job after which it is split, or its row becomes a bad row.
  public static let maxRefusals = 24
  /// The target duration of a job in nanoseconds: much longer than its transport, and short enough to be repeated after the end
  /// of a worker.
  public static let targetDuration: UInt64 = 25_000_000
  /// The smallest share of that duration to which jobs are shortened to occupy more workers.
  public static let leastShare = 0.1
  /// The number of jobs that a worker has at a time, so that it never waits for the transport.
  package static let jobsAtHand = 2
  /// The nanoseconds of work up to which a worker receives further short jobs.
  static let durationAtHand = 2_500_000.0
  /// The factor of its expected duration after which a job exceeds its deadline.
  public static let deadlineFactor = 40.0
  /// The longest deadline as a multiple of the shortest one.
  static let longestDeadline = 6.0
  /// The target for the largest columns of a job in bytes, which a slow connection carries within a minute.
  static let columnBytes = 4.0 * 1024 * 1024
  /// The bytes of a job before the first measurement.
  public static let initialJobBytes = 32 << 10
  public static let minJobBytes = 4 << 10
  public static let maxJobBytes = 1 << 20
  /// A job is late when it takes this factor of its expected duration, and at least this number of nanoseconds.
  static let lateFactor = 3.0
  static let leastLateness = 300_000_000.0

  struct State {
    var workers: [WorkerID: Worker] = [:]
    var jobs: [JobID: Job] = [:]
    var batches: [BatchID: Batch] = [:]
    var queue = FairQueue()
    var nextTicket: UInt64 = 0
    var readyWorkers = ReadyWorkers()
    var stragglers = Stragglers()
    /// The late jobs to copy, the last one first. An entry can be outdated; the function that takes one checks it.
    var lateJobs: [Job] = []
    /// The numbers of retries and of copies of late jobs, including those of batches that have ended.
    var retries: UInt64 = 0
    var copies: UInt64 = 0
    var nextJob: JobID
    /// The effects of the current event.
    var effects: [SchedulerEffect] = []
    /// The time without pauses, so that a coordinator that was itself stopped expires no workers.
    var time = RunningTime()
    #if DEBUG
      var invariantChecks = InvariantChecks()
    #endif

    /// The time of the current event in nanoseconds.
    var now: UInt64 { time.nanoseconds }
  }

  var state: State
  /// The shortest deadline of a job, in nanoseconds.
  let leastDeadline: UInt64
  /// The target duration of a job in nanoseconds.
  let targetDuration: UInt64

  /// - Parameters:
  ///   - jobDeadline: The shortest deadline of a job in seconds.
  ///   - targetDuration: The target duration of a job in nanoseconds.
  ///   - firstJob: The number of the first job.
  public init(jobDeadline: UInt32 = 10, targetDuration: UInt64 = Scheduler.targetDuration, firstJob: JobID = 1) {
    leastDeadline = UInt64(jobDeadline) * 1_000_000_000
    self.targetDuration = targetDuration
    state = State(nextJob: firstJob)
  }

  /// Appends the effects of an event in the order in which the coordinator carries them out.
  public mutating func handle(_ event: SchedulerEvent, at time: EventTime, into effects: inout [SchedulerEffect]) {
    swap(&state.effects, &effects)
    defer { swap(&state.effects, &effects) }
    state.time.advance(to: time)
    switch event {
    case .workerJoined(let worker, let credit):
      let worker = Worker(worker, credit: min(max(credit, 1), ProtocolLimits.jobsOfWorker), since: state.now)
      state.workers[worker.id] = worker
      state.readyWorkers.insert(worker)
    case .workerLeft(let worker, let inGoodOrder): removeWorker(worker, inGoodOrder: inGoodOrder)
    case .batchOpened(let batch, let priority, let cost, let owner):
      let ticket = newTicket(batch, state.queue.owner(owner, priority: priority))
      state.batches[batch] = Batch(batch, ticket: ticket, cost: cost)
    case .jobsAdded(let batch, let slices, let isDone, let isLast): addJobs(batch, slices, isDone, isLast: isLast)
    case .jobStarted(let worker, let job, let attempt): noteStart(worker, job, attempt)
    case .workerWaits(let worker): noteWaiting(worker)
    case .jobDone(let worker, let job, let attempt, let duration, let columnBytes):
      finish(worker, job, attempt, duration: duration, columnBytes: columnBytes)
    case .jobReturned(let worker, let job, let attempt): takeBack(worker, job, attempt)
    case .resultRefused(let worker, let job, let attempt): refuseResult(of: job, worker, attempt)
    case .jobTooLarge(let worker, let job, let attempt): splitLargeJob(worker, job, attempt)
    case .jobSplit(let job, let slices): replace(job, by: slices)
    case .batchCancelled(let batch): removeBatch(batch)
    case .tick:
      state.stragglers.mayBeMore = true
      expireWorkers()
      findLateJobs()
    }
    copyLateJobs()
    assign()
    copyStragglers()
    #if DEBUG
      if state.invariantChecks.isDue(jobs: state.jobs.count) { checkInvariants { preconditionFailure($0) } }
    #endif
  }

  /// The number of the next job, under which the coordinator stores the job's lines.
  public var nextJobID: JobID { state.nextJob }

  /// Returns the bytes with which a job of this batch takes the target duration, or fewer bytes if that gives each idle worker
  /// a part of the available ones.
  public func jobBytes(of batch: BatchID, outOf bytes: Int) -> Int {
    guard let state = state.batches[batch]?.state, let cost = state.cost, cost > 0 else { return Self.initialJobBytes }
    let target = min(Double(targetDuration) / cost, Self.columnBytes / max(state.growth, 1))
    let idle = max(self.state.workers.values.reduce(0) { $0 + ($1.state.jobs.isEmpty ? 1 : 0) }, 1)
    let share = max(Double(bytes) / Double(idle), target * Self.leastShare)
    return Int(min(max(min(target, share), Double(Self.minJobBytes)), Double(Self.maxJobBytes)))
  }

  /// Whether a reply belongs to the current attempt at a job.
  public func isCurrent(_ worker: WorkerID, _ job: JobID, attempt: UInt32) -> Bool {
    state.jobs[job]?.run(on: worker, attempt) != nil
  }

  /// Whether the scheduler waits for the parts of a job.
  package func isSplitting(_ job: JobID) -> Bool { state.jobs[job]?.state.phase == .splitting }

  package func worker(_ id: WorkerID) -> Worker? { state.workers[id] }
  package func batch(_ id: BatchID) -> Batch? { state.batches[id] }
  package var jobIDs: some Sequence<JobID> { state.jobs.keys }
  package var workers: [WorkerID: Worker] { state.workers }
  /// The number of times that a job was queued again because its worker was lost.
  package var retries: UInt64 { state.retries }
  /// The time without the coordinator's pauses in nanoseconds, which events advance from zero.
  package var now: UInt64 { state.now }
  /// The number of copies of late jobs that were sent.
  package var copies: UInt64 { state.copies }
  package var batches: [BatchID: Batch] { state.batches }

  /// Whether the scheduler has no batch and no job.
  package var isEmpty: Bool { state.batches.isEmpty && state.jobs.isEmpty && state.queue.isEmpty }
}
