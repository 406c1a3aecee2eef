import PoolProtocol
import Testing

@testable import PoolCoordinatorCore

/// Tests of the effects that a coordinator's core returns for events of workers, and of the end of a coordinator.
@Suite struct CoordinatorWorkerTests {
  private let coordinator = CoordinatorUnderTest(keepsBatches: false)

  // MARK: Workers

  private static let refused = "refused: 3 of its replies were damaged or invalid; it is refused for 10 minutes"

  @Test func aWorkerThatSendsMalformedResultsIsRefusedOnAnyConnection() {
    coordinator.withBatch()
    #expect(coordinator.sendRows(0..<2) == ["job of 2 rows"])
    #expect(coordinator.sendResult(rows: 2, CoordinatorUnderTest.malformed) == ["job of 2 rows"])
    #expect(coordinator.sendResult(rows: 3) == ["job of 2 rows"])
    #expect(coordinator.sendResult(rows: 2, CoordinatorUnderTest.malformed) == [Self.refused])
    #expect(coordinator.register() == [Self.refused])
    #expect(coordinator.register(as: [9]) == [Self.refused])
    #expect(coordinator.core.metrics.resultsRefused == 3)
    #expect(coordinator.register(process: 1, as: [9]) == ["welcome", "job of 2 rows"], "another process may be good")
  }

  @Test func theJobsOfAWorkerWithADamagedMessageAreExecutedAgain() {
    coordinator.withBatch()
    #expect(coordinator.sendRows(0..<2) == ["job of 2 rows"])
    coordinator.handle(.malformedMessage(from: CoordinatorUnderTest.worker, by: KeyHolder(name: "ann", role: .worker)))
    #expect(coordinator.core.workerCount == 1, "the message came from another peer")
    coordinator.handle(.malformedMessage(from: CoordinatorUnderTest.worker))
    #expect(coordinator.core.workerCount == 0)
    #expect(coordinator.register() == ["welcome", "job of 2 rows"])
  }

  @Test func aWorkerWithAnotherExecutableThanTheOthersIsReported() {
    func warnings() -> Int { coordinator.logs.filter { $0.contains("have different executables") }.count }
    coordinator.register(cells: 7)
    coordinator.register(session: 2, cells: 7, as: [9])
    #expect(warnings() == 0)
    #expect(coordinator.register(session: 3, as: [10]) == ["welcome"], "workers are updated one after the other")
    #expect(coordinator.logs.last?.hasPrefix("worker 3 and worker 1 have different executables: ") == true)
    coordinator.register(session: 4, cells: 8, as: [11])
    #expect(warnings() == 2)
  }

  /// Has a worker send as many malformed results as make it distrusted.
  private func distrust(
    _ coordinator: CoordinatorUnderTest, process: Int64, host: String, _ worker: PeerIdentity, _ holder: KeyHolder
  ) {
    #expect(
      coordinator.register(process: process, host: host, as: worker, by: holder) == ["welcome", "job of 2 rows"])
    for _ in 0..<3 {
      coordinator.sendResult(rows: 2, CoordinatorUnderTest.malformed, from: worker, by: holder)
    }
    #expect(coordinator.core.workerCount == 0)
  }

  /// systemd starts a worker again that was refused, as another process.
  @Test func aDistrustedWorkerWithAKeyIsRefusedAfterItsRestart() {
    let farm = KeyHolder(name: "farm", role: .worker)
    coordinator.submit()
    coordinator.sendRows(0..<2)
    distrust(coordinator, process: 1, host: "a", [2], farm)
    #expect(coordinator.register(process: 2, host: "a", as: [3], by: farm) == [Self.refused])
    coordinator.advance(milliseconds: 599_999)
    #expect(coordinator.register(process: 3, host: "a", as: [3], by: farm) == [Self.refused])
    coordinator.advance(milliseconds: 1)
    #expect(coordinator.register(process: 4, host: "a", as: [3], by: farm).first == "welcome")
  }

  @Test func aKeyWithFaultsOnSeveralMachinesIsRefusedOnAll() {
    let farm = KeyHolder(name: "farm", role: .worker)
    coordinator.submit()
    coordinator.sendRows(0..<2)
    for (number, host) in ["a", "b", "c"].enumerated() {
      distrust(coordinator, process: 1, host: host, [UInt8(number + 2)], farm)
    }
    #expect(coordinator.register(process: 1, host: "d", as: [9], by: farm) == [Self.refused])
    let other = KeyHolder(name: "other", role: .worker)
    #expect(coordinator.register(process: 1, host: "a", as: [9], by: other) == ["welcome", "job of 2 rows"])
  }

  @Test func theNumberOfDistrustedWorkersIsBounded() {
    var distrusted = DistrustedWorkers()
    func origin(_ process: Int) -> DistrustedWorkers.Origin {
      DistrustedWorkers.Origin(.withoutKey, PeerOrigin(host: "a", process: Int64(process)))
    }
    for process in 0..<40 { distrusted.add(origin(process), at: UInt64(process)) }
    #expect(distrusted.count == 40)
    for process in 0...DistrustedWorkers.maxCount { distrusted.add(origin(1000 + process), at: 100) }
    #expect(distrusted.count == DistrustedWorkers.maxCount)
    let holdsTheOldest = distrusted.contains(origin(0), at: 100)
    let holdsTheLast = distrusted.contains(origin(1000 + DistrustedWorkers.maxCount), at: 100)
    #expect(!holdsTheOldest && holdsTheLast)
    _ = distrusted.contains(origin(0), at: 100 + DistrustedWorkers.time)
    #expect(distrusted.count == 0, "all have expired")
  }

  @Test func aResultThatDiffersFromItsChecksumIsComputedAgain() {
    coordinator.withBatch()
    coordinator.sendRows(0..<2)
    #expect(coordinator.sendResult(rows: 2, checksum: 7) == ["job of 2 rows"])
    #expect(coordinator.logs.last?.contains("columns that differ from their checksum") == true)
    #expect(coordinator.sendResult(rows: 2) == ["rows 0+2", "done 2"])
  }

  @Test func rowsThatDifferFromTheirChecksumAreNotLaidOut() {
    coordinator.submit()
    #expect(
      coordinator.sendRows(0..<2, checksum: 7)
        == ["failed: rows of the batch were damaged on their way: they differ from their checksum"])
    let keeping = CoordinatorUnderTest()
    keeping.open()
    #expect(keeping.sendRows(0..<2, checksum: 7) == ["accepted with 0 rows"])
    #expect(keeping.sendRows(0..<2) == ["append rows and synchronize"])
  }

  /// A worker on another machine can state any number of a process, by chance or on purpose.
  @Test func onlyProcessesThatTheCoordinatorStartedAreKilled() {
    let coordinator = CoordinatorUnderTest(keepsBatches: false, processes: 1)
    coordinator.handle(.tick)
    coordinator.handle(.processStarted(77, session: 123))
    coordinator.submit()
    coordinator.sendRows(0..<2)
    for (session, effects) in [(5, []), (123, ["kill process 77"])] as [(UInt64, [String])] {
      coordinator.register(process: 77, session: session, as: [UInt8(session)])
      for _ in 0..<2 { coordinator.sendResult(rows: 2, CoordinatorUnderTest.malformed, from: [UInt8(session)]) }
      #expect(
        coordinator.sendResult(rows: 2, CoordinatorUnderTest.malformed, from: [UInt8(session)])
          == effects + [Self.refused])
    }
  }

  /// A process that is stopped before it registers, or while its connection is lost, would never be missed.
  @Test func aProcessThatDoesNotRegisterIsEnded() {
    let coordinator = CoordinatorUnderTest(processes: 1)
    coordinator.handle(.tick)
    coordinator.handle(.processStarted(77, session: 123))
    func kills(after seconds: Int) -> [String] {
      (0..<seconds).flatMap { _ in
        coordinator.advance(milliseconds: 1000)
        return coordinator.handle(.tick).filter { $0.hasPrefix("kill") }
      }
    }
    #expect(kills(after: 29) == [])
    coordinator.register(process: 77, session: 123)
    #expect(kills(after: 60) == [], "it is registered")
    coordinator.handle(.unreachable(CoordinatorUnderTest.worker))
    #expect(kills(after: 29) == [])
    #expect(kills(after: 2) == ["kill process 77"])
    #expect(kills(after: 1) == [], "it is ended once")
  }

  /// Otherwise a coordinator that was stopped ends all processes whose registrations came meanwhile.
  @Test func theCoordinatorsOwnPauseIsNoAbsenceOfAProcess() {
    let coordinator = CoordinatorUnderTest(processes: 1)
    coordinator.handle(.tick)
    coordinator.handle(.processStarted(77, session: 123))
    coordinator.advance(milliseconds: 600_000)
    #expect(coordinator.handle(.tick) == [])
    #expect(coordinator.register(process: 77, session: 123) == ["welcome"])
  }

  @Test func theEndOfAProcessDoesNotRemoveAWorkerThatStatesTheSameNumber() {
    let coordinator = CoordinatorUnderTest(processes: 1)
    coordinator.handle(.tick)
    coordinator.handle(.processStarted(77, session: 123))
    coordinator.register(process: 77, session: 5)
    coordinator.handle(.processEnded(77, how: "signal 9"))
    #expect(coordinator.core.workerCount == 1)
  }

  @Test func aWorkerReceivesTheProgramThatItAsksFor() {
    coordinator.register()
    func ask(_ program: ProgramID, at offset: UInt64) -> [String] {
      coordinator.receive(.programWanted(ProgramRequest(program, offset: offset, count: 1 << 20)))
    }
    #expect(ask([7], at: 0) == ["program of 3 bytes from 0"])
    #expect(ask([7], at: 2) == ["program of 3 bytes from 2"])
    #expect(ask([7], at: 3) == [])
    #expect(ask([8], at: 0) == ["program of 0 bytes from 0"], "the coordinator does not have it")
  }

  /// A worker registers again when it hears nothing, for example because its connection is slow.
  @Test func aWorkerThatRegistersAgainKeepsItsJobs() {
    #expect(coordinator.register(session: 3) == ["welcome"])
    coordinator.submit()
    #expect(coordinator.sendRows(0..<2) == ["job of 2 rows"])
    #expect(coordinator.register(session: 3) == [])
    #expect(coordinator.sendResult(rows: 2) == ["rows 0+2", "done 2"])
  }

  @Test func aWorkerThatComesOnAnotherConnectionIsNotTakenForDead() {
    coordinator.register(session: 3)
    coordinator.submit()
    coordinator.sendRows(0..<2)
    _ = coordinator.receive(.started(coordinator.job))
    #expect(coordinator.register(session: 3, as: [9]) == ["welcome", "job of 2 rows"])
    #expect(coordinator.core.workerCount == 1)
  }

  /// Over a slow connection a job and its program can take longer to arrive than a job may take.
  @Test func aWorkerThatWaitsForItsProgramIsNotGivenUp() {
    coordinator.withBatch()
    coordinator.sendRows(0..<2)
    for step in 0..<300 {
      coordinator.advance(milliseconds: 250)
      #expect(coordinator.handle(.tick) == [])
      if step % 8 == 0 { _ = coordinator.receive(.programWanted(ProgramRequest([7], offset: 3, count: 1))) }
    }
    #expect(coordinator.core.workerCount == 1)
    for _ in 0..<70 {
      coordinator.advance(milliseconds: 250)
      coordinator.handle(.tick)
    }
    #expect(coordinator.core.workerCount == 0, "it did not ask for more")
  }

  /// A connection can carry messages in one direction only, so that the job never arrives.
  @Test func aWorkerThatOnlyRegistersAgainIsGivenUpAtTheDeadlineOfItsJob() {
    coordinator.withBatch()
    coordinator.sendRows(0..<2)
    for step in 1...60 {
      coordinator.advance(milliseconds: 250)
      coordinator.handle(.tick)
      if step % 4 == 0 { #expect(coordinator.register() == []) }
    }
    coordinator.send(.status, from: [9])
    let status = coordinator.status.workers.first
    #expect(status?.seen == 0 && status?.jobAge == 15 && status?.late == true)
    coordinator.advance(milliseconds: 250)
    coordinator.handle(.tick)
    #expect(coordinator.core.workerCount == 0)
    #expect(coordinator.register(as: [8]) == ["welcome", "job of 0 rows"], "it shows that it can finish jobs")
    #expect(coordinator.sendResult(rows: 0, from: [8]) == ["job of 2 rows"])
  }

  @Test func aJobWhoseColumnsAreTooLargeIsSplit() {
    coordinator.withBatch()
    coordinator.sendRows(0..<2)
    #expect(coordinator.receive(.tooLarge(coordinator.job)) == ["job of 1 rows"])
    #expect(coordinator.receive(.tooLarge(coordinator.job)) == ["rows 0+1", "job of 1 rows"])
    #expect(coordinator.logs.last?.contains("more than 64 MiB") == true)
  }

  @Test func resultsOfShortJobsAreSentInOneMessage() {
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
    coordinator.handle(.processStarted(1, session: 1))
    #expect(coordinator.handle(.processEnded(1, how: "exit code 1")) == ["start process"])
    for (process, milliseconds) in [(2, 20), (3, 40), (4, 80)] as [(Int64, UInt64)] {
      coordinator.handle(.processStarted(process, session: UInt64(process)))
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
      coordinator.handle(.processStarted(process, session: UInt64(process)))
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

  @Test func keptBatchesWaitForAProcessThatCannotBeStarted() {
    let coordinator = CoordinatorUnderTest(processes: 1)
    coordinator.open()
    coordinator.handle(.tick)
    #expect(coordinator.handle(.processStartFailed(reason: "no memory")) == ["waiting: no memory"])
    #expect(coordinator.logs.last == "no memory; it is tried again")
    coordinator.advance(milliseconds: 2000)
    #expect(coordinator.handle(.tick) == ["start process"])
    #expect(coordinator.core.batchNames.count == 1)
  }

  @Test func batchesThatAreDoneStayWhenWorkersCannotRun() {
    let coordinator = CoordinatorUnderTest(processes: 1).withBatch(isDetached: true)
    coordinator.sendRows(0..<2)
    coordinator.noteAppended()
    coordinator.handle(.read(coordinator.batch, [CoordinatorUnderTest.lines(0..<2)]))
    coordinator.sendResult(rows: 2)
    coordinator.noteAppended()
    let done = "batches: \(BatchName.text(coordinator.batch)) done"
    #expect(coordinator.list() == [done])
    for process in 1...Int64(WorkerFleet.maxEnds) {
      coordinator.handle(.tick)
      coordinator.handle(.processStarted(process, session: UInt64(process)))
      coordinator.handle(.processEnded(process, how: "signal 9 (Killed)"))
      coordinator.advance(milliseconds: 2000)
    }
    #expect(coordinator.list() == [done])
  }

  // MARK: End of the coordinator

  @Test func aCoordinatorThatDrainsEndsAfterItsBatches() {
    coordinator.withBatch()
    #expect(coordinator.handle(.stop(drains: true)) == [])
    #expect(coordinator.logs.last == "finishing 1 batches, accepting no others")
    #expect(
      coordinator.submit() == ["failed: the coordinator is about to stop and takes no new batches"])
    #expect(coordinator.sendRows(0..<2) == ["job of 2 rows"])
    #expect(coordinator.sendResult(rows: 2) == ["rows 0+2", "done 2", "drain", "end"])
  }

  @Test func aCoordinatorWithoutBatchesEndsAtOnce() {
    coordinator.register()
    #expect(coordinator.handle(.stop(drains: true)) == ["drain", "end"])
  }

  @Test func processesThatEndWhileTheCoordinatorDrainsAreReplaced() {
    let coordinator = CoordinatorUnderTest(keepsBatches: false, processes: 1)
    coordinator.handle(.tick)
    coordinator.handle(.processStarted(1, session: 1))
    coordinator.submit()
    coordinator.handle(.stop(drains: true))
    #expect(coordinator.handle(.processEnded(1, how: "signal 9")) == ["start process"])
  }

  @Test func keptBatchesRemainAndOthersFailWhenTheCoordinatorStops() {
    let coordinator = CoordinatorUnderTest().withBatch()
    #expect(coordinator.handle(.stop(drains: true)) == ["drain", "end"])
    let other = CoordinatorUnderTest(keepsBatches: false)
    other.submit()
    #expect(other.handle(.stop(drains: false)) == ["failed: the coordinator stops", "end"])
  }
}
