/// Decides which worker does which job when: a pure state machine. Events go in, actions come out; it has no socket,
/// clock, thread or random source, so that any schedule can be played through it.
///
/// A class as its workers, jobs and batches refer to each other: a copy would share them. What every event touches is
/// not checked for exclusive access at run time, which took a tenth of what a job costs the coordinator: all of it is used
/// by one thread, and nothing that is called meanwhile comes back to it.
public final class Scheduler {
  /// Times a row may be tried on workers that die of it.
  public static let maxTries = 3
  /// How long a job should take, in nanoseconds: long against the wire, short against a worker's death.
  public static let targetDuration: UInt64 = 25_000_000
  /// How much of that a job should take at least which is only as short as it is to have more workers at once.
  public static let leastShare = 0.1
  /// Jobs that a worker has at a time, so that it never waits for the wire.
  static let jobsAtHand = 2
  /// Nanoseconds of work that a worker should have at hand: of short jobs it may have more.
  static let durationAtHand = 2_500_000.0
  /// A job that takes so many times what was expected of it is over its deadline.
  public static let deadlineFactor = 40.0
  /// Bytes of a job before anything is measured, at least and at most.
  public static let initialJobBytes = 32 << 10
  public static let minJobBytes = 4 << 10
  public static let maxJobBytes = 1 << 20

  // Those below are shared by what refers to them, so that an event looks up its worker and its job, and no more.

  final class Worker {
    /// A job as it was sent.
    struct Assignment {
      let job: Job
      let attempt: UInt32
      /// Nothing is sent behind it.
      let isSuspect: Bool
    }

    let id: WorkerID
    let credit: Int
    /// What it was sent and has not answered, in that order; among it may be jobs that are over by now.
    @exclusivity(unchecked) var jobs: [Assignment] = []
    /// Since when it has the first of them, as far as ticks tell.
    @exclusivity(unchecked) var since: UInt64
    /// Loads with which it is among the `ReadyWorkers`, a bit each.
    @exclusivity(unchecked) var noted: UInt8 = 0

    init(_ id: WorkerID, credit: Int, since: UInt64) {
      (self.id, self.credit, self.since) = (id, credit, since)
      jobs.reserveCapacity(credit)
    }

    /// A job that may have ended a worker is the last that another gets before it answers: if that one ends too, it was
    /// not of a job that it began afterwards.
    var takesMore: Bool {
      jobs.count < credit && jobs.last?.isSuspect != true && (jobs.count < Scheduler.jobsAtHand || isSoonDone)
    }

    /// Whether all that it has is expected to be over in a moment; nothing is where costs are not known.
    var isSoonDone: Bool {
      jobs.reduce(0) { $0 + ($1.job.expectedDuration ?? .infinity) } < Scheduler.durationAtHand
    }
  }

  final class Job {
    enum State: Equatable {
      case queued, running, splitting, done
    }

    /// A copy of the job on a worker.
    struct Run {
      let worker: WorkerID
      let attempt: UInt32
      var isStarted = false
    }

    let id: JobID
    let batch: Batch
    let slice: JobSlice
    @exclusivity(unchecked) private(set) var state = State.queued
    /// None when it is over: it can still be among the jobs of a worker.
    @exclusivity(unchecked) var runs: [Run] = []
    /// Counts sends; an answer to one that is over is ignored.
    @exclusivity(unchecked) var attempt: UInt32 = 0
    /// Deaths of workers that were executing it.
    @exclusivity(unchecked) var deaths = 0
    /// Deaths of workers whose next job it was. Word that they had begun may have died with them.
    @exclusivity(unchecked) var suspicions = 0

    init(_ id: JobID, of batch: Batch, _ slice: JobSlice) { (self.id, self.batch, self.slice) = (id, batch, slice) }

    func enter(_ new: State) {
      if state == .running { batch.running -= 1 }
      if new == .running { batch.running += 1 }
      state = new
    }

    var isSuspect: Bool { deaths > 0 || suspicions > 0 }

    /// Nanoseconds, if anything of the batch has been measured.
    var expectedDuration: Double? { batch.cost.map { $0 * Double(slice.bytes) } }

    /// The place of what was sent to a worker.
    func run(on worker: WorkerID, _ attempt: UInt32) -> Int? {
      runs.firstIndex { $0.worker == worker && $0.attempt == attempt }
    }
  }

  final class Batch {
    let id: BatchID
    /// Its place among those with queued jobs.
    @exclusivity(unchecked) var turn: Turns.Turn
    /// Jobs to be sent, those to be tried again first.
    @exclusivity(unchecked) var queue: [JobID] = []
    @exclusivity(unchecked) var firstQueued = 0
    /// Finished jobs by their first row, waiting for those before them.
    @exclusivity(unchecked) var finished: [UInt64: JobID] = [:]
    @exclusivity(unchecked) var nextRow: UInt64 = 0
    /// Rows in all, once the last job has come.
    @exclusivity(unchecked) var rows: UInt64?
    @exclusivity(unchecked) var addedRows: UInt64 = 0
    var recoveredRows: UInt64 = 0
    @exclusivity(unchecked) var running = 0
    var retries = 0
    /// Nanoseconds a byte of work, smoothed; nil before the first result.
    @exclusivity(unchecked) var cost: Double?

    init(_ id: BatchID, turn: Turns.Turn, cost: Double?) { (self.id, self.turn, self.cost) = (id, turn, cost) }

    var queued: Int { queue.count - firstQueued }
  }

  @exclusivity(unchecked) var workers: [WorkerID: Worker] = [:]
  @exclusivity(unchecked) var jobs: [JobID: Job] = [:]
  @exclusivity(unchecked) var batches: [BatchID: Batch] = [:]
  @exclusivity(unchecked) var turns = Turns()
  @exclusivity(unchecked) var nextTurn: UInt64 = 0
  @exclusivity(unchecked) var readyWorkers = ReadyWorkers()
  @exclusivity(unchecked) var stragglers = Stragglers()
  @exclusivity(unchecked) var nextJob: JobID
  @exclusivity(unchecked) var actions: [SchedulerAction] = []

  /// The shortest deadline of a job, in nanoseconds.
  private let patience: UInt64
  /// How long a job should take, in nanoseconds.
  let targetDuration: UInt64
  /// Time as far as ticks tell, which is none at first.
  @exclusivity(unchecked) var now: UInt64 = 0
  var lastTick: UInt64?
  /// A tick that comes later than this after the last, in nanoseconds, counts as if it came then: a coordinator that
  /// was itself stopped for a while holds that against nobody.
  static let longestStep: UInt64 = 1_000_000_000

  /// - Parameters:
  ///   - patience: seconds that a job may take, whatever is expected of it.
  ///   - targetDuration: nanoseconds that a job should take.
  ///   - firstJob: number of the first job.
  public init(patience: UInt32 = 10, targetDuration: UInt64 = Scheduler.targetDuration, firstJob: JobID = 1) {
    self.patience = UInt64(patience) * 1_000_000_000
    self.targetDuration = targetDuration
    nextJob = firstJob
  }

  public func handle(_ event: SchedulerEvent) -> [SchedulerAction] {
    actions.removeAll(keepingCapacity: true)
    switch event {
    case .workerJoined(let worker, let credit):
      let worker = Worker(worker, credit: max(credit, 1), since: now)
      workers[worker.id] = worker
      readyWorkers.note(worker)
    case .workerLeft(let worker, let inGoodOrder): removeWorker(worker, inGoodOrder: inGoodOrder)
    case .batchOpened(let batch, let priority, let cost):
      batches[batch] = Batch(batch, turn: takeTurn(batch, priority), cost: cost)
    case .jobsAdded(let batch, let slices, let isDone, let isLast): addJobs(batch, slices, isDone, isLast: isLast)
    case .jobStarted(let worker, let job, let attempt): noteStart(worker, job, attempt)
    case .jobDone(let worker, let job, let attempt, let duration):
      finish(worker, job, attempt, duration)
    case .jobReturned(let worker, let job, let attempt): takeBack(worker, job, attempt)
    case .jobSplit(let job, let first, let second): replace(job, first, second)
    case .batchCancelled(let batch): removeBatch(batch)
    case .tick(let time):
      stragglers.mayBeMore = true
      expireWorkers(at: time)
    }
    assign()
    copyStragglers()
    return actions
  }

  /// The job that the next slice added will be: the coordinator files its bytes under it.
  public var nextJobID: JobID { nextJob }

  /// Bytes of a job of this batch that should take the target time; or less, where each idle worker gets some of the
  /// bytes at hand then.
  public func jobBytes(of batch: BatchID, outOf bytes: Int) -> Int {
    guard let cost = batches[batch]?.cost, cost > 0 else { return Self.initialJobBytes }
    let target = Double(targetDuration) / cost
    let idle = max(workers.values.reduce(0) { $0 + ($1.jobs.isEmpty ? 1 : 0) }, 1)
    let share = max(Double(bytes) / Double(idle), target * Self.leastShare)
    return Int(min(max(min(target, share), Double(Self.minJobBytes)), Double(Self.maxJobBytes)))
  }

  /// Whether an answer is to something that is still asked.
  public func isCurrent(_ worker: WorkerID, _ job: JobID, attempt: UInt32) -> Bool {
    jobs[job]?.run(on: worker, attempt) != nil
  }

  /// Whether it waits for the two halves of a job.
  func isSplitting(_ job: JobID) -> Bool { jobs[job]?.state == .splitting }

  /// How long a job may take, in nanoseconds.
  public func deadline(of job: JobID) -> UInt64 { jobs[job].map { deadline(of: $0) } ?? patience }

  func deadline(of job: Job) -> UInt64 {
    max(patience, UInt64(min((job.expectedDuration ?? 0) * Self.deadlineFactor, 1e18)))
  }

  /// Whether it knows of no batch and no job.
  var isEmpty: Bool { batches.isEmpty && jobs.isEmpty && turns.isEmpty }
}
