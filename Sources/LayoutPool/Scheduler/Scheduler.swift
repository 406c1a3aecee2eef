/// Decides which worker does which job when: a pure state machine. Events go in, actions come out; it has no socket,
/// clock, thread or random source, so that any schedule can be played through it.
public struct Scheduler {
  /// Times a row may be tried on workers that die of it.
  public static let maxTries = 3
  /// How long a job should take, in nanoseconds: long against the wire, short against a worker's death.
  public static let targetDuration: UInt64 = 25_000_000
  /// A job that takes so many times what was expected of it is over its deadline.
  public static let deadlineFactor = 40.0
  /// Bytes of a job before anything is measured, at least and at most.
  public static let initialJobBytes = 32 << 10
  public static let minJobBytes = 4 << 10
  public static let maxJobBytes = 512 << 10

  struct Worker {
    var credit: Int
    var jobs: [JobID] = []
    /// Since when it has the first of them, as far as ticks tell.
    var since: UInt64
  }

  struct Job {
    enum State: Equatable {
      case queued
      case running(WorkerID, started: Bool)
      case splitting
      case done
    }

    let batch: BatchID
    var slice: JobSlice
    var state = State.queued
    /// Counts sends; an answer to an earlier one is ignored.
    var attempt: UInt32 = 0
    /// Deaths of workers that were executing it.
    var deaths = 0
    /// Deaths of workers whose next job it was. Word that they had begun may have died with them.
    var suspicions = 0
  }

  struct Batch {
    /// Jobs to be sent, those to be tried again first.
    var queue: [JobID] = []
    var firstQueued = 0
    /// Finished jobs by their first row, waiting for those before them.
    var finished: [UInt64: JobID] = [:]
    var nextRow: UInt64 = 0
    /// Rows in all, once the last job has come.
    var rows: UInt64?
    var addedRows: UInt64 = 0
    var retries = 0
    /// Nanoseconds a byte of work, smoothed; nil before the first result.
    var cost: Double?

    var hasQueued: Bool { firstQueued < queue.count }
  }

  private(set) var workers: [WorkerID: Worker] = [:]
  private(set) var jobs: [JobID: Job] = [:]
  private(set) var batches: [BatchID: Batch] = [:]
  /// Batches in turn.
  private var turns: [BatchID] = []
  private var nextJob: JobID = 1
  private var actions: [SchedulerAction] = []

  /// The shortest deadline of a job, in nanoseconds.
  private let patience: UInt64
  /// Time as far as ticks tell, which is none at first.
  private var now: UInt64 = 0
  private var lastTick: UInt64?
  /// A tick that comes later than this after the last, in nanoseconds, counts as if it came then: a coordinator that
  /// was itself stopped for a while holds that against nobody.
  private static let longestStep: UInt64 = 1_000_000_000

  /// - Parameter patience: seconds that a job may take, whatever is expected of it.
  public init(patience: UInt32 = 10) { self.patience = UInt64(patience) * 1_000_000_000 }

  public mutating func handle(_ event: SchedulerEvent) -> [SchedulerAction] {
    actions.removeAll(keepingCapacity: true)
    switch event {
    case .workerJoined(let worker, let credit): workers[worker] = Worker(credit: max(credit, 1), since: now)
    case .workerLeft(let worker): removeWorker(worker)
    case .batchOpened(let batch):
      batches[batch] = Batch()
      turns.append(batch)
    case .jobsAdded(let batch, let slices, let isLast): addJobs(batch, slices, isLast: isLast)
    case .jobStarted(let worker, let job, let attempt): noteStart(worker, job, attempt)
    case .jobDone(let worker, let job, let attempt, let duration): finish(worker, job, attempt, duration)
    case .jobReturned(let worker, let job, let attempt): takeBack(worker, job, attempt)
    case .jobSplit(let job, let first, let second): replace(job, first, second)
    case .batchCancelled(let batch): removeBatch(batch)
    case .tick(let time): expireWorkers(at: time)
    }
    assign()
    return actions
  }

  /// The job that the next slice added will be: the coordinator files its bytes under it.
  public var nextJobID: JobID { nextJob }

  /// Bytes of a job of this batch that should take the target time.
  public func jobBytes(of batch: BatchID) -> Int {
    guard let cost = batches[batch]?.cost, cost > 0 else { return Self.initialJobBytes }
    let bytes = Double(Self.targetDuration) / cost
    return Int(min(max(bytes, Double(Self.minJobBytes)), Double(Self.maxJobBytes)))
  }

  /// Whether an answer is to what was last asked.
  public func isCurrent(_ worker: WorkerID, _ job: JobID, attempt: UInt32) -> Bool {
    guard let known = jobs[job], case .running(worker, _) = known.state else { return false }
    return known.attempt == attempt
  }

  /// How long a job may take, in nanoseconds.
  public func deadline(of job: JobID) -> UInt64 {
    guard let known = jobs[job], let cost = batches[known.batch]?.cost else { return patience }
    return max(patience, UInt64(min(cost * Double(known.slice.bytes) * Self.deadlineFactor, 1e18)))
  }

  public func slice(of job: JobID) -> JobSlice? { jobs[job]?.slice }
  public func batch(of job: JobID) -> BatchID? { jobs[job]?.batch }

  // MARK: Batches

  private mutating func addJobs(_ batch: BatchID, _ slices: [JobSlice], isLast: Bool) {
    guard batches[batch] != nil else { return }
    for slice in slices {
      jobs[nextJob] = Job(batch: batch, slice: slice)
      batches[batch]?.queue.append(nextJob)
      batches[batch]?.addedRows += UInt64(slice.rows)
      nextJob += 1
    }
    if isLast, let added = batches[batch]?.addedRows { batches[batch]?.rows = added }
    deliver(batch)
  }

  private mutating func removeBatch(_ batch: BatchID) {
    guard batches.removeValue(forKey: batch) != nil else { return }
    turns.removeAll { $0 == batch }
    for (job, known) in jobs where known.batch == batch { forget(job) }
  }

  private mutating func forget(_ job: JobID) {
    if case .running(let worker, _) = jobs[job]?.state { takeJob(job, from: worker) }
    jobs.removeValue(forKey: job)
    actions.append(.forget(job))
  }

  /// Hands on finished jobs in row order, and ends the batch after the last.
  private mutating func deliver(_ id: BatchID) {
    guard var batch = batches[id] else { return }
    while let job = batch.finished.removeValue(forKey: batch.nextRow) {
      batch.nextRow += UInt64(jobs[job]?.slice.rows ?? 0)
      actions.append(.deliver(id, job))
      jobs.removeValue(forKey: job)
      actions.append(.forget(job))
    }
    batches[id] = batch
    if batch.rows == batch.nextRow {
      actions.append(.batchDone(id, rows: batch.nextRow))
      batches.removeValue(forKey: id)
      turns.removeAll { $0 == id }
    }
  }

  // MARK: Answers

  private mutating func noteStart(_ worker: WorkerID, _ job: JobID, _ attempt: UInt32) {
    guard isCurrent(worker, job, attempt: attempt) else { return }
    jobs[job]?.state = .running(worker, started: true)
  }

  private mutating func finish(_ worker: WorkerID, _ job: JobID, _ attempt: UInt32, _ duration: UInt64) {
    guard isCurrent(worker, job, attempt: attempt), let known = jobs[job] else { return }
    takeJob(job, from: worker)
    jobs[job]?.state = .done
    learn(known, duration)
    batches[known.batch]?.finished[known.slice.firstRow] = job
    deliver(known.batch)
  }

  private mutating func takeBack(_ worker: WorkerID, _ job: JobID, _ attempt: UInt32) {
    guard isCurrent(worker, job, attempt: attempt) else { return }
    takeJob(job, from: worker)
    requeue([job])
  }

  private mutating func learn(_ job: Job, _ duration: UInt64) {
    guard job.slice.bytes > 0 else { return }
    let cost = Double(duration) / Double(job.slice.bytes)
    let known = batches[job.batch]?.cost
    batches[job.batch]?.cost = known.map { $0 * 0.7 + cost * 0.3 } ?? cost
  }

  // MARK: Faults

  /// A worker that is stopped, cut off or caught in a row that never ends.
  private mutating func expireWorkers(at time: UInt64) {
    if let lastTick, time > lastTick { now += min(time - lastTick, Self.longestStep) }
    lastTick = max(time, lastTick ?? 0)
    for (id, worker) in workers.sorted(by: { $0.key < $1.key }) {
      // A worker ends itself at the deadline if it can; it gets half as much again.
      guard let job = worker.jobs.first, now - worker.since > deadline(of: job) / 2 * 3 else { continue }
      actions.append(.expire(id))
      removeWorker(id)
    }
  }

  /// A worker begins the next of its jobs when one is over.
  private mutating func takeJob(_ job: JobID, from worker: WorkerID) {
    guard let first = workers[worker]?.jobs.first else { return }
    workers[worker]?.jobs.removeAll { $0 == job }
    if first == job { workers[worker]?.since = now }
  }

  /// Its jobs go to others at once. Only a job that it was executing can be to blame for its end.
  private mutating func removeWorker(_ id: WorkerID) {
    guard let worker = workers.removeValue(forKey: id) else { return }
    var again: [JobID] = []
    for (place, job) in worker.jobs.enumerated() {
      guard let known = jobs[job], case .running(_, let started) = known.state else { continue }
      batches[known.batch]?.retries += 1
      if place == 0 && !started { jobs[job]?.suspicions += 1 }
      if started || jobs[job]?.suspicions == Self.maxTries {
        jobs[job]?.suspicions = 0
        blame(job, &again)
      } else {
        again.append(job)
      }
    }
    requeue(again)
  }

  /// A job of several rows is halved until the row that kills is alone; that one is tried a few times more.
  private mutating func blame(_ job: JobID, _ again: inout [JobID]) {
    jobs[job]?.deaths += 1
    guard let known = jobs[job] else { return }
    if known.slice.rows > 1 {
      jobs[job]?.state = .splitting
      actions.append(.split(job))
    } else if known.deaths < Self.maxTries {
      again.append(job)
    } else {
      jobs[job]?.state = .done
      actions.append(.failRow(known.batch, job))
      batches[known.batch]?.finished[known.slice.firstRow] = job
      deliver(known.batch)
    }
  }

  private mutating func replace(_ job: JobID, _ first: JobSlice, _ second: JobSlice) {
    guard let known = jobs[job], known.state == .splitting else { return }
    var halves: [JobID] = []
    for slice in [first, second] {
      jobs[nextJob] = Job(batch: known.batch, slice: slice)
      halves.append(nextJob)
      nextJob += 1
    }
    jobs.removeValue(forKey: job)
    actions.append(.forget(job))
    requeue(halves)
  }

  /// Puts jobs at the head of their batch's queue: what others wait for comes first.
  private mutating func requeue(_ again: [JobID]) {
    for job in again.reversed() {
      guard let batch = jobs[job]?.batch else { continue }
      jobs[job]?.state = .queued
      if let first = batches[batch]?.firstQueued, first > 0 {
        batches[batch]?.firstQueued -= 1
        batches[batch]?.queue[first - 1] = job
      } else {
        batches[batch]?.queue.insert(job, at: 0)
      }
    }
  }

  // MARK: Assignment

  /// Gives queued jobs to workers with credit, the least busy first, batches in turn.
  private mutating func assign() {
    while let worker = leastBusyWorker(), let batch = nextBatch(), let job = takeJob(of: batch) {
      jobs[job]?.attempt += 1
      jobs[job]?.state = .running(worker, started: false)
      if workers[worker]?.jobs.isEmpty == true { workers[worker]?.since = now }
      workers[worker]?.jobs.append(job)
      actions.append(.send(job, attempt: jobs[job]?.attempt ?? 0, to: worker))
    }
  }

  private func leastBusyWorker() -> WorkerID? {
    workers.filter { $0.value.jobs.count < $0.value.credit }
      .min { ($0.value.jobs.count, $0.key) < ($1.value.jobs.count, $1.key) }?.key
  }

  private mutating func nextBatch() -> BatchID? {
    guard let place = turns.firstIndex(where: { batches[$0]?.hasQueued == true }) else { return nil }
    let batch = turns.remove(at: place)
    turns.append(batch)
    return batch
  }

  private mutating func takeJob(of batch: BatchID) -> JobID? {
    guard let first = batches[batch]?.firstQueued, let job = batches[batch]?.queue[first] else { return nil }
    batches[batch]?.firstQueued += 1
    // Give the room of what is taken back now and then, at a constant cost a job.
    if first + 1 > 1024 && (first + 1) * 2 > (batches[batch]?.queue.count ?? 0) {
      batches[batch]?.queue.removeFirst(first + 1)
      batches[batch]?.firstQueued = 0
    }
    return job
  }
}
