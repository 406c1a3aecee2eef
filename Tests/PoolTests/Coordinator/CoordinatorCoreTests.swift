import Buffers
import Hashing
import PoolProtocol
import Testing

@testable import PoolCoordinatorCore

/// Effects that a coordinator's core returns for events.
@Suite struct CoordinatorCoreTests {
  // MARK: Journals

  @Test func aKeptBatchConfirmsRowsOnlyWhenTheJournalHasThem() {
    let coordinator = CoordinatorUnderTest()
    #expect(coordinator.submit() == ["create journal"])
    #expect(coordinator.handle(.journalCreated(coordinator.batch)) == ["accepted with 0 rows"])
    #expect(coordinator.sendRows(0..<2, isLast: false) == ["append rows"])
    #expect(coordinator.noteAppended() == ["stored 2 rows"])
    #expect(coordinator.sendRows(2..<5) == ["append rows and synchronize"])
    #expect(coordinator.noteAppended() == ["stored 5 rows, complete"])
  }

  @Test func rowsThatComeBeforeTheJournalIsCreatedAreKept() {
    let coordinator = CoordinatorUnderTest()
    coordinator.register()
    coordinator.submit()
    #expect(coordinator.sendRows(0..<2) == ["append rows and synchronize"])
    #expect(coordinator.handle(.journalCreated(coordinator.batch)) == ["accepted with 0 rows"])
    #expect(coordinator.noteAppended() == ["stored 2 rows, complete", "job of 2 rows with program"])
  }

  @Test func rowsThatTheClientSendsAgainAreNotInTheJournal() {
    let coordinator = CoordinatorUnderTest()
    coordinator.submit(resendsRows: true)
    coordinator.handle(.journalCreated(coordinator.batch))
    #expect(coordinator.sendRows(0..<2) == ["stored 2 rows, complete"])
  }

  @Test func resultsAreDeliveredOnlyWhenTheJournalHasThem() {
    let coordinator = CoordinatorUnderTest()
    coordinator.register()
    coordinator.open()
    coordinator.sendRows(0..<2)
    #expect(coordinator.noteAppended().contains("job of 2 rows with program"))
    #expect(coordinator.sendResult(rows: 2) == ["append results"])
    #expect(coordinator.noteAppended() == ["rows 0+2", "done 2"])
  }

  @Test func resultsOfADetachedBatchAreReadFromTheJournalWhenAClientFetchesThem() {
    let coordinator = CoordinatorUnderTest()
    coordinator.register()
    coordinator.open(isDetached: true)
    coordinator.sendRows(0..<2)
    // The rows are read from the journal too.
    #expect(coordinator.noteAppended() == ["stored 2 rows, complete", "read 1"])
    let lines = CoordinatorUnderTest.lines(0..<2)
    #expect(coordinator.handle(.read(coordinator.batch, [lines])) == ["job of 2 rows with program"])
    #expect(coordinator.sendResult(rows: 2) == ["append results"])
    #expect(coordinator.noteAppended() == [])
    coordinator.handle(.unreachable(CoordinatorUnderTest.client))
    let name = OpenBatch.name(coordinator.batch)
    #expect(coordinator.attach(name, session: 6, as: [9]) == ["accepted with 2 rows, complete", "read 1"])
    let columns = OwnedBytes(copying: [1, 2])
    #expect(coordinator.handle(.read(coordinator.batch, [columns])) == ["rows 0+2", "done 2"])
  }

  @Test func aJournalThatFailsEndsItsBatchWithTheReason() {
    let coordinator = CoordinatorUnderTest()
    coordinator.open()
    coordinator.sendRows(0..<2)
    let effects = coordinator.handle(.journalFailed(coordinator.batch, reason: "no space"))
    #expect(effects == ["failed: no space", "remove journal"])
    #expect(coordinator.core.batchNames.isEmpty)
    #expect(coordinator.noteAppended() == [], "what follows concerns nobody")
  }

  @Test func aJournalThatCannotBeCreatedEndsItsBatchWithTheReason() {
    let coordinator = CoordinatorUnderTest()
    coordinator.submit()
    #expect(coordinator.handle(.journalFailed(coordinator.batch, reason: "denied")).first == "failed: denied")
    #expect(coordinator.core.batchNames.isEmpty)
  }

  // MARK: Clients

  @Test func aBatchWithoutClientIsFailedWhenItComesBack() {
    let coordinator = CoordinatorUnderTest()
    coordinator.open()
    coordinator.sendRows(0..<2)
    #expect(coordinator.handle(.unreachable(CoordinatorUnderTest.client)) == [])
    #expect(coordinator.handle(.journalFailed(coordinator.batch, reason: "no space")) == ["remove journal"])
    let name = OpenBatch.name(coordinator.batch)
    #expect(coordinator.core.batchNames == [name])
    #expect(coordinator.attach(name).first == "failed: no space")
    #expect(coordinator.core.batchNames.isEmpty)
  }

  @Test func aKeptBatchContinuesWithoutItsClient() {
    let coordinator = CoordinatorUnderTest()
    coordinator.register()
    coordinator.open()
    coordinator.sendRows(0..<2)
    coordinator.handle(.unreachable(CoordinatorUnderTest.client))
    #expect(coordinator.noteAppended() == ["job of 2 rows with program"])
    #expect(coordinator.sendResult(rows: 2) == ["append results"])
    #expect(coordinator.noteAppended() == [])
    #expect(coordinator.attach(OpenBatch.name(coordinator.batch)).first == "accepted with 2 rows, complete")
  }

  @Test func aBatchThatIsNotKeptEndsWithItsClient() {
    let coordinator = CoordinatorUnderTest(keepsBatches: false)
    #expect(coordinator.submit() == ["accepted with 0 rows"])
    coordinator.handle(.unreachable(CoordinatorUnderTest.client))
    #expect(coordinator.core.batchNames.isEmpty)
  }

  @Test func aKeptBatchIsCancelledWhenItsClientDoesNotSendTheRestOfItsRows() {
    let coordinator = CoordinatorUnderTest()
    coordinator.open()
    coordinator.handle(.unreachable(CoordinatorUnderTest.client))
    coordinator.advance(milliseconds: 599_000)
    #expect(coordinator.handle(.tick) == [])
    coordinator.advance(milliseconds: 2000)
    #expect(coordinator.handle(.tick) == ["remove journal"])
    #expect(coordinator.core.batchNames.isEmpty)
  }

  @Test func anEarlierRequestThatArrivesLateIsIgnored() {
    let coordinator = CoordinatorUnderTest()
    coordinator.open()
    let name = OpenBatch.name(coordinator.batch)
    #expect(coordinator.attach(name, attempt: 2, as: [8]) == ["accepted with 0 rows"])
    #expect(coordinator.attach(name, attempt: 1) == [])
    let taken = coordinator.attach(name, session: 6, as: [9])
    #expect(taken == ["failed: another client took over batch \(name)", "accepted with 0 rows"])
  }

  @Test func aProgramThatIsNotThereIsWanted() {
    let coordinator = CoordinatorUnderTest()
    let program = OwnedBytes(copying: [4, 5, 6])
    let id = program.withBytes { SHA256.hash($0) }
    #expect(coordinator.submit(program: id) == ["program wanted"])
    let other = OwnedBytes(copying: [4, 5])
    #expect(coordinator.submit(program: id, [other]) == ["failed: the program is not what its hash says"])
    #expect(coordinator.submit(program: id, [program]) == ["create journal with program"])
    #expect(coordinator.submit(program: id) == ["create journal with program"], "it is there now")
  }

  @Test func rowsThatAreNotTheNextEndABatchThatIsNotKept() {
    let coordinator = CoordinatorUnderTest(keepsBatches: false)
    coordinator.submit()
    #expect(coordinator.sendRows(1..<2) == ["failed: the rows of the batch came out of order"])
    #expect(coordinator.core.batchNames.isEmpty)
  }

  @Test func rowsOfAKeptBatchThatAreNotTheNextAreIgnored() {
    let coordinator = CoordinatorUnderTest()
    coordinator.open()
    #expect(coordinator.sendRows(1..<2) == [])
    #expect(coordinator.sendRows(0..<1, isLast: false) == ["append rows"])
    #expect(coordinator.sendRows(0..<1, isLast: false) == [])
    #expect(coordinator.sendRows(1..<2) == ["append rows and synchronize"])
  }

  @Test(arguments: [true, false]) func aChunkWithoutItsRowsEndsItsBatch(isKept: Bool) {
    let coordinator = CoordinatorUnderTest(keepsBatches: isKept)
    coordinator.register()
    coordinator.submit()
    if isKept { coordinator.handle(.journalCreated(coordinator.batch)) }
    var effects = coordinator.sendRows(0..<3, lines: CoordinatorUnderTest.lines(0..<2))
    if isKept {
      effects = coordinator.noteAppended()
    } else {
      // It is seen when the worker reports the rows that it has found.
      #expect(effects == ["job of 3 rows with program"])
      effects = coordinator.sendResult(rows: 2)
    }
    #expect(effects.contains("failed: a chunk has not the rows that it claims"))
    #expect(coordinator.core.batchNames.isEmpty)
    #expect(!coordinator.register().contains { $0.hasPrefix("refused") }, "the worker is not to blame")
  }

  @Test func resultsWaitUntilTheClientHasRoomForThem() {
    let coordinator = CoordinatorUnderTest(window: 15)
    coordinator.register()
    coordinator.open()
    var delivered: [[String]] = []
    for row in 0..<3 as Range<UInt64> {
      coordinator.advance(milliseconds: 10)
      coordinator.sendRows(row..<row + 1, isLast: row == 2)
      coordinator.noteAppended()
      #expect(coordinator.sendResult(rows: 1) == ["append results"])
      // The columns of each have ten bytes in the journal.
      delivered.append(coordinator.noteAppended())
    }
    #expect(delivered == [["rows 0+1"], ["rows 1+1"], []])
    coordinator.advance(milliseconds: 10)
    #expect(coordinator.acknowledge(1) == ["read 1"], "results that wait are not held in memory")
    #expect(coordinator.handle(.read(coordinator.batch, [OwnedBytes(copying: [1, 2])])) == ["rows 2+1", "done 3"])
  }

  @Test func whatIsReadForAnEarlierClientIsNotSentToTheNext() {
    let coordinator = CoordinatorUnderTest()
    coordinator.register()
    coordinator.open()
    coordinator.sendRows(0..<2)
    coordinator.handle(.unreachable(CoordinatorUnderTest.client))
    coordinator.noteAppended()
    coordinator.sendResult(rows: 2)
    coordinator.noteAppended()
    let name = OpenBatch.name(coordinator.batch)
    #expect(coordinator.attach(name, attempt: 1) == ["accepted with 2 rows, complete", "read 1"])
    #expect(coordinator.attach(name, attempt: 2) == ["accepted with 2 rows, complete"])
    let columns = OwnedBytes(copying: [1, 2])
    #expect(coordinator.handle(.read(coordinator.batch, [columns])) == ["read 1"])
    #expect(coordinator.handle(.read(coordinator.batch, [columns])) == ["rows 0+2", "done 2"])
  }

  @Test func theStatusSaysWhatABatchWaitsFor() {
    let coordinator = CoordinatorUnderTest()
    func status() -> [String] { coordinator.handle(.message(.client(.status), [], from: [9])) }
    coordinator.submit()
    #expect(status() == ["status: its journal is being created"])
    coordinator.handle(.journalCreated(coordinator.batch))
    #expect(status() == ["status: no rows have come yet that are not done"])
    coordinator.sendRows(0..<2)
    coordinator.noteAppended()
    #expect(status() == ["status: no worker is connected"])
    coordinator.register()
    #expect(status() == ["status: "])
    coordinator.handle(.unreachable(CoordinatorUnderTest.client))
    coordinator.sendResult(rows: 2)
    coordinator.noteAppended()
    #expect(status() == ["status: it is done and waits to be fetched"])
  }

  // MARK: Recovery

  /// Runs a batch to the end, and returns what its journal has then.
  private func journal(changing change: (inout StoredResult) -> Void = { _ in }) throws -> JournalContents {
    let before = CoordinatorUnderTest()
    before.register()
    before.open()
    before.sendRows(0..<2)
    before.noteAppended()
    before.sendResult(rows: 2)
    var contents = JournalContents()
    contents.batch = (Version.current, CoordinatorUnderTest.description)
    for record in before.records {
      switch record {
      case .batch: break
      case .chunk(let header, let end, let lines):
        contents.chunks.append(.init(header, end: end, lines: JournalRange(offset: 0, count: lines.count)))
      case .result(let firstRow, let rows, let hash, _):
        var result = StoredResult(
          firstRow: firstRow, rows: rows, linesHash: hash, columns: [JournalRange(offset: 50, count: 2)])
        change(&result)
        contents.results[firstRow] = result
      }
    }
    return contents
  }

  @Test func resultsOfBeforeARestartAreNotDoneAgain() throws {
    let coordinator = CoordinatorUnderTest()
    #expect(coordinator.handle(.recovered([RecoveredBatch(77, try journal(), program: nil)])) == ["read 1"])
    coordinator.register()
    #expect(coordinator.handle(.read(77, [CoordinatorUnderTest.lines(0..<2)])) == [])
    #expect(coordinator.attach(OpenBatch.name(77)) == ["accepted with 2 rows, complete", "read 1"])
    #expect(coordinator.handle(.read(77, [OwnedBytes(copying: [1, 2])])) == ["rows 0+2", "done 2"])
  }

  @Test func resultsOfOtherRowsAreDoneAgainAfterARestart() throws {
    let coordinator = CoordinatorUnderTest()
    let contents = try journal { $0.linesHash += 1 }
    #expect(coordinator.handle(.recovered([RecoveredBatch(77, contents, program: nil)])) == ["read 1"])
    coordinator.register()
    #expect(
      coordinator.handle(.read(77, [CoordinatorUnderTest.lines(0..<2)])) == ["job of 2 rows with program"])
  }

  @Test func aJournalOfAnotherVersionIsSetAside() throws {
    let coordinator = CoordinatorUnderTest()
    var contents = try journal()
    contents.batch?.version = "0.0.1"
    #expect(coordinator.handle(.recovered([RecoveredBatch(77, contents, program: nil)])) == ["set aside journal"])
    #expect(coordinator.core.batchNames.isEmpty)
    #expect(
      coordinator.logs == [
        "batch 25 is lost: its journal is of version 0.0.1, this is \(Version.current); it is set aside"
      ])
  }

  // MARK: Workers

  @Test func aWorkerThatSendsAMalformedResultIsRefusedFromThenOn() {
    let coordinator = CoordinatorUnderTest(keepsBatches: false)
    coordinator.register()
    coordinator.submit()
    #expect(coordinator.sendRows(0..<2) == ["job of 2 rows with program"])
    let refused = "refused: it answered a job with what is no result"
    #expect(coordinator.sendResult(rows: 2, CoordinatorUnderTest.malformed) == [refused])
    #expect(coordinator.register() == [refused])
  }

  @Test func aProgramIsSentWithTheFirstJobAlone() {
    let coordinator = CoordinatorUnderTest(keepsBatches: false)
    coordinator.register()
    coordinator.submit()
    #expect(coordinator.sendRows(0..<2, isLast: false) == ["job of 2 rows with program"])
    #expect(coordinator.sendResult(rows: 2) == ["rows 0+2"])
    coordinator.advance(milliseconds: 10)
    #expect(coordinator.sendRows(2..<3) == ["job of 1 rows"])
    #expect(coordinator.sendResult(rows: 1) == ["rows 2+1", "done 3"])
  }

  @Test func resultsOfShortJobsAreSentTogether() {
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

  @Test func processesAreStartedAgainWithBackOff() {
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
    // Workers may not end on the next batch.
    coordinator.submit()
    #expect(coordinator.handle(.tick) == ["start process"])
  }

  @Test func aProcessThatCannotBeStartedFailsBatchesAndIsTriedLater() {
    let coordinator = CoordinatorUnderTest(keepsBatches: false, processes: 1)
    coordinator.submit()
    coordinator.handle(.tick)
    #expect(coordinator.handle(.processStartFailed(reason: "no memory")) == ["failed: no memory"])
    coordinator.advance(milliseconds: 1999)
    #expect(coordinator.handle(.tick) == [])
    coordinator.advance(milliseconds: 1)
    #expect(coordinator.handle(.tick) == ["start process"])
  }

  // MARK: End

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

  @Test func batchesThatAreKeptWaitForTheNextCoordinator() {
    let coordinator = CoordinatorUnderTest()
    coordinator.register()
    coordinator.open()
    #expect(coordinator.handle(.stop(drains: true)) == ["drain", "end"])
    let other = CoordinatorUnderTest(keepsBatches: false)
    other.submit()
    #expect(other.handle(.stop(drains: false)) == ["failed: the coordinator was told to stop", "end"])
  }
}
