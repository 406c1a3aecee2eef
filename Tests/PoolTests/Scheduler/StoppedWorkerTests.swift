import PoolProtocol
import PoolScheduler
import SeededRandom
import Testing

/// A batch on workers whose jobs take the times that a seed says: its client sends further rows as results come in order, and
/// one worker may stop for good. The scheduler is the product's own; a tick comes every 60 ms, as from a coordinator.
private struct Schedule: ~Copyable {
  private static let millisecond: UInt64 = 1_000_000
  private static let tick = 60 * millisecond

  private var scheduler = Scheduler()
  private let workers: Int
  private let jobs: Int
  /// The jobs that may be under way, in the client's window.
  private let window: Int
  private let durations: [UInt64]
  private var stopped: Int?
  private let stopTime: UInt64
  /// The jobs of each worker in their order, and the time at which the first one ends.
  private var inbox: [[(job: JobID, attempt: UInt32)]]
  private var ends: [UInt64?]
  private var added = 0
  private var delivered = 0
  private var now: UInt64 = 0

  private(set) var sent = 0
  /// The time of the end in nanoseconds; nil if the batch does not end.
  private(set) var end: UInt64?

  init(seed: UInt64, stopsWorker: Bool) {
    var random = SplitMix(seed: seed)
    workers = 2 + random.below(7)
    jobs = 20 + random.below(40)
    window = workers * 2 + random.below(12)
    // Some jobs take up to half more or less than expected.
    durations = (0..<64).map { _ in UInt64(12 + random.below(26)) * Self.millisecond }
    stopped = stopsWorker ? random.below(workers) : nil
    stopTime = UInt64(random.below(300)) * Self.millisecond
    inbox = Array(repeating: [], count: workers)
    ends = Array(repeating: nil, count: workers)
  }

  /// The time in nanoseconds that the other workers need for all jobs.
  var workOfOthers: UInt64 {
    (0..<jobs).reduce(0) { $0 + durations[$1 % durations.count] } / UInt64(workers - 1)
  }

  mutating func run() {
    report(.batchOpened(1, priority: 0, cost: 25_000))
    for worker in 0..<workers { report(.workerJoined(UInt64(worker), credit: 8)) }
    addJobs()
    var nextTick = Self.tick
    while end == nil, now < 60_000 * Self.millisecond {
      let next = ends.indices.filter { !isStopped($0) }.compactMap { worker in ends[worker].map { (time: $0, worker) } }
        .min { ($0.time, $0.1) < ($1.time, $1.1) }
      if let next, next.time <= nextTick {
        now = max(now, next.time)
        finish(next.1)
      } else {
        now = nextTick
        nextTick += Self.tick
        report(.tick)
      }
    }
  }

  private func isStopped(_ worker: Int) -> Bool { worker == stopped && (ends[worker] ?? 0) > stopTime }

  private mutating func finish(_ worker: Int) {
    let (job, attempt) = inbox[worker].removeFirst()
    let duration = durations[Int(job) % durations.count]
    begin(worker)
    report(.jobDone(UInt64(worker), job, attempt: attempt, duration: duration, columnBytes: 100))
    addJobs()
  }

  private mutating func begin(_ worker: Int) {
    ends[worker] = inbox[worker].first.map { now + durations[Int($0.job) % durations.count] }
  }

  private mutating func addJobs() {
    while added < jobs, added - delivered < window {
      added += 1
      let slice = JobSlice(firstRow: UInt64(added - 1), rows: 1, bytes: 1000)
      report(.jobsAdded(1, [slice], isLast: added == jobs))
    }
  }

  private mutating func report(_ event: SchedulerEvent) {
    var effects: [SchedulerEffect] = []
    scheduler.handle(event, at: EventTime(monotonic: now), into: &effects)
    for effect in effects {
      switch effect {
      case .send(let job, let attempt, let worker):
        sent += 1
        inbox[Int(worker)].append((job, attempt))
        if inbox[Int(worker)].count == 1 { begin(Int(worker)) }
      case .deliver: delivered += 1
      case .batchDone: end = now
      default: break
      }
    }
  }

  var jobCount: Int { jobs }
}

@Suite struct StoppedWorkerTests {
  /// Without late jobs, a batch waited for 15 seconds until the worker was given up.
  @Test func aStoppedWorkerDelaysABatchForLessThanASecond() {
    for seed in 0..<500 as Range<UInt64> {
      var schedule = Schedule(seed: seed, stopsWorker: true)
      schedule.run()
      guard let end = schedule.end else {
        Issue.record("seed \(seed): the batch does not end")
        continue
      }
      let delay = end - min(end, schedule.workOfOthers)
      #expect(delay < 900_000_000, "seed \(seed): \(delay / 1_000_000) ms")
    }
  }

  @Test func undisturbedRunsExecuteFewJobsTwice() {
    var (sent, jobs) = (0, 0)
    for seed in 0..<500 as Range<UInt64> {
      var schedule = Schedule(seed: seed, stopsWorker: false)
      schedule.run()
      #expect(schedule.end != nil)
      sent += schedule.sent
      jobs += schedule.jobCount
    }
    #expect(Double(sent - jobs) <= 0.03 * Double(jobs), "\(sent - jobs) of \(jobs) jobs")
  }
}
