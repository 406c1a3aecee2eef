import Buffers
import PoolProtocol
import Testing

@testable import PoolCoordinatorCore

/// Tests of the effects that a coordinator's core returns for events of journals, and of the recovery of batches.
@Suite struct CoordinatorJournalTests {
  // MARK: Journals

  @Test func rowsOfAKeptBatchAreConfirmedOnlyWhenTheJournalHasThem() {
    let coordinator = CoordinatorUnderTest()
    #expect(coordinator.submit() == ["create journal"])
    #expect(coordinator.handle(.journalCreated(coordinator.batch)) == ["accepted with 0 rows"])
    #expect(coordinator.sendRows(0..<2, isLast: false) == ["append rows"])
    #expect(coordinator.noteAppended() == ["stored 2 rows"])
    #expect(coordinator.sendRows(2..<5) == ["append rows and synchronize"])
    #expect(coordinator.noteAppended() == ["stored 5 rows, complete"])
  }

  @Test func rowsThatArriveBeforeTheJournalIsCreatedAreKept() {
    let coordinator = CoordinatorUnderTest()
    coordinator.register()
    coordinator.submit()
    #expect(coordinator.sendRows(0..<2) == ["append rows and synchronize"])
    #expect(coordinator.handle(.journalCreated(coordinator.batch)) == ["accepted with 0 rows"])
    #expect(coordinator.noteAppended() == ["stored 2 rows, complete", "job of 2 rows"])
  }

  @Test func rowsThatTheClientCanSendAgainAreNotWrittenToTheJournal() {
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
    #expect(coordinator.noteAppended().contains("job of 2 rows"))
    #expect(coordinator.sendResult(rows: 2) == ["append results"])
    #expect(coordinator.noteAppended() == ["rows 0+2", "done 2"])
  }

  @Test func resultsOfADetachedBatchAreReadFromTheJournalWhenAClientFetchesThem() {
    let coordinator = CoordinatorUnderTest()
    coordinator.register()
    coordinator.open(isDetached: true)
    coordinator.sendRows(0..<2)
    // The rows of a detached batch are read from the journal as well.
    #expect(coordinator.noteAppended() == ["stored 2 rows, complete", "read 1"])
    let lines = CoordinatorUnderTest.lines(0..<2)
    #expect(coordinator.handle(.read(coordinator.batch, [lines])) == ["job of 2 rows"])
    #expect(coordinator.sendResult(rows: 2) == ["append results"])
    #expect(coordinator.noteAppended() == [])
    coordinator.handle(.unreachable(CoordinatorUnderTest.client))
    let name = OpenBatch.name(coordinator.batch)
    #expect(coordinator.attach(name, session: 6, as: [9]) == ["accepted with 2 rows, complete", "read 1"])
    let columns = OwnedBytes(copying: [1, 2])
    #expect(coordinator.handle(.read(coordinator.batch, [columns])) == ["rows 0+2", "done 2"])
  }

  @Test func aBatchWhoseJournalFailsEndsWithTheReason() {
    let coordinator = CoordinatorUnderTest()
    coordinator.open()
    coordinator.sendRows(0..<2)
    let effects = coordinator.handle(.journalFailed(coordinator.batch, reason: "no space"))
    #expect(effects == ["failed: no space", "remove journal"])
    #expect(coordinator.core.batchNames.isEmpty)
    #expect(coordinator.noteAppended() == [], "what follows concerns nobody")
  }

  @Test func aBatchWhoseJournalCannotBeCreatedEndsWithTheReason() {
    let coordinator = CoordinatorUnderTest()
    coordinator.submit()
    #expect(coordinator.handle(.journalFailed(coordinator.batch, reason: "denied")).first == "failed: denied")
    #expect(coordinator.core.batchNames.isEmpty)
  }

  // MARK: Recovery

  /// Returns the contents of the journal of a batch that is done, with its result changed by `change`.
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

  @Test func resultsInTheJournalAreNotComputedAgainAfterARestart() throws {
    let coordinator = CoordinatorUnderTest()
    #expect(coordinator.handle(.recovered([RecoveredBatch(77, try journal(), program: nil)])) == ["read 1"])
    coordinator.register()
    #expect(coordinator.handle(.read(77, [CoordinatorUnderTest.lines(0..<2)])) == [])
    #expect(coordinator.attach(OpenBatch.name(77)) == ["accepted with 2 rows, complete", "read 1"])
    #expect(coordinator.handle(.read(77, [OwnedBytes(copying: [1, 2])])) == ["rows 0+2", "done 2"])
  }

  @Test func resultsWithAnotherHashOfTheirLinesAreComputedAgainAfterARestart() throws {
    let coordinator = CoordinatorUnderTest()
    let contents = try journal { $0.linesHash += 1 }
    #expect(coordinator.handle(.recovered([RecoveredBatch(77, contents, program: nil)])) == ["read 1"])
    coordinator.register()
    #expect(
      coordinator.handle(.read(77, [CoordinatorUnderTest.lines(0..<2)])) == ["job of 2 rows"])
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
}
