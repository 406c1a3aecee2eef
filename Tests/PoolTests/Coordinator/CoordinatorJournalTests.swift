import Buffers
import PoolProtocol
import Testing

@testable import PoolCoordinatorCore

/// Tests of the effects that a coordinator's core returns for events of journals, and of the recovery of batches.
@Suite struct CoordinatorJournalTests {
  private let coordinator = CoordinatorUnderTest()

  // MARK: Journals

  @Test func rowsOfAKeptBatchAreConfirmedOnlyWhenTheJournalHasThem() {
    #expect(coordinator.submit() == ["create journal"])
    #expect(coordinator.handle(.journalCreated(coordinator.batch, bytes: 100)) == ["accepted with 0 rows"])
    #expect(coordinator.sendRows(0..<2, isLast: false) == ["append rows"])
    #expect(coordinator.noteAppended() == ["stored 2 rows"])
    #expect(coordinator.sendRows(2..<5) == ["append rows and synchronize"])
    #expect(coordinator.noteAppended() == ["stored 5 rows, complete"])
  }

  @Test func rowsThatArriveBeforeTheJournalIsCreatedAreKept() {
    coordinator.register()
    coordinator.submit()
    #expect(coordinator.sendRows(0..<2) == [])
    #expect(
      coordinator.handle(.journalCreated(coordinator.batch, bytes: 100)) == [
        "accepted with 0 rows", "append rows and synchronize",
      ])
    #expect(coordinator.noteAppended() == ["stored 2 rows, complete", "job of 2 rows"])
  }

  @Test func rowsThatTheClientCanSendAgainAreNotWrittenToTheJournal() {
    coordinator.open(resendsRows: true)
    #expect(coordinator.sendRows(0..<2) == ["stored 2 rows, complete"])
  }

  @Test func resultsAreDeliveredOnlyWhenTheJournalHasThem() {
    coordinator.withBatch()
    coordinator.sendRows(0..<2)
    #expect(coordinator.noteAppended().contains("job of 2 rows"))
    #expect(coordinator.sendResult(rows: 2) == ["append results"])
    #expect(coordinator.noteAppended() == ["rows 0+2", "done 2"])
  }

  @Test func resultsOfADetachedBatchAreReadFromTheJournalWhenAClientFetchesThem() {
    coordinator.withBatch(isDetached: true)
    coordinator.sendRows(0..<2)
    // The rows of a detached batch are read from the journal as well.
    #expect(coordinator.noteAppended() == ["stored 2 rows, complete", "read 1"])
    let lines = CoordinatorUnderTest.lines(0..<2)
    #expect(coordinator.handle(.read(coordinator.batch, [lines])) == ["job of 2 rows"])
    #expect(coordinator.sendResult(rows: 2) == ["append results"])
    #expect(coordinator.noteAppended() == [])
    coordinator.handle(.unreachable(CoordinatorUnderTest.client))
    let name = BatchName.text(coordinator.batch)
    #expect(coordinator.attach(name, session: 6, as: [9]) == ["accepted with 2 rows, complete", "read 1"])
    let columns = OwnedBytes(copying: [1, 2])
    #expect(coordinator.handle(.read(coordinator.batch, [columns])) == ["rows 0+2", "done 2"])
  }

  @Test func aBatchWhoseJournalFailsEndsWithTheReason() {
    coordinator.open()
    coordinator.sendRows(0..<2)
    let effects = coordinator.noteFailure(.append, canPass: false)
    #expect(effects == ["failed: no space", "set aside journal"])
    #expect(coordinator.core.batchNames.isEmpty)
    #expect(coordinator.noteAppended() == [], "what follows concerns nobody")
  }

  @Test func aBatchWhoseJournalCannotBeCreatedEndsWithTheReason() {
    coordinator.submit()
    #expect(coordinator.noteFailure(.create, "denied").first == "failed: denied")
    #expect(coordinator.core.batchNames.isEmpty)
  }

  // MARK: Recovery

  /// Returns the contents of the journal of a batch that is done, with its result changed by `change`.
  private func journal(changing change: (inout ResultRun<[JournalRange]>) -> Void = { _ in }) throws -> JournalContents
  {
    let before = CoordinatorUnderTest().withBatch()
    before.sendRows(0..<2)
    before.noteAppended()
    before.sendResult(rows: 2)
    var contents = JournalContents()
    contents.batch = (.current, CoordinatorUnderTest.description)
    for record in before.records {
      switch record {
      case .batch: break
      case .chunk(let chunk):
        contents.chunks.append(chunk.moved(to: 0..<chunk.lines.count))
      case .result(let run):
        var result = run.moved(to: [50..<52])
        change(&result)
        contents.results[run.firstRow] = result
      case .end(let end): contents.end = end
      }
    }
    return contents
  }

  @Test func resultsInTheJournalAreNotComputedAgainAfterARestart() throws {
    #expect(coordinator.handle(.recovered([RecoveredBatch(77, .read(try journal(), program: nil))])) == ["read 1"])
    coordinator.register()
    #expect(coordinator.handle(.read(77, [CoordinatorUnderTest.lines(0..<2)])) == [])
    #expect(coordinator.attach(BatchName.text(77)) == ["accepted with 2 rows, complete", "read 1"])
    #expect(coordinator.handle(.read(77, [OwnedBytes(copying: [1, 2])])) == ["rows 0+2", "done 2"])
  }

  /// Clients notice a restart sooner than a slow disk is read.
  @Test func aClientContinuesBeforeItsJournalWasRead() throws {
    coordinator.handle(.recovered([RecoveredBatch(77, .read(try journal(), program: nil))]))
    #expect(coordinator.attach(BatchName.text(77), from: 2) == ["accepted with 2 rows, complete"])
    #expect(coordinator.handle(.read(77, [CoordinatorUnderTest.lines(0..<2)])) == ["done 2"])
    let other = CoordinatorUnderTest()
    other.handle(.recovered([RecoveredBatch(77, .read(try journal(), program: nil))]))
    let refusal = "failed: batch 25 has no results that begin at row 3: galley fetch 25 fetches it from its first row"
    #expect(other.attach(BatchName.text(77), from: 3) == [refusal])
  }

  @Test func aClientThatHasAPartOfOtherResultsIsRefused() throws {
    coordinator.handle(.recovered([RecoveredBatch(77, .read(try journal(), program: nil))]))
    #expect(coordinator.attach(BatchName.text(77), from: 1) == ["accepted with 2 rows, complete"])
    #expect(
      coordinator.handle(.read(77, [CoordinatorUnderTest.lines(0..<2)]))
        == ["failed: batch 25 has no results that begin at row 1: galley fetch 25 fetches it from its first row"])
  }

  @Test(arguments: [true, false]) func aBatchThatCannotBeFetchedIsSubmittedAgain(isPartial: Bool) throws {
    var contents = try journal()
    contents.batch?.description.isPartial = isPartial
    if !isPartial { contents.chunks[0].end = nil }
    coordinator.handle(.recovered([RecoveredBatch(77, .read(contents, program: nil))]))
    #expect(
      coordinator.attach(BatchName.text(77), from: 3, sendsRows: true) == [
        "failed: batch 25 has no results that begin at row 3: submit the batch again"
      ])
  }

  @Test func resultsWithAnotherHashOfTheirLinesAreComputedAgainAfterARestart() throws {
    let contents = try journal { $0.linesHash += 1 }
    #expect(coordinator.handle(.recovered([RecoveredBatch(77, .read(contents, program: nil))])) == ["read 1"])
    coordinator.register()
    #expect(
      coordinator.handle(.read(77, [CoordinatorUnderTest.lines(0..<2)])) == ["job of 2 rows"])
  }

  @Test func aJournalOfVersion040IsContinued() throws {
    var contents = try journal()
    contents.batch?.version = JournalVersion(format: 0, program: "0.4.0")
    #expect(coordinator.handle(.recovered([RecoveredBatch(77, .read(contents, program: nil))])) == ["read 1"])
  }

  @Test(arguments: [JournalVersion(format: 0, program: "0.3.0"), JournalVersion(format: 9, program: "7.0.0")])
  func aJournalOfAnotherVersionIsLeftInPlaceAndListed(version: JournalVersion) throws {
    var contents = try journal()
    contents.batch?.version = version
    #expect(coordinator.handle(.recovered([RecoveredBatch(77, .read(contents, program: nil))])) == [])
    #expect(coordinator.core.batchNames.isEmpty)
    let reason = "its journal is of version \(version.program), which version \(Version.current) cannot continue"
    #expect(coordinator.logs.count == 1 && coordinator.logs[0].contains(reason))
    #expect(coordinator.list() == ["batches: 25 unreadable"])
    #expect(coordinator.attach("25").first?.contains(reason) == true)
    #expect(coordinator.cancelAll() == ["cancelled 0"], "only its name cancels it")
    #expect(coordinator.cancel("25") == ["remove journal", "cancelled"])
    #expect(coordinator.list() == ["batches: "])
  }

  @Test func aJournalThatCannotBeReadNowIsReadLater() throws {
    let unreadable = CoordinatorEvent.recovered([RecoveredBatch(77, .unreadable(reason: "Too many open files"))])
    #expect(coordinator.handle(unreadable) == [])
    #expect(coordinator.list() == ["batches: 25 unreadable"])
    coordinator.advance(milliseconds: 1_000)
    #expect(coordinator.handle(.tick) == ["recover journal"])
    #expect(coordinator.handle(unreadable) == [])
    coordinator.advance(milliseconds: 1_000)
    #expect(coordinator.handle(.tick) == [], "the time between tries grows")
    coordinator.advance(milliseconds: 1_000)
    #expect(coordinator.handle(.tick) == ["recover journal"])
    #expect(coordinator.handle(.recovered([RecoveredBatch(77, .read(try journal(), program: nil))])) == ["read 1"])
    #expect(coordinator.list() == ["batches: 25 running"])
    #expect(coordinator.logs.count { $0.contains("Too many open files") } == 1)
  }

  @Test func aJournalOfWhichOnlyResultsAreDamagedIsRemovedWithItsBatch() throws {
    var contents = try journal()
    contents.results = [:]
    contents.damaged = 1
    #expect(coordinator.handle(.recovered([RecoveredBatch(77, .read(contents, program: nil))])) == ["read 1"])
    #expect(coordinator.attach("25") == ["accepted with 2 rows, complete"])
    #expect(coordinator.send(.complete(batch: 1)) == ["remove journal"])
  }

  @Test func aJournalWithoutItsFirstRecordIsSetAsideAndNamed() {
    var contents = JournalContents()
    contents.damaged = 1
    let recovered = RecoveredBatch(77, .read(contents, program: nil), bytes: 50)
    #expect(coordinator.handle(.recovered([recovered])) == ["set aside journal"])
    #expect(
      coordinator.attach("25") == [
        "failed: batch 25 cannot be fetched: its journal is damaged; it is kept in the spool as 25.journal.damaged until "
          + "the batch is cancelled"
      ])
    #expect(coordinator.attach("25", sendsRows: true)[0].hasSuffix("is cancelled; submit the batch again"))
  }

  @Test func theClientThatSendsALostBatchReceivesTheWayOut() {
    #expect(coordinator.attach("25") == ["failed: the coordinator keeps no batch 25"])
    #expect(
      coordinator.attach("25", sendsRows: true) == [
        "failed: the coordinator keeps no batch 25: it was fetched or cancelled, or its journal is lost; submit the "
          + "batch again"
      ])
  }

  // MARK: Lost rows

  @Test func resultsOfRowsWhoseLinesAreLostAreDelivered() throws {
    var contents = try journal()
    contents.end = JournalEnd(rows: 2, input: InputSummary(bytes: 1, hash: ""))
    contents.chunks = []
    contents.damaged = 1
    #expect(coordinator.handle(.recovered([RecoveredBatch(77, .read(contents, program: nil))])) == [])
    #expect(coordinator.attach("25") == ["accepted with 2 rows, complete", "read 1"])
    #expect(coordinator.handle(.read(77, [OwnedBytes(copying: [1, 2])])) == ["rows 0+2", "done 2"])
  }

  @Test func rowsWithoutLinesAndResultsBecomeBadRows() throws {
    var contents = try journal()
    contents.end = JournalEnd(rows: 5, input: InputSummary(bytes: 1, hash: ""))
    contents.chunks = []
    contents.damaged = 1
    #expect(coordinator.handle(.recovered([RecoveredBatch(77, .read(contents, program: nil))])) == ["append results"])
    guard case .result(let run)? = coordinator.records.last, (run.firstRow, run.rows) == (2, 3) else {
      Issue.record("\(coordinator.records)")
      return
    }
    let text = run.columns[0].withBytes { String(decoding: $0, as: UTF8.self) }
    #expect(text.hasPrefix("rows 2..<5: its line is lost") && text.contains("25.journal.damaged"))
    #expect(coordinator.logs.contains { $0.contains("has lost the lines of its rows 0 to 4") })
  }

  @Test func aBatchWithoutItsProgramDeliversTheResultsThatItHas() throws {
    var contents = try journal { $0.linesHash += 1 }
    contents.batch?.description.program = [99]
    #expect(coordinator.handle(.recovered([RecoveredBatch(77, .read(contents, program: nil))])) == ["read 1"])
    #expect(coordinator.handle(.read(77, [CoordinatorUnderTest.lines(0..<2)])) == ["append results"])
    guard case .result(let run)? = coordinator.records.last, (run.firstRow, run.rows) == (0, 2) else {
      Issue.record("\(coordinator.records)")
      return
    }
    #expect(run.columns[0].withBytes { String(decoding: $0, as: UTF8.self) }.contains("its cells file is lost"))
  }

  @Test func aBatchThatMayHaveLostItsLastRowsEndsSoonUnlessItsClientComesBack() throws {
    var contents = try journal()
    contents.chunks[0].end = nil
    contents.damaged = 1
    coordinator.handle(.recovered([RecoveredBatch(77, .read(contents, program: nil))]))
    coordinator.handle(.read(77, [CoordinatorUnderTest.lines(0..<2)]))
    let waiting =
      "waiting: the client that has the rest of its rows is not connected, and its journal is damaged; the batch ends "
      + "without them in 10 s"
    #expect(coordinator.attach("25") == ["accepted with 2 rows", waiting, "read 1"])
    coordinator.advance(milliseconds: 10_500)
    #expect(coordinator.handle(.tick) == ["append end after 3 rows and synchronize"])
    let other = CoordinatorUnderTest()
    other.handle(.recovered([RecoveredBatch(77, .read(contents, program: nil))]))
    #expect(other.attach("25", sendsRows: true).first == "accepted with 2 rows")
    other.advance(milliseconds: 10_500)
    #expect(other.handle(.tick) == [])
  }
}
