import PoolProtocol
import PoolScheduler

/// A pool in virtual time around the real scheduler: how long its calls take is measured, all else is assumed.
///
/// The coordinator serves one message after the other. Clients have as many batches open at a time as it takes for every
/// worker to have two jobs and a third to be on its way; each is followed by another when it ends.
struct PoolModel {
  /// What is assumed, in nanoseconds and bytes.
  struct Costs {
    /// Of a message that the coordinator takes or sends.
    var message: UInt64 = 5_000
    /// Bytes a nanosecond that it takes or sends.
    var throughput = 1.4
    /// From a peer to another.
    var network: UInt64 = 50_000
    var row: UInt64
    /// Of a row, and of its records in the tables: those of the demo.
    var rowBytes = 422
    var recordBytes = 426
  }

  /// What came of it.
  struct Figures {
    /// Shares of the time.
    var workersBusy = 0.0
    var coordinatorBusy = 0.0
    var rowsPerSecond = 0.0
    /// Nanoseconds of the processor.
    var schedulerPerEvent = 0.0
    /// Workers that were given up, although none had failed.
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

  /// Jobs that a worker has, as these are long.
  private static let jobsAtHand = 2
  /// Bytes of a batch that may be under way.
  private static let window = 16 << 20
  /// Windows that a batch has.
  private static let windowsPerBatch = 4
  private static let tick: UInt64 = 240_000_000

  private let costs: Costs
  private let rowsPerJob: Int
  private let jobsPerWindow: Int
  private let scheduler = Scheduler()
  private var events = EventQueue<Event>()
  private var workers: [Worker] = []
  private var places: [WorkerID: Int] = [:]
  private var nextWorker: WorkerID = 1
  /// Jobs that a client has sent of its batch.
  private var jobsSent: [BatchID: Int] = [:]
  private var nextBatch: BatchID = 1
  private var jobsBegun = 0
  private var jobsDelivered = 0
  private var now: UInt64 = 0
  /// When the coordinator has served all that has come.
  private var coordinatorEnd: UInt64 = 0

  // What is counted, since it was last set to zero.
  private var begin: UInt64 = 0
  private var coordinatorTime: UInt64 = 0
  private var workerTime: UInt64 = 0
  private var schedulerTime: UInt64 = 0
  private var schedulerEvents = 0
  private var expired = 0

  /// - Parameter jobDuration: nanoseconds of a job on average.
  init(workers count: Int, jobDuration: UInt64, costs: Costs) {
    self.costs = costs
    rowsPerJob = max(1, Int(jobDuration / costs.row))
    jobsPerWindow = max(1, Self.window / (rowsPerJob * costs.rowBytes))
    for place in 0..<count {
      workers.append(Worker(id: 0))
      join(place, at: 0)
    }
    let jobs = count * (Self.jobsAtHand + 1)
    for _ in 0..<(jobs + jobsPerWindow - 1) / jobsPerWindow { openBatch(at: 0) }
    events.add(.tick, at: 0)
  }

  /// Runs until each worker has done some jobs, once to get going and once to count.
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
    for place in workers.indices { workers[place].begin = now }
    (coordinatorTime, workerTime, schedulerTime, schedulerEvents, expired) = (0, 0, 0, 0, 0)
  }

  private mutating func play(until jobs: Int) {
    while jobsDelivered < jobs, let (time, event) = events.next() {
      now = time
      switch event {
      case .atCoordinator(let event): serve(event)
      case .atWorker(let worker, let job, let attempt):
        workers[worker].jobs.append((job, attempt))
        if workers[worker].jobs.count == 1 { beginJob(worker) }
      case .jobEnds(let worker): endJob(worker)
      case .tick:
        serve(.tick(now: now))
        events.add(.tick, at: now + Self.tick)
      }
    }
  }

  // MARK: Coordinator

  private mutating func serve(_ event: SchedulerEvent) {
    let begin = ThreadClock.nanoseconds()
    let actions = scheduler.handle(event)
    let measured = ThreadClock.nanoseconds() - begin
    let handling = measured - min(measured, ThreadClock.cost)
    schedulerTime += handling
    schedulerEvents += 1
    var end = max(now, coordinatorEnd) + handling + cost(ofTaking: event)
    for action in actions {
      switch action {
      case .send(let job, let attempt, let id):
        end += cost(bytes: rowsPerJob * costs.rowBytes)
        if let worker = places[id] { events.add(.atWorker(worker, job, attempt: attempt), at: end + costs.network) }
      case .deliver(let batch, _):
        end += cost(bytes: rowsPerJob * costs.recordBytes)
        jobsDelivered += 1
        // The client sends the next when it has these.
        send(batch, at: end + costs.network * 2)
      case .expire(let id):
        expired += 1
        if let worker = places.removeValue(forKey: id) { join(worker, at: end + costs.network * 2) }
      case .batchDone: openBatch(at: end + costs.network * 2)
      case .failRow, .split, .forget: break
      }
    }
    coordinatorTime += end - max(now, coordinatorEnd)
    coordinatorEnd = end
  }

  private func cost(ofTaking event: SchedulerEvent) -> UInt64 {
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
    events.add(.atCoordinator(.batchOpened(batch, priority: 0)), at: time)
    for _ in 0..<jobsPerWindow { send(batch, at: time) }
  }

  /// A client sends a chunk of its batch, which is a job, unless it has sent all.
  private mutating func send(_ batch: BatchID, at time: UInt64) {
    guard let sent = jobsSent[batch] else { return }
    let row = UInt64(sent) * UInt64(rowsPerJob)
    let slice = JobSlice(firstRow: row, rows: UInt32(rowsPerJob), bytes: rowsPerJob * costs.rowBytes)
    let isLast = sent + 1 == jobsPerWindow * Self.windowsPerBatch
    jobsSent[batch] = isLast ? nil : sent + 1
    events.add(.atCoordinator(.jobsAdded(batch, [slice], isLast: isLast)), at: time)
  }

  // MARK: Workers

  /// A worker comes, or comes back.
  private mutating func join(_ worker: Int, at time: UInt64) {
    workers[worker].id = nextWorker
    places[nextWorker] = worker
    events.add(.atCoordinator(.workerJoined(nextWorker, credit: ProtocolLimits.jobsOfWorker)), at: time)
    nextWorker += 1
  }

  private mutating func beginJob(_ worker: Int) {
    let (job, attempt) = workers[worker].jobs[0]
    // Between 3/4 and 5/4 of the average, evenly spread: by the golden ratio.
    let place = (Double(jobsBegun) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
    jobsBegun += 1
    workers[worker].begin = now
    workers[worker].duration = UInt64(Double(rowsPerJob) * Double(costs.row) * (0.75 + place / 2))
    events.add(
      .atCoordinator(.jobStarted(workers[worker].id, job, attempt: attempt)), at: now + costs.network)
    events.add(.jobEnds(worker), at: now + workers[worker].duration)
  }

  private mutating func endJob(_ worker: Int) {
    let (job, attempt) = workers[worker].jobs.removeFirst()
    workerTime += now - workers[worker].begin
    events.add(
      .atCoordinator(.jobDone(workers[worker].id, job, attempt: attempt, duration: workers[worker].duration)),
      at: now + costs.network)
    if !workers[worker].jobs.isEmpty { beginJob(worker) }
  }
}
