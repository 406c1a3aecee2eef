import Testing

@testable import PoolCoordinatorCore

/// Tests of the effects that a coordinator's core returns for events of workers, and of the end of a coordinator.
@Suite struct CoordinatorWorkerTests {
  // MARK: Workers

  @Test func aWorkerThatSendsAMalformedResultIsRefusedPermanently() {
    let coordinator = CoordinatorUnderTest(keepsBatches: false)
    coordinator.register()
    coordinator.submit()
    #expect(coordinator.sendRows(0..<2) == ["job of 2 rows with program"])
    let refused = "refused: it answered a job with what is no result"
    #expect(coordinator.sendResult(rows: 2, CoordinatorUnderTest.malformed) == [refused])
    #expect(coordinator.register() == [refused])
  }

  @Test func aProgramIsSentOnlyWithTheFirstJob() {
    let coordinator = CoordinatorUnderTest(keepsBatches: false)
    coordinator.register()
    coordinator.submit()
    #expect(coordinator.sendRows(0..<2, isLast: false) == ["job of 2 rows with program"])
    #expect(coordinator.sendResult(rows: 2) == ["rows 0+2"])
    coordinator.advance(milliseconds: 10)
    #expect(coordinator.sendRows(2..<3) == ["job of 1 rows"])
    #expect(coordinator.sendResult(rows: 1) == ["rows 2+1", "done 3"])
  }

  @Test func resultsOfShortJobsAreSentInOneMessage() {
    let coordinator = CoordinatorUnderTest(keepsBatches: false)
    coordinator.handle(.tick)
    coordinator.register()
    coordinator.submit()
    coordinator.sendRows(0..<1, isLast: false)
    #expect(coordinator.sendResult(rows: 1) == ["rows 0+1"])
    coordinator.sendRows(1..<2, isLast: false)
    #expect(coordinator.sendResult(rows: 1) == [], "the last message is less than a millisecond old")
    #expect(coordinator.core.nextTick == coordinator.now + 1_000_000)
    coordinator.advance(milliseconds: 1)
    #expect(coordinator.handle(.tick) == ["rows 1+1"])
  }

  // MARK: Processes

  @Test func processesAreRestartedWithBackOff() {
    let coordinator = CoordinatorUnderTest(processes: 1)
    #expect(coordinator.handle(.tick) == ["start process"])
    #expect(coordinator.handle(.tick) == [], "it is being started")
    coordinator.handle(.processStarted(1))
    #expect(coordinator.handle(.processEnded(1, how: "exit code 1")) == ["start process"])
    for (process, milliseconds) in [(2, 20), (3, 40), (4, 80)] as [(Int64, UInt64)] {
      coordinator.handle(.processStarted(process))
      #expect(coordinator.handle(.processEnded(process, how: "exit code 1")) == [])
      coordinator.advance(milliseconds: milliseconds - 1)
      #expect(coordinator.handle(.tick) == [])
      coordinator.advance(milliseconds: 1)
      #expect(coordinator.handle(.tick) == ["start process"])
    }
  }

  @Test func batchesFailWhenProcessesEndWithoutFinishingAJob() {
    let coordinator = CoordinatorUnderTest(keepsBatches: false, processes: 1)
    coordinator.submit()
    var effects: [String] = []
    for process in 1...Int64(WorkerFleet.maxEnds) {
      #expect(coordinator.handle(.tick) == ["start process"] || process > 1)
      coordinator.handle(.processStarted(process))
      effects = coordinator.handle(.processEnded(process, how: "exit code 1"))
      coordinator.advance(milliseconds: 2000)
    }
    #expect(
      effects == [
        "failed: \(WorkerFleet.maxEnds) worker processes ended without finishing a job between them; "
          + "the last: exit code 1"
      ])
    #expect(coordinator.handle(.tick) == [])
    // Processes are started again for the next batch, because its jobs may succeed.
    coordinator.submit()
    #expect(coordinator.handle(.tick) == ["start process"])
  }

  @Test func aProcessThatCannotBeStartedEndsBatchesAndIsRetriedLater() {
    let coordinator = CoordinatorUnderTest(keepsBatches: false, processes: 1)
    coordinator.submit()
    coordinator.handle(.tick)
    #expect(coordinator.handle(.processStartFailed(reason: "no memory")) == ["failed: no memory"])
    coordinator.advance(milliseconds: 1999)
    #expect(coordinator.handle(.tick) == [])
    coordinator.advance(milliseconds: 1)
    #expect(coordinator.handle(.tick) == ["start process"])
  }

  // MARK: End of the coordinator

  @Test func aCoordinatorThatDrainsEndsAfterItsBatches() {
    let coordinator = CoordinatorUnderTest(keepsBatches: false)
    coordinator.register()
    coordinator.submit()
    #expect(coordinator.handle(.stop(drains: true)) == [])
    #expect(coordinator.logs.last == "finishing 1 batches, accepting no others")
    #expect(
      coordinator.submit() == ["failed: the coordinator is about to stop and takes no new batches"])
    #expect(coordinator.sendRows(0..<2) == ["job of 2 rows with program"])
    #expect(coordinator.sendResult(rows: 2) == ["rows 0+2", "done 2", "drain", "end"])
  }

  @Test func aCoordinatorWithoutBatchesEndsAtOnce() {
    let coordinator = CoordinatorUnderTest(keepsBatches: false)
    coordinator.register()
    #expect(coordinator.handle(.stop(drains: true)) == ["drain", "end"])
  }

  @Test func processesThatEndWhileTheCoordinatorDrainsAreReplaced() {
    let coordinator = CoordinatorUnderTest(keepsBatches: false, processes: 1)
    coordinator.handle(.tick)
    coordinator.handle(.processStarted(1))
    coordinator.submit()
    coordinator.handle(.stop(drains: true))
    #expect(coordinator.handle(.processEnded(1, how: "signal 9")) == ["start process"])
  }

  @Test func keptBatchesRemainAndOthersFailWhenTheCoordinatorStops() {
    let coordinator = CoordinatorUnderTest()
    coordinator.register()
    coordinator.open()
    #expect(coordinator.handle(.stop(drains: true)) == ["drain", "end"])
    let other = CoordinatorUnderTest(keepsBatches: false)
    other.submit()
    #expect(other.handle(.stop(drains: false)) == ["failed: the coordinator was told to stop", "end"])
  }
}
