import Buffers
import PoolProtocol
import PoolScheduler

/// A model of a pool in virtual time with the real scheduler. The time of scheduler calls is measured, and all other
/// costs are assumed.
///
/// The coordinator handles messages one after another. Clients have enough open batches for every worker to have two
/// jobs and a third one in transit. A completed batch is replaced by another one.
struct PoolModel: ~Copyable {
  /// The assumed costs.
  struct Costs {
    /// The time in nanoseconds in which the coordinator receives or sends a message.
    var message: UInt64 = 5_000
    /// The bytes per nanosecond that the coordinator receives or sends.
    var throughput = 1.4
    /// The time in nanoseconds between the sending and the arrival of a message.
    var network: UInt64 = 50_000
    /// The time in nanoseconds in which a worker lays out a row.
    var row: UInt64
    /// The size of a row in bytes, as in the demo.
    var rowBytes = 422
    /// The size of the records of a row in bytes, as in the demo.
    var recordBytes = 426
  }

  /// The results of a run.
  struct Figures {
    /// The fraction of the time in which workers are busy.
    var workersBusy = 0.0
    /// The fraction of the time in which the coordinator is busy.
    var coordinatorBusy = 0.0
    var rowsPerSecond = 0.0
    /// The processor time of the scheduler in nanoseconds.
    var schedulerPerEvent = 0.0
    /// The number of workers that expired although none had failed.
    var expired = 0
  }

  private enum Event {
    case atCoordinator(SchedulerEvent)
    case atWorker(Int, JobID, attempt: UInt32)
    case jobEnds(Int)
    case tick
  }

  private struct Worker {
    var id: WorkerID
    var jobs: [(job: JobID, attempt: UInt32)] = []
    var begin: UInt64 = 0
    var duration: UInt64 = 0
  }

  /// The number of jobs that a worker has at a time, because they are long.
  private static let jobsPerWorker = 2
  /// The bytes of a batch that may be in transit.
  private static let window = 16 << 20
  /// The size of a batch in windows.
  private static let windowsPerBatch = 4
  private static let tick: UInt64 = 240_000_000

  private let costs: Costs
  private let rowsPerJob: Int
  private let jobsPerWindow: Int
  private var scheduler = Scheduler()
  private var effects: [SchedulerEffect] = []
  /// The events from the last one to the next one.
  private var events: [(time: UInt64, event: Event)] = []
  private var workers: [Worker] = []
  private var indices: [WorkerID: Int] = [:]
  private var nextWorker: WorkerID = 1
  /// The number of jobs of each batch that its client has sent.
  private var jobsSent: [BatchID: Int] = [:]
  private var nextBatch: BatchID = 1
  private var jobsBegun = 0
  private var jobsDelivered = 0
  private var now: UInt64 = 0
  /// The time at which the coordinator has handled all messages received so far.
  private var coordinatorEnd: UInt64 = 0

  // The counters since the last call of startCounting.
  private var begin: UInt64 = 0
  private var coordinatorTime: UInt64 = 0
  private var workerTime: UInt64 = 0
  private var schedulerTime: UInt64 = 0
  private var schedulerEvents = 0
  private var expired = 0

  /// - Parameter jobDuration: The average duration of a job in nanoseconds.
  init(workers count: Int, jobDuration: UInt64, costs: Costs) {
    self.costs = costs
    rowsPerJob = max(1, Int(jobDuration / costs.row))
    jobsPerWindow = max(1, Self.window / (rowsPerJob * costs.rowBytes))
    for index in 0..<count {
      workers.append(Worker(id: 0))
      join(index, at: 0)
    }
    let jobs = count * (Self.jobsPerWorker + 1)
    for _ in 0..<(jobs + jobsPerWindow - 1) / jobsPerWindow { openBatch(at: 0) }
    add(.tick, at: 0)
  }

  /// Runs until each worker has completed some jobs, first as a warm-up, and then for the results.
  mutating func run() -> Figures {
    let jobs = max(jobsPerWindow * Self.windowsPerBatch, workers.count * 8)
    play(until: jobs)
    startCounting()
    play(until: jobsDelivered + jobs)
    for worker in workers where !worker.jobs.isEmpty { workerTime += now - worker.begin }
    let time = Double(now - begin)
    return Figures(
      workersBusy: Double(workerTime) / time / Double(workers.count),
      coordinatorBusy: min(1, Double(coordinatorTime) / time),
      rowsPerSecond: Double(jobs * rowsPerJob) / time * 1e9,
      schedulerPerEvent: Double(schedulerTime) / Double(schedulerEvents), expired: expired)
  }

  private mutating func startCounting() {
    begin = now
    for index in workers.indices { workers[index].begin = now }
    (coordinatorTime, workerTime, schedulerTime, schedulerEvents, expired) = (0, 0, 0, 0, 0)
  }

  private mutating func play(until jobs: Int) {
    while jobsDelivered < jobs, let (time, event) = events.popLast() {
      now = time
      switch event {
      case .atCoordinator(let event): handle(event)
      case .atWorker(let worker, let job, let attempt):
        workers[worker].jobs.append((job, attempt))
        if workers[worker].jobs.count == 1 { beginJob(worker) }
      case .jobEnds(let worker): endJob(worker)
      case .tick:
        handle(.tick)
        add(.tick, at: now + Self.tick)
      }
    }
  }

  /// Adds an event, which comes after those at the same time.
  private mutating func add(_ event: Event, at time: UInt64) {
    events.insert((time, event), at: partitionPoint(events.count) { events[$0].time > time })
  }

  // MARK: Coordinator

  private mutating func handle(_ event: SchedulerEvent) {
    let begin = ThreadClock.nanoseconds()
    effects.removeAll(keepingCapacity: true)
    scheduler.handle(event, at: EventTime(monotonic: now), into: &effects)
    let measured = ThreadClock.nanoseconds() - begin
    let handling = measured - min(measured, ThreadClock.cost)
    schedulerTime += handling
    schedulerEvents += 1
    var end = max(now, coordinatorEnd) + handling + cost(ofReceiving: event)
    for effect in effects {
      switch effect {
      case .send(let job, let attempt, let id):
        end += cost(bytes: rowsPerJob * costs.rowBytes)
        if let worker = indices[id] { add(.atWorker(worker, job, attempt: attempt), at: end + costs.network) }
      case .deliver(let batch, _):
        end += cost(bytes: rowsPerJob * costs.recordBytes)
        jobsDelivered += 1
        // The client sends its next job when it has these results.
        send(batch, at: end + costs.network * 2)
      case .expire(let id):
        expired += 1
        if let worker = indices.removeValue(forKey: id) { join(worker, at: end + costs.network * 2) }
      case .batchDone: openBatch(at: end + costs.network * 2)
      case .probe, .failRow, .split, .forget: break
      }
    }
    coordinatorTime += end - max(now, coordinatorEnd)
    coordinatorEnd = end
  }

  private func cost(ofReceiving event: SchedulerEvent) -> UInt64 {
    switch event {
    case .jobsAdded: cost(bytes: rowsPerJob * costs.rowBytes)
    case .jobDone: cost(bytes: rowsPerJob * costs.recordBytes)
    case .tick: 0
    default: cost(bytes: 0)
    }
  }

  private func cost(bytes: Int) -> UInt64 { costs.message + UInt64(Double(bytes) / costs.throughput) }

  // MARK: Clients

  private mutating func openBatch(at time: UInt64) {
    let batch = nextBatch
    nextBatch += 1
    jobsSent[batch] = 0
    add(.atCoordinator(.batchOpened(batch, priority: 0)), at: time)
    for _ in 0..<jobsPerWindow { send(batch, at: time) }
  }

  /// Sends the next job of a batch to the coordinator, unless its client has sent all.
  private mutating func send(_ batch: BatchID, at time: UInt64) {
    guard let sent = jobsSent[batch] else { return }
    let row = UInt64(sent) * UInt64(rowsPerJob)
    let slice = JobSlice(firstRow: row, rows: UInt32(rowsPerJob), bytes: rowsPerJob * costs.rowBytes)
    let isLast = sent + 1 == jobsPerWindow * Self.windowsPerBatch
    jobsSent[batch] = isLast ? nil : sent + 1
    add(.atCoordinator(.jobsAdded(batch, [slice], isLast: isLast)), at: time)
  }

  // MARK: Workers

  /// Registers a worker, also after it expired.
  private mutating func join(_ worker: Int, at time: UInt64) {
    workers[worker].id = nextWorker
    indices[nextWorker] = worker
    add(.atCoordinator(.workerJoined(nextWorker, credit: ProtocolLimits.jobsOfWorker)), at: time)
    nextWorker += 1
  }

  private mutating func beginJob(_ worker: Int) {
    let (job, attempt) = workers[worker].jobs[0]
    // Durations have a uniform distribution between 3/4 and 5/4 of the average, which multiples of the golden ratio
    // yield.
    let fraction = (Double(jobsBegun) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
    jobsBegun += 1
    workers[worker].begin = now
    workers[worker].duration = UInt64(Double(rowsPerJob) * Double(costs.row) * (0.75 + fraction / 2))
    add(
      .atCoordinator(.jobStarted(workers[worker].id, job, attempt: attempt)), at: now + costs.network)
    add(.jobEnds(worker), at: now + workers[worker].duration)
  }

  private mutating func endJob(_ worker: Int) {
    let (job, attempt) = workers[worker].jobs.removeFirst()
    workerTime += now - workers[worker].begin
    add(
      .atCoordinator(.jobDone(workers[worker].id, job, attempt: attempt, duration: workers[worker].duration)),
      at: now + costs.network)
    if !workers[worker].jobs.isEmpty { beginJob(worker) }
  }
}
