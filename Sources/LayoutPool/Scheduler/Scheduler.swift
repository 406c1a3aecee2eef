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
    /// What it was sent and has not answered, in that order; among it may be jobs that are over by now.
    var jobs: [JobID] = []
    /// Since when it has the first of them, as far as ticks tell.
    var since: UInt64
  }

  struct Job {
    enum State: Equatable {
      case queued, running, splitting, done
    }

    /// A copy of the job on a worker.
    struct Run {
      let worker: WorkerID
      let attempt: UInt32
      var isStarted = false
    }

    let batch: BatchID
    var slice: JobSlice
    var state = State.queued
    var runs: [Run] = []
    /// Counts sends; an answer to one that is over is ignored.
    var attempt: UInt32 = 0
    /// Deaths of workers that were executing it.
    var deaths = 0
    /// Deaths of workers whose next job it was. Word that they had begun may have died with them.
    var suspicions = 0
  }

  struct Batch {
    let priority: Int32
    /// Jobs to be sent, those to be tried again first.
    var queue: [JobID] = []
    var firstQueued = 0
    /// Finished jobs by their first row, waiting for those before them.
    var finished: [UInt64: JobID] = [:]
    var nextRow: UInt64 = 0
    /// Rows in all, once the last job has come.
    var rows: UInt64?
    var addedRows: UInt64 = 0
    var recoveredRows: UInt64 = 0
    var running = 0
    var retries = 0
    /// Nanoseconds a byte of work, smoothed; nil before the first result.
    var cost: Double?

    var queued: Int { queue.count - firstQueued }
  }

  private(set) var workers: [WorkerID: Worker] = [:]
  private(set) var jobs: [JobID: Job] = [:]
  private(set) var batches: [BatchID: Batch] = [:]
  /// Batches in turn, those of a higher priority before the others.
  private var turns: [BatchID] = []
  private var readyWorkers = ReadyWorkers()
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
    var mayHaveStragglers = false
    switch event {
    case .workerJoined(let worker, let credit):
      workers[worker] = Worker(credit: max(credit, 1), since: now)
      readyWorkers.note(worker, load: 0)
    case .workerLeft(let worker): removeWorker(worker)
    case .batchOpened(let batch, let priority):
      batches[batch] = Batch(priority: priority)
      takeTurn(batch, priority)
    case .jobsAdded(let batch, let slices, let isLast): addJobs(batch, slices, isLast: isLast) { _ in false }
    case .jobsRecovered(let batch, let slices, let isDone, let isLast):
      addJobs(batch, slices, isLast: isLast) { isDone[$0] }
    case .jobStarted(let worker, let job, let attempt): noteStart(worker, job, attempt)
    case .jobDone(let worker, let job, let attempt, let duration):
      finish(worker, job, attempt, duration)
      mayHaveStragglers = true
    case .jobReturned(let worker, let job, let attempt): takeBack(worker, job, attempt)
    case .jobSplit(let job, let first, let second): replace(job, first, second)
    case .batchCancelled(let batch): removeBatch(batch)
    case .tick(let time):
      expireWorkers(at: time)
      mayHaveStragglers = true
    }
    assign()
    if mayHaveStragglers { copyStragglers() }
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

  /// Whether an answer is to something that is still asked.
  public func isCurrent(_ worker: WorkerID, _ job: JobID, attempt: UInt32) -> Bool {
    jobs[job]?.runs.contains { $0.worker == worker && $0.attempt == attempt } ?? false
  }

  /// How long a job may take, in nanoseconds.
  public func deadline(of job: JobID) -> UInt64 {
    guard let known = jobs[job], let cost = batches[known.batch]?.cost else { return patience }
    return max(patience, UInt64(min(cost * Double(known.slice.bytes) * Self.deadlineFactor, 1e18)))
  }

  public func slice(of job: JobID) -> JobSlice? { jobs[job]?.slice }
  public func batch(of job: JobID) -> BatchID? { jobs[job]?.batch }

  // MARK: Batches

  private mutating func addJobs(_ batch: BatchID, _ slices: [JobSlice], isLast: Bool, isDone: (Int) -> Bool) {
    guard batches[batch] != nil else { return }
    for (place, slice) in slices.enumerated() {
      jobs[nextJob] = Job(batch: batch, slice: slice, state: isDone(place) ? .done : .queued)
      if isDone(place) {
        batches[batch]?.recoveredRows += UInt64(slice.rows)
        batches[batch]?.finished[slice.firstRow] = nextJob
      } else {
        batches[batch]?.queue.append(nextJob)
      }
      batches[batch]?.addedRows += UInt64(slice.rows)
      nextJob += 1
    }
    if isLast, let added = batches[batch]?.addedRows { batches[batch]?.rows = added }
    deliver(batch)
  }

  /// Its jobs that are on workers occupy them until they are answered.
  private mutating func removeBatch(_ batch: BatchID) {
    guard batches.removeValue(forKey: batch) != nil else { return }
    turns.removeAll { $0 == batch }
    for (job, known) in jobs where known.batch == batch {
      jobs.removeValue(forKey: job)
      actions.append(.forget(job))
    }
  }

  /// Hands on finished jobs in row order, and ends the batch after the last.
  private mutating func deliver(_ id: BatchID) {
    while let next = batches[id]?.nextRow, let job = batches[id]?.finished.removeValue(forKey: next) {
      let rows = UInt64(jobs.removeValue(forKey: job)?.slice.rows ?? 0)
      batches[id]?.nextRow = next + rows
      actions.append(.deliver(id, job))
      actions.append(.forget(job))
    }
    if let batch = batches[id], batch.rows == batch.nextRow {
      actions.append(.batchDone(id, rows: batch.nextRow))
      batches.removeValue(forKey: id)
      turns.removeAll { $0 == id }
    }
  }

  // MARK: Answers

  private mutating func noteStart(_ worker: WorkerID, _ job: JobID, _ attempt: UInt32) {
    guard let run = jobs[job]?.runs.firstIndex(where: { $0.worker == worker && $0.attempt == attempt }) else { return }
    jobs[job]?.runs[run].isStarted = true
  }

  private mutating func finish(_ worker: WorkerID, _ job: JobID, _ attempt: UInt32, _ duration: UInt64) {
    let isCurrent = isCurrent(worker, job, attempt: attempt)
    release(job, attempt, from: worker)
    guard isCurrent, let known = jobs[job] else { return }
    // What another worker still does of it comes too late.
    jobs[job]?.runs.removeAll()
    setState(.done, of: job)
    learn(known, duration)
    batches[known.batch]?.finished[known.slice.firstRow] = job
    deliver(known.batch)
  }

  private mutating func takeBack(_ worker: WorkerID, _ job: JobID, _ attempt: UInt32) {
    let isCurrent = isCurrent(worker, job, attempt: attempt)
    release(job, attempt, from: worker)
    guard isCurrent else { return }
    jobs[job]?.runs.removeAll { $0.worker == worker }
    if jobs[job]?.runs.isEmpty == true { requeue([job]) }
  }

  private mutating func setState(_ state: Job.State, of job: JobID) {
    guard let known = jobs[job], known.state != state else { return }
    if known.state == .running { batches[known.batch]?.running -= 1 }
    if state == .running { batches[known.batch]?.running += 1 }
    jobs[job]?.state = state
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

  /// A worker begins the next of its jobs when one is over. Word of another attempt than its own is of nothing it has.
  private mutating func release(_ job: JobID, _ attempt: UInt32, from worker: WorkerID) {
    if let run = jobs[job]?.runs.first(where: { $0.worker == worker }), run.attempt != attempt { return }
    guard var known = workers[worker], let place = known.jobs.firstIndex(of: job) else { return }
    known.jobs.remove(at: place)
    if place == 0 { known.since = now }
    workers[worker] = known
    readyWorkers.note(worker, load: known.jobs.count)
  }

  /// Its jobs go to others at once. Only a job that it was executing can be to blame for its end.
  private mutating func removeWorker(_ id: WorkerID) {
    guard let worker = workers.removeValue(forKey: id) else { return }
    readyWorkers.forget(id)
    var again: [JobID] = []
    for (place, job) in worker.jobs.enumerated() {
      guard let known = jobs[job], let run = known.runs.first(where: { $0.worker == id }) else { continue }
      jobs[job]?.runs.removeAll { $0.worker == id }
      // Where a copy of it goes on, that one decides.
      guard known.runs.count == 1 else { continue }
      batches[known.batch]?.retries += 1
      if place == 0 && !run.isStarted { jobs[job]?.suspicions += 1 }
      if run.isStarted || jobs[job]?.suspicions == Self.maxTries {
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
      setState(.splitting, of: job)
      actions.append(.split(job))
    } else if known.deaths < Self.maxTries {
      again.append(job)
    } else {
      setState(.done, of: job)
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
      setState(.queued, of: job)
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
    while let batch = nextBatch(), let worker = leastBusyWorker(), let job = takeJob(of: batch) {
      takeTurn(batch)
      send(job, to: worker)
    }
  }

  private mutating func send(_ job: JobID, to worker: WorkerID) {
    setState(.running, of: job)
    let attempt = (jobs[job]?.attempt ?? 0) + 1
    jobs[job]?.attempt = attempt
    jobs[job]?.runs.append(Job.Run(worker: worker, attempt: attempt))
    if workers[worker]?.jobs.isEmpty == true { workers[worker]?.since = now }
    workers[worker]?.jobs.append(job)
    readyWorkers.note(worker, load: workers[worker]?.jobs.count ?? 0)
    actions.append(.send(job, attempt: attempt, to: worker))
  }

  private mutating func leastBusyWorker() -> WorkerID? {
    readyWorkers.take { [workers] worker, load in
      guard let known = workers[worker] else { return false }
      return known.jobs.count == load && load < known.credit
    }
  }

  private func nextBatch() -> BatchID? { turns.first { (batches[$0]?.queued ?? 0) > 0 } }

  /// Puts a batch behind those of its priority.
  private mutating func takeTurn(_ batch: BatchID, _ priority: Int32? = nil) {
    guard let priority = priority ?? batches[batch]?.priority else { return }
    turns.removeAll { $0 == batch }
    let place = turns.firstIndex { (batches[$0]?.priority ?? 0) < priority } ?? turns.endIndex
    turns.insert(batch, at: place)
  }

  // MARK: The tail

  /// At the end of a batch, idle workers do over again what others have not come to yet or take long for; the first
  /// answer counts.
  private mutating func copyStragglers() {
    guard nextBatch() == nil else { return }
    while let idle = readyWorkers.first(load: 0, where: { workers[$0]?.jobs.isEmpty == true }),
      let job = straggler(for: idle)
    {
      send(job, to: idle)
    }
  }

  /// A job that waits behind another on its worker, or that has been running for long.
  private func straggler(for idle: WorkerID) -> JobID? {
    var found: JobID?
    for (id, worker) in workers where id != idle {
      for (place, job) in worker.jobs.enumerated() {
        guard let known = jobs[job], known.state == .running, known.runs.count == 1,
          batches[known.batch]?.rows != nil
        else { continue }
        let isLate = now - worker.since > max(Self.targetDuration * 8, expectedDuration(of: known) * 4)
        // The oldest, so that the choice does not depend on the order of a dictionary.
        if (place > 0 || isLate) && job < found ?? .max { found = job }
      }
    }
    return found
  }

  /// Nanoseconds.
  private func expectedDuration(of job: Job) -> UInt64 {
    UInt64(min((batches[job.batch]?.cost ?? 0) * Double(job.slice.bytes), 1e18))
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
