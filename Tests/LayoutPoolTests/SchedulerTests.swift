import Foundation
import Testing

@testable import LayoutPool

/// Schedules played through the state machine: whatever happens to workers, every row is delivered once and in order.
@Suite struct SchedulerTests {
  /// A pool in miniature: workers that finish, die, or answer late, at random.
  private struct Simulation {
    var scheduler = Scheduler()
    var random: UInt64
    var workers: [WorkerID] = []
    var nextWorker: WorkerID = 1
    /// What each worker was sent and has not answered.
    var sent: [(worker: WorkerID, job: JobID, attempt: UInt32, slice: JobSlice)] = []
    /// Answers of workers that are thought dead.
    var late: [(worker: WorkerID, job: JobID, attempt: UInt32)] = []
    var delivered: [UInt64] = []
    var failed: [UInt64] = []
    var isDone = false
    /// Rows that kill whoever executes them.
    let killers: Set<UInt64>

    let restarts: Bool
    let rowCount: UInt64 = 60

    init(seed: UInt64, killers: Set<UInt64>, restarts: Bool = false) {
      self.restarts = restarts
      random = seed &* 0x9e37_79b9_7f4a_7c15 &+ 1
      self.killers = killers
    }

    mutating func below(_ limit: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((random >> 33) % UInt64(limit))
    }

    mutating func handle(_ event: SchedulerEvent) {
      for action in scheduler.handle(event) {
        switch action {
        case .send(let job, let attempt, let worker):
          guard let slice = scheduler.slice(of: job) else { continue }
          sentSlices[job] = slice
          if stored[slice.firstRow] != nil { doneAgain += 1 }
          sent.append((worker, job, attempt, slice))
        case .deliver(_, let job):
          guard let slice = pending[job] else { continue }
          delivered += slice.firstRow..<slice.firstRow + UInt64(slice.rows)
        case .failRow(_, let job):
          guard let slice = sentSlices[job] else { continue }
          failed.append(slice.firstRow)
          pending[job] = slice
          stored[slice.firstRow] = slice
        case .split(let job): split(job)
        case .expire(let worker): lose(worker)
        case .forget: break
        case .batchDone: isDone = true
        }
      }
    }

    var sentSlices: [JobID: JobSlice] = [:]
    /// Results by job, as the coordinator keeps them.
    var pending: [JobID: JobSlice] = [:]

    /// Results by first row, as the journal keeps them.
    var stored: [UInt64: JobSlice] = [:]
    /// Jobs that were sent although their results are there.
    var doneAgain = 0

    /// The coordinator dies and comes back; its client asks for everything again. What is not done is cut otherwise.
    mutating func restart() {
      scheduler = Scheduler()
      (workers, sent, late, delivered, pending) = ([], [], [], [], [:])
      handle(.batchOpened(1, priority: 0))
      var slices: [JobSlice] = []
      var isDone: [Bool] = []
      var row: UInt64 = 0
      while row < rowCount {
        let result = stored[row]
        var rows: UInt32 = 1
        while result == nil, row + UInt64(rows) < rowCount, stored[row + UInt64(rows)] == nil, below(6) > 0 {
          rows += 1
        }
        slices.append(result ?? JobSlice(firstRow: row, rows: rows, bytes: Int(rows) * 100))
        isDone.append(result != nil)
        row += UInt64(slices[slices.count - 1].rows)
      }
      for (place, slice) in slices.enumerated() where isDone[place] {
        pending[scheduler.nextJobID + UInt64(place)] = slice
      }
      handle(.jobsRecovered(1, slices, isDone: isDone, isLast: true))
    }

    private mutating func split(_ job: JobID) {
      guard let slice = scheduler.slice(of: job) else { return }
      let half = slice.rows / 2
      handle(
        .jobSplit(
          job, JobSlice(firstRow: slice.firstRow, rows: half, bytes: slice.bytes / 2),
          JobSlice(firstRow: slice.firstRow + UInt64(half), rows: slice.rows - half, bytes: slice.bytes / 2)))
    }

    mutating func join() {
      workers.append(nextWorker)
      handle(.workerJoined(nextWorker, credit: 2))
      nextWorker += 1
    }

    var time: UInt64 = 0

    /// Time passes; now and then so much that whoever has a job has it for too long.
    mutating func pass() {
      let isLong = below(6) == 0
      for _ in 0..<(isLong ? 16 : 1) {
        time += isLong ? 1_000_000_000 : UInt64(below(1_000_000_000))
        handle(.tick(now: time))
      }
    }

    /// The worker dies; its answer may still be under way.
    mutating func kill(_ worker: WorkerID) {
      lose(worker)
      handle(.workerLeft(worker))
    }

    private mutating func lose(_ worker: WorkerID) {
      workers.removeAll { $0 == worker }
      for lost in sent where lost.worker == worker && below(2) == 0 {
        late.append((lost.worker, lost.job, lost.attempt))
      }
      sent.removeAll { $0.worker == worker }
    }

    mutating func step() {
      if workers.isEmpty || (workers.count < 4 && below(4) == 0) { return join() }
      if !late.isEmpty && below(3) == 0 {
        let answer = late.removeFirst()
        return handle(.jobDone(answer.worker, answer.job, attempt: answer.attempt, duration: 1))
      }
      if restarts && below(40) == 0 { return restart() }
      if below(25) == 0 { return kill(workers[below(workers.count)]) }
      if below(12) == 0 { return pass() }
      guard !sent.isEmpty else { return }
      // Workers do their jobs in the order in which they got them.
      let worker = sent[below(sent.count)].worker
      guard let index = sent.firstIndex(where: { $0.worker == worker }) else { return }
      let job = sent[index]
      if below(2) == 0 { handle(.jobStarted(worker, job.job, attempt: job.attempt)) }
      let rows = job.slice.firstRow..<job.slice.firstRow + UInt64(job.slice.rows)
      if killers.contains(where: rows.contains) { return kill(worker) }
      sent.remove(at: index)
      if scheduler.isCurrent(worker, job.job, attempt: job.attempt) {
        pending[job.job] = job.slice
        stored[job.slice.firstRow] = job.slice
      }
      handle(.jobDone(worker, job.job, attempt: job.attempt, duration: UInt64(below(1000) + 1)))
    }
  }

  @Test func everyRowIsDeliveredOnceAndInOrder() {
    // More of them, all different, with GALLEY_SEEDS=100000.
    let seeds = ProcessInfo.processInfo.environment["GALLEY_SEEDS"].flatMap { UInt64($0) } ?? 2000
    for seed in 0..<seeds {
      var setup = Simulation(seed: seed, killers: [])
      var killers: Set<UInt64> = []
      for _ in 0..<setup.below(3) { killers.insert(UInt64(setup.below(60))) }
      var simulation = Simulation(seed: seed &+ 7, killers: killers, restarts: seed % 2 == 1)
      simulation.handle(.batchOpened(1, priority: 0))
      var rows: UInt64 = 0
      var slices: [JobSlice] = []
      while rows < 60 {
        let count = UInt32(min(60 - Int(rows), 1 + simulation.below(12)))
        slices.append(JobSlice(firstRow: rows, rows: count, bytes: Int(count) * 100))
        rows += UInt64(count)
      }
      let half = slices.count / 2
      simulation.handle(.jobsAdded(1, Array(slices[..<half]), isLast: false))
      simulation.handle(.jobsAdded(1, Array(slices[half...]), isLast: true))
      var steps = 0
      while !simulation.isDone && steps < 20_000 {
        simulation.step()
        steps += 1
      }
      #expect(simulation.isDone, "seed \(seed)")
      #expect(simulation.delivered == Array(0..<60), "seed \(seed)")
      // A row that never kills is only ever given up when workers died by chance while it was alone with them.
      #expect(killers.isSubset(of: simulation.failed), "seed \(seed)")
      #expect(simulation.doneAgain == 0, "seed \(seed)")
    }
  }

  @Test func jobsAreSizedByMeasuredWork() {
    var scheduler = Scheduler()
    _ = scheduler.handle(.batchOpened(1, priority: 0))
    #expect(scheduler.jobBytes(of: 1) == Scheduler.initialJobBytes)
    _ = scheduler.handle(.workerJoined(1, credit: 1))
    _ = scheduler.handle(.jobsAdded(1, [JobSlice(firstRow: 0, rows: 10, bytes: 10_000)], isLast: false))
    // 250 ns a byte: 25 ms are 100,000 bytes.
    _ = scheduler.handle(.jobDone(1, 1, attempt: 1, duration: 2_500_000))
    #expect(scheduler.jobBytes(of: 1) == 100_000)
  }

  @Test func aWorkerThatHoldsAJobForTooLongIsGivenUp() {
    var scheduler = Scheduler(patience: 10)
    var time: UInt64 = 77_000_000_000_000
    func wait(_ seconds: Int) -> [SchedulerAction] {
      (0..<seconds).flatMap { _ in
        time += 1_000_000_000
        return scheduler.handle(.tick(now: time))
      }
    }
    _ = scheduler.handle(.batchOpened(1, priority: 0))
    _ = scheduler.handle(.jobsAdded(1, [JobSlice(firstRow: 0, rows: 4, bytes: 100)], isLast: true))
    #expect(scheduler.handle(.workerJoined(1, credit: 2)) == [.send(1, attempt: 1, to: 1)])
    #expect(wait(16) == [])
    #expect(wait(1) == [.expire(1)])
    // It had not said that it began, so nothing is held against the job yet.
    #expect(scheduler.handle(.workerJoined(2, credit: 2)) == [.send(1, attempt: 2, to: 2)])
    _ = scheduler.handle(.jobStarted(2, 1, attempt: 2))
    #expect(wait(16) == [.expire(2), .split(1)])
    #expect(scheduler.handle(.jobDone(2, 1, attempt: 2, duration: 1)) == [])
  }

  @Test func timeInWhichNobodyLookedIsNotHeldAgainstWorkers() {
    var scheduler = Scheduler(patience: 10)
    _ = scheduler.handle(.workerJoined(1, credit: 2))
    _ = scheduler.handle(.batchOpened(1, priority: 0))
    _ = scheduler.handle(.jobsAdded(1, [JobSlice(firstRow: 0, rows: 4, bytes: 100)], isLast: true))
    #expect(scheduler.handle(.tick(now: 77_000_000_000_000)) == [])
    #expect(scheduler.handle(.tick(now: 99_000_000_000_000)) == [])
  }

  @Test func batchesTakeTurns() {
    var scheduler = Scheduler()
    for batch in [BatchID(1), 2] {
      _ = scheduler.handle(.batchOpened(batch, priority: 0))
      let slices = (0..<4).map { JobSlice(firstRow: UInt64($0), rows: 1, bytes: 1) }
      _ = scheduler.handle(.jobsAdded(batch, slices, isLast: true))
    }
    let sent = scheduler.handle(.workerJoined(9, credit: 4)).compactMap { action -> BatchID? in
      if case .send(let job, _, _) = action { return scheduler.batch(of: job) }
      return nil
    }
    #expect(sent == [1, 2, 1, 2])
  }

  @Test func batchesOfAHigherPriorityGoFirst() {
    var scheduler = Scheduler()
    for (batch, priority) in [(BatchID(1), Int32(0)), (2, 5), (3, 5)] {
      _ = scheduler.handle(.batchOpened(batch, priority: priority))
      let slices = (0..<2).map { JobSlice(firstRow: UInt64($0), rows: 1, bytes: 1) }
      _ = scheduler.handle(.jobsAdded(batch, slices, isLast: true))
    }
    let sent = scheduler.handle(.workerJoined(9, credit: 6)).compactMap { action -> BatchID? in
      if case .send(let job, _, _) = action { return scheduler.batch(of: job) }
      return nil
    }
    #expect(sent == [2, 3, 2, 3, 1, 1])
  }

  /// At the end of a batch, a worker with nothing to do takes what another has not come to; the first answer counts.
  @Test func stragglersAreDoneTwice() {
    var scheduler = Scheduler()
    _ = scheduler.handle(.batchOpened(1, priority: 0))
    _ = scheduler.handle(.workerJoined(1, credit: 2))
    let slices = (0..<3).map { JobSlice(firstRow: UInt64($0), rows: 1, bytes: 100) }
    _ = scheduler.handle(.jobsAdded(1, slices, isLast: true))
    #expect(scheduler.handle(.workerJoined(2, credit: 2)) == [.send(3, attempt: 1, to: 2)])
    let done = scheduler.handle(.jobDone(2, 3, attempt: 1, duration: 1))
    #expect(done == [.send(1, attempt: 2, to: 2)] || done == [.send(2, attempt: 2, to: 2)])
    let copied: JobID = done == [.send(1, attempt: 2, to: 2)] ? 1 : 2
    _ = scheduler.handle(.jobDone(2, copied, attempt: 2, duration: 1))
    #expect(!scheduler.isCurrent(1, copied, attempt: 1))
    let other: JobID = 3 - copied
    let last = scheduler.handle(.jobDone(1, other, attempt: 1, duration: 1))
    #expect(last.contains(.batchDone(1, rows: 3)))
    #expect(!scheduler.handle(.jobDone(1, copied, attempt: 1, duration: 1)).contains(.batchDone(1, rows: 3)))
  }

  @Test func anAnswerToAnotherAttemptLosesNothing() {
    var scheduler = Scheduler()
    _ = scheduler.handle(.batchOpened(1, priority: 0))
    _ = scheduler.handle(.workerJoined(1, credit: 1))
    _ = scheduler.handle(.jobsAdded(1, [JobSlice(firstRow: 0, rows: 1, bytes: 100)], isLast: true))
    #expect(scheduler.handle(.jobDone(1, 1, attempt: 2, duration: 1)) == [])
    #expect(scheduler.handle(.jobReturned(1, 1, attempt: 0)) == [])
    _ = scheduler.handle(.workerJoined(2, credit: 1))
    #expect(scheduler.handle(.workerLeft(1)) == [.send(1, attempt: 2, to: 2)])
  }

  @Test func aCancelledBatchIsForgotten() {
    var scheduler = Scheduler()
    _ = scheduler.handle(.batchOpened(1, priority: 0))
    _ = scheduler.handle(.jobsAdded(1, [JobSlice(firstRow: 0, rows: 1, bytes: 1)], isLast: true))
    #expect(scheduler.handle(.batchCancelled(1)) == [.forget(1)])
    #expect(scheduler.handle(.workerJoined(1, credit: 2)) == [])
  }
}
