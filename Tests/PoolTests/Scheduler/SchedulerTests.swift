import Testing

@testable import PoolScheduler

/// Tests of the effects of events on a scheduler.
@Suite struct SchedulerTests {
  private let scheduler = SchedulerUnderTest()

  @Test func jobsAreSizedByTheMeasuredCost() {
    _ = scheduler.handle(.batchOpened(1, priority: 0))
    #expect(scheduler.core.jobBytes(of: 1, outOf: 1_000_000) == Scheduler.initialJobBytes)
    _ = scheduler.handle(.workerJoined(1, credit: 1))
    _ = scheduler.handle(.jobsAdded(1, [JobSlice(firstRow: 0, rows: 10, bytes: 10_000)], isLast: false))
    // At 250 ns per byte, a job of 25 ms has 100,000 bytes.
    _ = scheduler.handle(.jobDone(1, 1, attempt: 1, duration: 2_500_000))
    #expect(scheduler.core.jobBytes(of: 1, outOf: 1_000_000) == 100_000)
  }

  /// Otherwise a short batch would wait for one worker while other workers are idle.
  @Test func remainingRowsAreDividedAmongIdleWorkers() {
    // At 250 ns per byte, a job of 25 ms has 100,000 bytes. A share is at least a tenth of that.
    _ = scheduler.handle(.batchOpened(1, priority: 0, cost: 250))
    #expect(scheduler.core.jobBytes(of: 1, outOf: 60_000) == 60_000)
    for worker in 1...4 as ClosedRange<WorkerID> { _ = scheduler.handle(.workerJoined(worker, credit: 1)) }
    #expect(scheduler.core.jobBytes(of: 1, outOf: 60_000) == 15_000)
    #expect(scheduler.core.jobBytes(of: 1, outOf: 1_000_000) == 100_000)
    #expect(scheduler.core.jobBytes(of: 1, outOf: 20_000) == 10_000)
    let slices = (0..<3).map { JobSlice(firstRow: UInt64($0), rows: 1, bytes: 100) }
    _ = scheduler.handle(.jobsAdded(1, slices, isLast: false))
    #expect(scheduler.core.jobBytes(of: 1, outOf: 60_000) == 60_000)
  }

  @Test func aWorkerThatExceedsTheDeadlineOfAJobExpires() {
    var time: UInt64 = 77_000_000_000_000
    func wait(_ seconds: Int) -> [SchedulerEffect] {
      (0..<seconds).flatMap { _ in
        time += 1_000_000_000
        return scheduler.handle(.tick, at: time)
      }
    }
    scheduler.open(jobs: 1, rows: 4)
    #expect(scheduler.handle(.workerJoined(1, credit: 2)) == [.send(1, attempt: 1, to: 1)])
    #expect(wait(15) == [])
    #expect(wait(1) == [.expire(1)])
    // The worker has not reported the start of the job, so its end does not count against the job.
    #expect(scheduler.handle(.workerJoined(2, credit: 2)) == [.probe(1, 2, attempt: 1, worker: 2)])
    let done = SchedulerEvent.jobDone(2, 2, attempt: 1, duration: 1)
    #expect(scheduler.handle(done) == [.forget(2), .send(1, attempt: 2, to: 2)])
    _ = scheduler.handle(.jobStarted(2, 1, attempt: 2))
    #expect(wait(16) == [.expire(2), .split(1)])
    #expect(scheduler.handle(.jobDone(2, 1, attempt: 2, duration: 1)) == [])
  }

  @Test func timeBetweenDistantTicksDoesNotCountTowardsDeadlines() {
    _ = scheduler.handle(.workerJoined(1, credit: 2))
    scheduler.open(jobs: 1, rows: 4)
    #expect(scheduler.handle(.tick, at: 77_000_000_000_000) == [])
    #expect(scheduler.handle(.tick, at: 99_000_000_000_000) == [])
  }

  @Test func batchesOfEqualPriorityAlternate() {
    for batch in [BatchID(1), 2] { scheduler.open(batch, jobs: 4, bytes: 1, cost: 1) }
    let sent = scheduler.handle(.workerJoined(9, credit: 4)).compactMap { effect -> BatchID? in
      if case .send(let job, _, _) = effect { return scheduler.core.state.jobs[job]?.batch.id }
      return nil
    }
    #expect(sent == [1, 2, 1, 2])
  }

  @Test func batchesOfAHigherPriorityAreSentFirst() {
    for (batch, priority) in [(BatchID(1), Int32(0)), (2, 5), (3, 5)] {
      scheduler.open(batch, jobs: 2, bytes: 1, priority: priority, cost: 1)
    }
    let sent = scheduler.handle(.workerJoined(9, credit: 6)).compactMap { effect -> BatchID? in
      if case .send(let job, _, _) = effect { return scheduler.core.state.jobs[job]?.batch.id }
      return nil
    }
    #expect(sent == [2, 3, 2, 3, 1, 1])
  }

  /// A worker has two jobs at a time, or more short jobs if they take less than a certain time together.
  @Test func workersReceiveMoreShortJobsAtATime() {
    func sent(cost: Double?, to credit: Int) -> Int {
      let scheduler = SchedulerUnderTest()
      _ = scheduler.handle(.batchOpened(1, priority: 0, cost: cost))
      let slices = (0..<20).map { JobSlice(firstRow: UInt64($0), rows: 1, bytes: 1000) }
      _ = scheduler.handle(.jobsAdded(1, slices, isLast: false))
      return scheduler.handle(.workerJoined(1, credit: credit)).count
    }
    #expect(sent(cost: nil, to: 8) == 2)
    #expect(sent(cost: 25_000, to: 8) == 2)
    #expect(sent(cost: 1000, to: 8) == 3)
    #expect(sent(cost: 500, to: 8) == 5)
    #expect(sent(cost: 50, to: 8) == 8)
    #expect(sent(cost: 50, to: 2) == 2)
  }

  /// A short job is copied to a second worker only if it takes longer than expected.
  @Test func shortJobsAreCopiedOnlyAfterADelay() {
    _ = scheduler.handle(.tick, at: 1_000_000_000)
    _ = scheduler.handle(.batchOpened(1, priority: 0, cost: 1000))
    _ = scheduler.handle(.workerJoined(1, credit: 8))
    let slices = (0..<2).map { JobSlice(firstRow: UInt64($0), rows: 1, bytes: 100) }
    _ = scheduler.handle(.jobsAdded(1, slices, isLast: true))
    #expect(scheduler.handle(.workerJoined(2, credit: 8)) == [])
    #expect(scheduler.handle(.tick, at: 1_100_000_000) == [.send(2, attempt: 2, to: 2)])
  }

  /// At the end of a batch, an idle worker receives copies of jobs that another worker has. The first result counts.
  @Test func unfinishedJobsAreCopiedAtTheEndOfABatch() {
    _ = scheduler.handle(.batchOpened(1, priority: 0))
    _ = scheduler.handle(.workerJoined(1, credit: 2))
    let slices = (0..<3).map { JobSlice(firstRow: UInt64($0), rows: 1, bytes: 100) }
    _ = scheduler.handle(.jobsAdded(1, slices, isLast: true))
    #expect(scheduler.handle(.workerJoined(2, credit: 2)) == [.send(3, attempt: 1, to: 2)])
    let done = scheduler.handle(.jobDone(2, 3, attempt: 1, duration: 10_000_000))
    #expect(done == [.send(1, attempt: 2, to: 2)] || done == [.send(2, attempt: 2, to: 2)])
    let copied: JobID = done == [.send(1, attempt: 2, to: 2)] ? 1 : 2
    _ = scheduler.handle(.jobDone(2, copied, attempt: 2, duration: 10_000_000))
    #expect(scheduler.core.isCurrent(1, copied, attempt: 1) == false)
    let other: JobID = 3 - copied
    let last = scheduler.handle(.jobDone(1, other, attempt: 1, duration: 10_000_000))
    #expect(last.contains(.batchDone(1, rows: 3, cost: 100_000)))
    #expect(scheduler.handle(.jobDone(1, copied, attempt: 1, duration: 10_000_000)) == [])
  }

  /// If a row does not end, the jobs queued behind it are copied to another worker before the job of that row.
  @Test func queuedJobsAreCopiedBeforeTheFirstJobOfAWorker() {
    _ = scheduler.handle(.tick, at: 1_000_000_000)
    _ = scheduler.handle(.workerJoined(1, credit: 8))
    for batch in [BatchID(1), 2] { scheduler.open(batch, jobs: 1, cost: 1000) }
    _ = scheduler.handle(.workerJoined(2, credit: 8))
    #expect(scheduler.handle(.tick, at: 1_240_000_000) == [.send(2, attempt: 2, to: 2)])
    #expect(!scheduler.handle(.jobDone(2, 2, attempt: 2, duration: 1)).contains(.send(1, attempt: 2, to: 2)))
    #expect(scheduler.handle(.tick, at: 1_300_000_001) == [.send(1, attempt: 2, to: 2)])
  }

  /// A worker that is stopped does not hold up a batch whose other rows are not there yet.
  @Test func lateJobsAreCopiedBeforeTheEndOfTheBatch() {
    _ = scheduler.handle(.batchOpened(1, priority: 0, cost: 1_000_000))
    let slices = (0..<6).map { JobSlice(firstRow: UInt64($0), rows: 1, bytes: 20) }
    _ = scheduler.handle(.workerJoined(1, credit: 8), at: 0)
    // Worker 1 has two jobs, and stops.
    #expect(
      scheduler.handle(.jobsAdded(1, Array(slices[..<2]), isLast: false), at: 0)
        == [.send(1, attempt: 1, to: 1), .send(2, attempt: 1, to: 1)])
    _ = scheduler.handle(.workerJoined(2, credit: 8), at: 0)
    #expect(scheduler.handle(.jobsAdded(1, Array(slices[2...]), isLast: false), at: 0).count == 2)
    for (job, time) in [(3, 20), (4, 40), (5, 60), (6, 80)] as [(JobID, UInt64)] {
      _ = scheduler.handle(.jobDone(2, job, attempt: 1, duration: 20_000_000), at: time * 1_000_000)
    }
    #expect(scheduler.handle(.tick, at: 300_000_000) == [])
    #expect(
      scheduler.handle(.tick, at: 300_000_001) == [.send(1, attempt: 2, to: 2), .send(2, attempt: 2, to: 2)])
    #expect(scheduler.core.copies == 2)
    let more = (6..<8).map { JobSlice(firstRow: UInt64($0), rows: 1, bytes: 20) }
    #expect(scheduler.handle(.jobsAdded(1, more, isLast: false), at: 310_000_000) == [], "the late worker gets none")
    _ = scheduler.handle(.jobDone(2, 1, attempt: 2, duration: 20_000_000), at: 320_000_000)
    #expect(scheduler.core.age(ofJobOn: 1)?.isLate == true)
    _ = scheduler.handle(.jobDone(1, 1, attempt: 1, duration: 20_000_000), at: 330_000_000)
    #expect(scheduler.core.age(ofJobOn: 1)?.isLate == false, "it continues")
  }

  @Test func aJobThatIsExpectedToTakeLongIsNotLate() {
    _ = scheduler.handle(.batchOpened(1, priority: 0, cost: 10_000_000))
    _ = scheduler.handle(.workerJoined(1, credit: 1), at: 0)
    _ = scheduler.handle(.workerJoined(2, credit: 1), at: 0)
    _ = scheduler.handle(.jobsAdded(1, [JobSlice(firstRow: 0, rows: 1, bytes: 20)], isLast: true), at: 0)
    #expect(scheduler.handle(.tick, at: 600_000_000) == [])
    #expect(scheduler.handle(.tick, at: 600_000_001) == [.send(1, attempt: 2, to: 1)])
  }

  @Test func ownersHaveEqualSharesWhateverTheNumberOfTheirBatches() {
    for batch in 1...6 as ClosedRange<BatchID> {
      scheduler.open(batch, jobs: 4, cost: 1, owner: batch == 6 ? "ann" : "bob")
    }
    var batches: [BatchID] = []
    for worker in 1...8 as ClosedRange<WorkerID> {
      for case .send(let job, _, _) in scheduler.handle(.workerJoined(worker, credit: 1)) {
        batches.append((job - 1) / 4 + 1)
      }
    }
    #expect(batches == [1, 6, 2, 6, 3, 6, 4, 6])
  }

  @Test func anotherWorkerExecutesAJobWhoseResultWasRefused() {
    _ = scheduler.handle(.batchOpened(1, priority: 0))
    _ = scheduler.handle(.workerJoined(1, credit: 1))
    _ = scheduler.handle(.jobsAdded(1, [JobSlice(firstRow: 0, rows: 2, bytes: 100)], isLast: true))
    #expect(scheduler.handle(.resultRefused(1, 1, attempt: 1)) == [.send(1, attempt: 2, to: 1)], "there is no other")
    _ = scheduler.handle(.workerJoined(2, credit: 1))
    #expect(scheduler.handle(.resultRefused(1, 1, attempt: 2)) == [.send(1, attempt: 3, to: 2)])
    for attempt in 3..<UInt32(Scheduler.maxRefusals) {
      let worker: WorkerID = attempt % 2 == 1 ? 2 : 1
      let next = scheduler.handle(.resultRefused(worker, 1, attempt: attempt))
      #expect(next == [.send(1, attempt: attempt + 1, to: 3 - worker)])
    }
    let last = UInt32(Scheduler.maxRefusals)
    #expect(scheduler.handle(.resultRefused(1, 1, attempt: last)) == [.split(1)])
  }

  /// Otherwise two workers with faults would send a job to each other while a third one is idle.
  @Test func eachWorkerTriesARefusedJobBeforeOneReceivesItAgain() {
    _ = scheduler.handle(.batchOpened(1, priority: 0))
    for worker in 1...3 as ClosedRange<WorkerID> { _ = scheduler.handle(.workerJoined(worker, credit: 1)) }
    var effects = scheduler.handle(.jobsAdded(1, [JobSlice(firstRow: 0, rows: 2, bytes: 100)], isLast: true))
    var workers: [WorkerID] = []
    while workers.count < 3, case .send(let job, let attempt, let worker)? = effects.first {
      workers.append(worker)
      effects = scheduler.handle(.resultRefused(worker, job, attempt: attempt))
    }
    #expect(workers.sorted() == [1, 2, 3])
  }

  /// A worker can report the start of a job and leave before it computes the job.
  @Test func aWorkerThatLeavesInGoodOrderDoesNotCountAgainstItsJob() {
    scheduler.open(jobs: 1)
    for attempt in 1...10 as ClosedRange<UInt32> {
      let worker = WorkerID(attempt)
      #expect(scheduler.handle(.workerJoined(worker, credit: 2)) == [.send(1, attempt: attempt, to: worker)])
      _ = scheduler.handle(.jobStarted(worker, 1, attempt: attempt))
      #expect(scheduler.handle(.workerLeft(worker, inGoodOrder: true)) == [])
    }
  }

  @Test func resultsOfOtherAttemptsAreIgnored() {
    _ = scheduler.handle(.batchOpened(1, priority: 0))
    _ = scheduler.handle(.workerJoined(1, credit: 1))
    _ = scheduler.handle(.jobsAdded(1, [JobSlice(firstRow: 0, rows: 1, bytes: 100)], isLast: true))
    #expect(scheduler.handle(.jobDone(1, 1, attempt: 2, duration: 1)) == [])
    #expect(scheduler.handle(.jobReturned(1, 1, attempt: 0)) == [])
    _ = scheduler.handle(.workerJoined(2, credit: 1))
    #expect(scheduler.handle(.workerLeft(1)) == [.probe(1, 2, attempt: 1, worker: 2)])
  }

  @Test func aCancelledBatchIsForgotten() {
    scheduler.open(jobs: 1, bytes: 1)
    #expect(scheduler.handle(.batchCancelled(1)) == [.forget(1)])
    #expect(scheduler.handle(.workerJoined(1, credit: 2)) == [])
  }

  // MARK: Failures found by simulations

  /// Otherwise the job would be lost with its worker, because it would be assigned to the worker without being among
  /// the jobs of the worker.
  @Test func aRepeatedReturnOfAnEarlierAttemptIsIgnored() {
    _ = scheduler.handle(.batchOpened(1, priority: 0))
    _ = scheduler.handle(.workerJoined(1, credit: 1))
    _ = scheduler.handle(.jobsAdded(1, [JobSlice(firstRow: 0, rows: 1, bytes: 1)], isLast: true))
    #expect(scheduler.handle(.jobReturned(1, 1, attempt: 1)) == [.send(1, attempt: 2, to: 1)])
    #expect(scheduler.handle(.jobReturned(1, 1, attempt: 1)) == [])
    _ = scheduler.handle(.workerLeft(1))
    #expect(scheduler.handle(.workerJoined(2, credit: 1)) == [.probe(1, 2, attempt: 1, worker: 2)])
    let done = SchedulerEvent.jobDone(2, 2, attempt: 1, duration: 1)
    #expect(scheduler.handle(done) == [.forget(2), .send(1, attempt: 3, to: 2)])
  }

  /// Otherwise one wrong duration would extend the deadlines of all later jobs without limit.
  @Test func reportedDurationsAreLimitedByTheElapsedTime() {
    _ = scheduler.handle(.batchOpened(1, priority: 0))
    _ = scheduler.handle(.workerJoined(1, credit: 1))
    let slices = (0..<2).map { JobSlice(firstRow: UInt64($0), rows: 1, bytes: 100) }
    _ = scheduler.handle(.jobsAdded(1, slices, isLast: true))
    _ = scheduler.handle(.jobDone(1, 1, attempt: 1, duration: .max))
    #expect(scheduler.core.deadline(of: 2) == 40_000_000_000)
  }

  /// Otherwise a copy would always remain, and the job would not be identified as the cause of the ends of workers.
  @Test func aJobThatEndedAWorkerIsNotCopied() {
    scheduler.open(jobs: 1, rows: 2)
    #expect(scheduler.handle(.workerJoined(1, credit: 1)) == [.send(1, attempt: 1, to: 1)])
    _ = scheduler.handle(.jobStarted(1, 1, attempt: 1))
    _ = scheduler.handle(.tick, at: 0)
    _ = scheduler.handle(.tick, at: 1_000_000_000)
    #expect(scheduler.handle(.workerJoined(2, credit: 1)) == [.send(1, attempt: 2, to: 2)])
    _ = scheduler.handle(.jobStarted(2, 1, attempt: 2))
    _ = scheduler.handle(.workerJoined(3, credit: 1))
    #expect(scheduler.handle(.workerLeft(1)) == [])
    #expect(scheduler.handle(.workerLeft(2)) == [.probe(1, 2, attempt: 1, worker: 3)])
    let done = SchedulerEvent.jobDone(3, 2, attempt: 1, duration: 1)
    #expect(scheduler.handle(done) == [.forget(2), .send(1, attempt: 3, to: 3)])
    _ = scheduler.handle(.jobStarted(3, 1, attempt: 3))
    _ = scheduler.handle(.tick, at: 2_000_000_000)
    #expect(scheduler.handle(.workerJoined(4, credit: 1)) == [])
    #expect(scheduler.handle(.workerLeft(3)) == [.split(1)])
  }

  @Test func jobsBehindTheOneThatEndedAWorkerAreNotSuspect() {
    scheduler.open(jobs: 2)
    #expect(scheduler.handle(.workerJoined(1, credit: 2)).count == 2)
    _ = scheduler.handle(.jobStarted(1, 1, attempt: 1))
    _ = scheduler.handle(.workerLeft(1))
    #expect(scheduler.handle(.workerJoined(2, credit: 1)) == [.probe(1, 3, attempt: 1, worker: 2)])
    let done = SchedulerEvent.jobDone(2, 3, attempt: 1, duration: 1)
    #expect(scheduler.handle(done) == [.forget(3), .send(1, attempt: 2, to: 2)])
    #expect(scheduler.handle(.workerJoined(3, credit: 1)) == [.send(2, attempt: 2, to: 3)])
  }

  /// Workers on a machine with a fault can end at whatever they begin.
  @Test func workersThatAlwaysEndAreNotBlamedOnRows() {
    var actions = scheduler.open(jobs: 3)
    for worker in 2...1000 as ClosedRange<WorkerID> {
      actions = scheduler.handle(.workerJoined(worker, credit: 8))
      for action in actions {
        switch action {
        case .send(let job, let attempt, let worker), .probe(_, let job, let attempt, let worker):
          _ = scheduler.handle(.jobStarted(worker, job, attempt: attempt))
        default: Issue.record("\(action)")
        }
      }
      #expect(scheduler.handle(.workerLeft(worker)).filter { $0 != .forget(scheduler.core.nextJobID - 1) } == [])
    }
    // One worker that finishes jobs is enough.
    actions = scheduler.handle(.workerJoined(1, credit: 8))
    var delivered = 0
    while !actions.isEmpty {
      var next: [SchedulerEffect] = []
      for action in actions {
        switch action {
        case .send(let job, let attempt, let worker), .probe(_, let job, let attempt, let worker):
          next += scheduler.handle(.jobDone(worker, job, attempt: attempt, duration: 1))
        case .deliver: delivered += 1
        case .batchDone, .forget: break
        default: Issue.record("\(action)")
        }
      }
      actions = next
    }
    #expect(delivered == 3 && scheduler.core.isEmpty)
  }

  /// The only worker may be one that is started again each time.
  @Test func aRowThatEndsEveryWorkerIsFoundByProvenWorkers() {
    scheduler.open(jobs: 1)
    var ends = 0
    while !scheduler.core.isEmpty, ends < 10 {
      let worker = WorkerID(ends + 1)
      for action in scheduler.handle(.workerJoined(worker, credit: 8)) {
        if case .probe(_, let job, let attempt, _) = action {
          _ = scheduler.handle(.jobDone(worker, job, attempt: attempt, duration: 1))
        }
      }
      _ = scheduler.handle(.jobStarted(worker, 1, attempt: UInt32(ends + 1)))
      let actions = scheduler.handle(.workerLeft(worker))
      ends += 1
      if ends > Scheduler.maxTries { #expect(actions.first == .failRow(1, 1, .endedWorkers)) }
    }
    #expect(ends == Scheduler.maxTries + 1, "the first worker had not finished a job before")
  }

  /// Otherwise, if the result of the first job is lost, an end of the worker that the second job causes would count
  /// against the first job.
  @Test func noJobIsQueuedBehindAJobThatMayHaveEndedAWorker() {
    scheduler.open(jobs: 2)
    _ = scheduler.handle(.workerJoined(1, credit: 2))
    _ = scheduler.handle(.jobStarted(1, 1, attempt: 1))
    _ = scheduler.handle(.workerLeft(1))
    #expect(scheduler.handle(.workerJoined(2, credit: 2)) == [.probe(1, 3, attempt: 1, worker: 2)])
    #expect(scheduler.handle(.workerJoined(3, credit: 2)) == [.probe(1, 4, attempt: 1, worker: 3)])
    var done = SchedulerEvent.jobDone(2, 3, attempt: 1, duration: 1)
    #expect(scheduler.handle(done) == [.forget(3), .send(1, attempt: 2, to: 2)])
    done = .jobDone(3, 4, attempt: 1, duration: 1)
    #expect(scheduler.handle(done) == [.forget(4), .send(2, attempt: 2, to: 3)])
  }
}
