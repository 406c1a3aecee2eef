import Testing

@testable import PoolScheduler

/// Events that a scheduler receives, and the actions that it returns.
@Suite struct SchedulerTests {
  @Test func jobsAreSizedByMeasuredWork() {
    let scheduler = Scheduler()
    _ = scheduler.handle(.batchOpened(1, priority: 0))
    #expect(scheduler.jobBytes(of: 1, outOf: 1_000_000) == Scheduler.initialJobBytes)
    _ = scheduler.handle(.workerJoined(1, credit: 1))
    _ = scheduler.handle(.jobsAdded(1, [JobSlice(firstRow: 0, rows: 10, bytes: 10_000)], isLast: false))
    // 250 ns a byte: 25 ms are 100,000 bytes.
    _ = scheduler.handle(.jobDone(1, 1, attempt: 1, duration: 2_500_000))
    #expect(scheduler.jobBytes(of: 1, outOf: 1_000_000) == 100_000)
  }

  /// So that a short batch does not wait for one worker while others have nothing to do.
  @Test func idleWorkersShareWhatThereIs() {
    let scheduler = Scheduler()
    // 250 ns a byte: 25 ms are 100,000 bytes, and a tenth of that is worth a job.
    _ = scheduler.handle(.batchOpened(1, priority: 0, cost: 250))
    #expect(scheduler.jobBytes(of: 1, outOf: 60_000) == 60_000)
    for worker in 1...4 as ClosedRange<WorkerID> { _ = scheduler.handle(.workerJoined(worker, credit: 1)) }
    #expect(scheduler.jobBytes(of: 1, outOf: 60_000) == 15_000)
    #expect(scheduler.jobBytes(of: 1, outOf: 1_000_000) == 100_000)
    #expect(scheduler.jobBytes(of: 1, outOf: 20_000) == 10_000)
    let slices = (0..<3).map { JobSlice(firstRow: UInt64($0), rows: 1, bytes: 100) }
    _ = scheduler.handle(.jobsAdded(1, slices, isLast: false))
    #expect(scheduler.jobBytes(of: 1, outOf: 60_000) == 60_000)
  }

  @Test func aWorkerThatHoldsAJobForTooLongIsGivenUp() {
    let scheduler = Scheduler(jobDeadline: 10)
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
    let scheduler = Scheduler(jobDeadline: 10)
    _ = scheduler.handle(.workerJoined(1, credit: 2))
    _ = scheduler.handle(.batchOpened(1, priority: 0))
    _ = scheduler.handle(.jobsAdded(1, [JobSlice(firstRow: 0, rows: 4, bytes: 100)], isLast: true))
    #expect(scheduler.handle(.tick(now: 77_000_000_000_000)) == [])
    #expect(scheduler.handle(.tick(now: 99_000_000_000_000)) == [])
  }

  @Test func batchesTakeTurns() {
    let scheduler = Scheduler()
    for batch in [BatchID(1), 2] {
      _ = scheduler.handle(.batchOpened(batch, priority: 0, cost: 1))
      let slices = (0..<4).map { JobSlice(firstRow: UInt64($0), rows: 1, bytes: 1) }
      _ = scheduler.handle(.jobsAdded(batch, slices, isLast: true))
    }
    let sent = scheduler.handle(.workerJoined(9, credit: 4)).compactMap { action -> BatchID? in
      if case .send(let job, _, _) = action { return scheduler.state.jobs[job]?.batch.id }
      return nil
    }
    #expect(sent == [1, 2, 1, 2])
  }

  @Test func batchesOfAHigherPriorityGoFirst() {
    let scheduler = Scheduler()
    for (batch, priority) in [(BatchID(1), Int32(0)), (2, 5), (3, 5)] {
      _ = scheduler.handle(.batchOpened(batch, priority: priority, cost: 1))
      let slices = (0..<2).map { JobSlice(firstRow: UInt64($0), rows: 1, bytes: 1) }
      _ = scheduler.handle(.jobsAdded(batch, slices, isLast: true))
    }
    let sent = scheduler.handle(.workerJoined(9, credit: 6)).compactMap { action -> BatchID? in
      if case .send(let job, _, _) = action { return scheduler.state.jobs[job]?.batch.id }
      return nil
    }
    #expect(sent == [2, 3, 2, 3, 1, 1])
  }

  /// A worker has two jobs, or as many short ones as keep it busy for a moment.
  @Test func workersHaveMoreOfShortJobs() {
    func sent(cost: Double?, to credit: Int) -> Int {
      let scheduler = Scheduler()
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

  /// What is over in a moment is not worth doing twice, unless it is not over then.
  @Test func shortJobsAreDoneTwiceOnlyAfterAWhile() {
    let scheduler = Scheduler()
    _ = scheduler.handle(.tick(now: 1_000_000_000))
    _ = scheduler.handle(.batchOpened(1, priority: 0, cost: 1000))
    _ = scheduler.handle(.workerJoined(1, credit: 8))
    let slices = (0..<2).map { JobSlice(firstRow: UInt64($0), rows: 1, bytes: 100) }
    _ = scheduler.handle(.jobsAdded(1, slices, isLast: true))
    #expect(scheduler.handle(.workerJoined(2, credit: 8)) == [])
    #expect(scheduler.handle(.tick(now: 1_100_000_000)) == [.send(2, attempt: 2, to: 2)])
  }

  /// At the end of a batch, a worker with nothing to do takes what another has not come to; the first answer counts.
  @Test func stragglersAreDoneTwice() {
    let scheduler = Scheduler()
    _ = scheduler.handle(.batchOpened(1, priority: 0))
    _ = scheduler.handle(.workerJoined(1, credit: 2))
    let slices = (0..<3).map { JobSlice(firstRow: UInt64($0), rows: 1, bytes: 100) }
    _ = scheduler.handle(.jobsAdded(1, slices, isLast: true))
    #expect(scheduler.handle(.workerJoined(2, credit: 2)) == [.send(3, attempt: 1, to: 2)])
    let done = scheduler.handle(.jobDone(2, 3, attempt: 1, duration: 10_000_000))
    #expect(done == [.send(1, attempt: 2, to: 2)] || done == [.send(2, attempt: 2, to: 2)])
    let copied: JobID = done == [.send(1, attempt: 2, to: 2)] ? 1 : 2
    _ = scheduler.handle(.jobDone(2, copied, attempt: 2, duration: 10_000_000))
    #expect(!scheduler.isCurrent(1, copied, attempt: 1))
    let other: JobID = 3 - copied
    let last = scheduler.handle(.jobDone(1, other, attempt: 1, duration: 10_000_000))
    #expect(last.contains(.batchDone(1, rows: 3, cost: 100_000)))
    #expect(scheduler.handle(.jobDone(1, copied, attempt: 1, duration: 10_000_000)) == [])
  }

  /// What waits behind a row that never ends is done by others before that row is tried by another.
  @Test func whatWaitsIsDoneTwiceBeforeWhatHangs() {
    let scheduler = Scheduler()
    _ = scheduler.handle(.tick(now: 1_000_000_000))
    _ = scheduler.handle(.workerJoined(1, credit: 8))
    for batch in [BatchID(1), 2] {
      _ = scheduler.handle(.batchOpened(batch, priority: 0, cost: 1000))
      _ = scheduler.handle(.jobsAdded(batch, [JobSlice(firstRow: 0, rows: 1, bytes: 100)], isLast: true))
    }
    _ = scheduler.handle(.workerJoined(2, credit: 8))
    #expect(scheduler.handle(.tick(now: 1_240_000_000)) == [.send(2, attempt: 2, to: 2)])
    #expect(scheduler.handle(.jobDone(2, 2, attempt: 2, duration: 1)).contains(.send(1, attempt: 2, to: 2)))
  }

  /// A worker can have said that it begins a job and find then that it is to leave.
  @Test func aGoodbyeBlamesNoJob() {
    let scheduler = Scheduler()
    _ = scheduler.handle(.batchOpened(1, priority: 0))
    _ = scheduler.handle(.jobsAdded(1, [JobSlice(firstRow: 0, rows: 1, bytes: 100)], isLast: true))
    for attempt in 1...10 as ClosedRange<UInt32> {
      let worker = WorkerID(attempt)
      #expect(scheduler.handle(.workerJoined(worker, credit: 2)) == [.send(1, attempt: attempt, to: worker)])
      _ = scheduler.handle(.jobStarted(worker, 1, attempt: attempt))
      #expect(scheduler.handle(.workerLeft(worker, inGoodOrder: true)) == [])
    }
  }

  @Test func anAnswerToAnotherAttemptLosesNothing() {
    let scheduler = Scheduler()
    _ = scheduler.handle(.batchOpened(1, priority: 0))
    _ = scheduler.handle(.workerJoined(1, credit: 1))
    _ = scheduler.handle(.jobsAdded(1, [JobSlice(firstRow: 0, rows: 1, bytes: 100)], isLast: true))
    #expect(scheduler.handle(.jobDone(1, 1, attempt: 2, duration: 1)) == [])
    #expect(scheduler.handle(.jobReturned(1, 1, attempt: 0)) == [])
    _ = scheduler.handle(.workerJoined(2, credit: 1))
    #expect(scheduler.handle(.workerLeft(1)) == [.send(1, attempt: 2, to: 2)])
  }

  @Test func aCancelledBatchIsForgotten() {
    let scheduler = Scheduler()
    _ = scheduler.handle(.batchOpened(1, priority: 0))
    _ = scheduler.handle(.jobsAdded(1, [JobSlice(firstRow: 0, rows: 1, bytes: 1)], isLast: true))
    #expect(scheduler.handle(.batchCancelled(1)) == [.forget(1)])
    #expect(scheduler.handle(.workerJoined(1, credit: 2)) == [])
  }

  // MARK: What simulations found

  /// Else the job would be lost with the worker: on it, and yet not among its jobs.
  @Test func anAnswerToAnEarlierAttemptEndsNothing() {
    let scheduler = Scheduler()
    _ = scheduler.handle(.batchOpened(1, priority: 0))
    _ = scheduler.handle(.workerJoined(1, credit: 1))
    _ = scheduler.handle(.jobsAdded(1, [JobSlice(firstRow: 0, rows: 1, bytes: 1)], isLast: true))
    #expect(scheduler.handle(.jobReturned(1, 1, attempt: 1)) == [.send(1, attempt: 2, to: 1)])
    #expect(scheduler.handle(.jobReturned(1, 1, attempt: 1)) == [])
    _ = scheduler.handle(.workerLeft(1))
    #expect(scheduler.handle(.workerJoined(2, credit: 1)) == [.send(1, attempt: 3, to: 2)])
  }

  /// Else one such word would keep every later job from ever being late.
  @Test func aWorkersWordForItsTimeCountsAsFarAsTheClockBearsItOut() {
    let scheduler = Scheduler(jobDeadline: 10)
    _ = scheduler.handle(.batchOpened(1, priority: 0))
    _ = scheduler.handle(.workerJoined(1, credit: 1))
    let slices = (0..<2).map { JobSlice(firstRow: UInt64($0), rows: 1, bytes: 100) }
    _ = scheduler.handle(.jobsAdded(1, slices, isLast: true))
    _ = scheduler.handle(.jobDone(1, 1, attempt: 1, duration: .max))
    #expect(scheduler.deadline(of: 2) == 40_000_000_000)
  }

  /// Else a copy would always be left that goes on, and none to blame the job for.
  @Test func aJobThatEndedAWorkerIsNotCopied() {
    let scheduler = Scheduler(jobDeadline: 10)
    _ = scheduler.handle(.batchOpened(1, priority: 0))
    _ = scheduler.handle(.jobsAdded(1, [JobSlice(firstRow: 0, rows: 2, bytes: 100)], isLast: true))
    #expect(scheduler.handle(.workerJoined(1, credit: 1)) == [.send(1, attempt: 1, to: 1)])
    _ = scheduler.handle(.jobStarted(1, 1, attempt: 1))
    _ = scheduler.handle(.tick(now: 0))
    _ = scheduler.handle(.tick(now: 1_000_000_000))
    #expect(scheduler.handle(.workerJoined(2, credit: 1)) == [.send(1, attempt: 2, to: 2)])
    _ = scheduler.handle(.jobStarted(2, 1, attempt: 2))
    _ = scheduler.handle(.workerJoined(3, credit: 1))
    #expect(scheduler.handle(.workerLeft(1)) == [])
    #expect(scheduler.handle(.workerLeft(2)) == [.split(1)])
  }

  /// Else it would be blamed for what the job behind it does, when word that it is done gets lost.
  @Test func nothingIsSentBehindAJobThatMayHaveEndedAWorker() {
    let scheduler = Scheduler()
    _ = scheduler.handle(.batchOpened(1, priority: 0))
    let slices = (0..<2).map { JobSlice(firstRow: UInt64($0), rows: 1, bytes: 100) }
    _ = scheduler.handle(.jobsAdded(1, slices, isLast: true))
    _ = scheduler.handle(.workerJoined(1, credit: 2))
    _ = scheduler.handle(.jobStarted(1, 1, attempt: 1))
    _ = scheduler.handle(.workerLeft(1))
    #expect(scheduler.handle(.workerJoined(2, credit: 2)) == [.send(1, attempt: 2, to: 2)])
    #expect(scheduler.handle(.workerJoined(3, credit: 2)) == [.send(2, attempt: 2, to: 3)])
  }
}
