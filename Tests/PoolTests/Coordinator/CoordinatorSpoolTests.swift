import Buffers
import PoolProtocol
import Testing

@testable import PoolCoordinatorCore

/// Tests of batches that pause because their journals cannot be written, and of the limits of the spool.
@Suite struct CoordinatorSpoolTests {
  // MARK: Full disks

  @Test func aBatchWhoseJournalCannotBeWrittenPausesAndGoesOn() {
    let coordinator = CoordinatorUnderTest().withBatch()
    coordinator.sendRows(0..<2, isLast: false)
    #expect(coordinator.noteFailure(.append) == ["waiting: no space"])
    #expect(coordinator.logs.last == "batch \(name(coordinator)) pauses until its journal can be used again: no space")
    #expect(coordinator.statusLines() == ["status: no space"])
    #expect(coordinator.list() == ["batches: \(name(coordinator)) paused"])
    #expect(coordinator.sendRows(2..<3) == [], "no more rows are accepted")
    coordinator.advance(milliseconds: 99)
    #expect(coordinator.handle(.tick) == [])
    coordinator.advance(milliseconds: 1)
    #expect(coordinator.handle(.tick) == ["append rows"])
    #expect(coordinator.noteFailure(.append) == [], "it is said once")
    coordinator.advance(milliseconds: 199)
    #expect(coordinator.handle(.tick) == [], "the time between tries grows")
    coordinator.advance(milliseconds: 1)
    #expect(coordinator.handle(.tick) == ["append rows"])
    #expect(
      coordinator.noteAppended() == ["stored 2 rows", "job of 2 rows", "goes on", "accepted with 2 rows"])
    #expect(coordinator.logs.count { $0.contains("no space") } == 1)
    #expect(coordinator.logs.last == "no batch is paused now; 1 were paused within 0 s")
    #expect(coordinator.sendRows(2..<3) == ["append rows and synchronize"])
  }

  @Test func aClientThatFetchesAPausedBatchLearnsWhyItWaits() {
    let coordinator = CoordinatorUnderTest().withBatch()
    coordinator.sendRows(0..<2)
    coordinator.noteAppended()
    coordinator.sendResult(rows: 2)
    coordinator.noteFailure(.append)
    #expect(
      coordinator.attach(name(coordinator), attempt: 2, as: [8]) == [
        "accepted with 2 rows, complete", "waiting: no space",
      ])
  }

  @Test func resultsThatCannotBeWrittenAreWrittenLater() {
    let coordinator = CoordinatorUnderTest().withBatch()
    coordinator.sendRows(0..<2)
    coordinator.noteAppended()
    #expect(coordinator.sendResult(rows: 2) == ["append results"])
    coordinator.noteFailure(.append)
    coordinator.handle(.unreachable(CoordinatorUnderTest.client))
    coordinator.advance(milliseconds: 100)
    #expect(coordinator.handle(.tick) == ["append results"])
    #expect(coordinator.noteAppended() == [])
    #expect(coordinator.statusLines() == ["status: it is done and waits to be fetched"])
  }

  @Test func aReadThatFailsIsTriedAgain() {
    let coordinator = CoordinatorUnderTest().withBatch(isDetached: true)
    coordinator.sendRows(0..<2)
    #expect(coordinator.noteAppended() == ["stored 2 rows, complete", "read 1"])
    #expect(coordinator.noteFailure(.read, "Too many open files") == ["waiting: Too many open files"])
    coordinator.advance(milliseconds: 100)
    #expect(coordinator.handle(.tick) == ["read 1"])
    let lines = CoordinatorUnderTest.lines(0..<2)
    #expect(coordinator.handle(.read(coordinator.batch, [lines])) == ["job of 2 rows", "goes on"])
  }

  @Test func aBatchWhoseJournalCannotBeCreatedIsRefused() {
    let coordinator = CoordinatorUnderTest()
    coordinator.submit()
    #expect(coordinator.noteFailure(.create) == ["failed: no space", "remove journal"])
    #expect(coordinator.list() == ["batches: "])
  }

  @Test func noBatchIsAcceptedUntilAJournalCanBeCreated() {
    let coordinator = CoordinatorUnderTest()
    coordinator.submit()
    let refused = coordinator.batch
    coordinator.noteFailure(.create)
    coordinator.send(.status)
    #expect(!coordinator.status.accepting && coordinator.status.obstacle == "no space")
    coordinator.advance(milliseconds: 100)
    #expect(coordinator.handle(.tick) == ["create journal"])
    #expect(coordinator.noteFailure(.create, "read-only") == ["remove journal"])
    coordinator.send(.status)
    #expect(!coordinator.status.accepting && coordinator.status.obstacle == "read-only")
    coordinator.advance(milliseconds: 199)
    #expect(coordinator.handle(.tick) == [], "the time between tries grows")
    coordinator.advance(milliseconds: 1)
    #expect(coordinator.handle(.tick) == ["create journal"])
    #expect(coordinator.handle(.journalCreated(refused, bytes: 100)) == ["remove journal"])
    coordinator.send(.status)
    #expect(coordinator.status.accepting && coordinator.status.obstacle.isEmpty)
    coordinator.advance(milliseconds: 5_000)
    #expect(coordinator.handle(.tick) == [])
  }

  @Test func aNewBatchWhoseJournalIsCreatedEndsTheRetries() {
    let coordinator = CoordinatorUnderTest()
    coordinator.submit()
    coordinator.noteFailure(.create)
    coordinator.open(session: 6)
    coordinator.send(.status)
    #expect(coordinator.status.accepting && coordinator.status.batchCount == 1)
    coordinator.advance(milliseconds: 5_000)
    #expect(coordinator.handle(.tick) == [])
  }

  // MARK: Limits

  @Test func rowsWaitUntilTheSpoolHasRoomForThemAndTheirResults() {
    // The journal has 100 bytes. Each row has 10, its results are expected to have as many.
    let coordinator = CoordinatorUnderTest(spoolLimit: 160)
    coordinator.open()
    #expect(coordinator.sendRows(0..<2, isLast: false) == ["append rows"])
    coordinator.noteAppended()
    let effects = coordinator.sendRows(2..<4)
    #expect(effects.count == 2 && effects[0].contains("failed: the batch and its results are larger than the spool"))
  }

  @Test func aBatchWhoseResultsAreLargerThanTheSpoolNamesTheLimit() {
    let coordinator = CoordinatorUnderTest(spoolLimit: 150).withBatch()
    coordinator.sendRows(0..<2)
    coordinator.noteAppended()
    let effects = coordinator.sendResult(rows: 2, Array(repeating: 1, count: 60))
    #expect(
      effects == [
        "waiting: the batch and its results are larger than the spool may be: 0 MiB (--spool-limit); start the coordinator "
          + "with a larger one, or cancel the batch"
      ])
  }

  @Test func aBatchPausesWhileOthersFillTheSpool() {
    let coordinator = CoordinatorUnderTest(spoolLimit: 330).withBatch(isDetached: true)
    coordinator.sendRows(0..<4)
    coordinator.noteAppended()
    coordinator.handle(.unreachable(CoordinatorUnderTest.client))
    let first = coordinator.batch
    coordinator.open(isDetached: true, session: 6)
    let effects = coordinator.sendRows(0..<8)
    #expect(effects.count == 1 && effects[0].hasPrefix("waiting: the spool has reached"))
    coordinator.advance(milliseconds: 5_000)
    #expect(coordinator.handle(.tick).filter { $0.hasPrefix("append") } == [])
    #expect(coordinator.cancel(BatchName.text(first)).contains("remove journal"))
    coordinator.advance(milliseconds: 5_000)
    #expect(coordinator.handle(.tick).contains("append rows and synchronize"))
  }

  @Test func aBatchIsRefusedWhenTheSpoolIsFull() {
    let coordinator = CoordinatorUnderTest(spoolLimit: 100)
    coordinator.open()
    let refusal = coordinator.submit(session: 6)
    #expect(refusal.count == 1 && refusal[0].hasPrefix("failed: the spool has no room: 0 of 0 MiB (--spool-limit)"))
  }

  // MARK: Time

  @Test func aFinishedBatchThatNobodyFetchesIsRemovedAfterItsTime() {
    let coordinator = CoordinatorUnderTest(keepTime: 60_000_000_000)
    finishDetached(coordinator)
    coordinator.advance(milliseconds: 59_000)
    #expect(coordinator.handle(.tick) == [])
    coordinator.advance(milliseconds: 2_000)
    #expect(coordinator.handle(.tick) == ["remove journal"])
    #expect(
      coordinator.logs.last?.hasSuffix("is removed: nobody has fetched it in the time that --keep states") == true)
  }

  @Test func aFinishedBatchThatOnlyItsClientCanUseIsRemoved() {
    let coordinator = recovered(isPartial: true, age: 0)
    #expect(coordinator.statusLines() == ["status: it is done and waits for its client"])
    coordinator.advance(milliseconds: 599_000)
    #expect(coordinator.handle(.tick) == [])
    coordinator.advance(milliseconds: 2_000)
    #expect(coordinator.handle(.tick) == ["remove journal"])
    #expect(coordinator.logs.last?.hasSuffix("is removed: its client has not connected again") == true)
  }

  @Test func aBatchThatIsBeingFetchedIsNotRemoved() {
    let coordinator = CoordinatorUnderTest(keepTime: 60_000_000_000)
    finishDetached(coordinator)
    _ = coordinator.attach(name(coordinator), session: 6, as: [9])
    coordinator.advance(milliseconds: 100_000)
    #expect(!coordinator.handle(.tick).contains("remove journal"))
    coordinator.handle(.unreachable([9]))
    coordinator.advance(milliseconds: 59_000)
    #expect(!coordinator.handle(.tick).contains("remove journal"))
    coordinator.advance(milliseconds: 2_000)
    #expect(coordinator.handle(.tick) == ["remove journal"])
  }

  @Test func theTimeOfABatchGoesOnWhileTheCoordinatorIsNotRunning() {
    let coordinator = recovered(keepTime: 600_000, age: 300_000)
    coordinator.advance(milliseconds: 299_000)
    #expect(coordinator.handle(.tick) == [])
    coordinator.advance(milliseconds: 2_000)
    #expect(coordinator.handle(.tick) == ["remove journal"])
  }

  @Test func aClientThatFetchedABatchHasTimeToConnectToARestartedCoordinator() {
    let coordinator = recovered(keepTime: 600_000, age: 599_000)
    coordinator.advance(milliseconds: 119_000)
    #expect(coordinator.handle(.tick) == [])
    _ = coordinator.attach(BatchName.text(77), session: 6, as: [9])
    coordinator.handle(.unreachable([9]))
    coordinator.advance(milliseconds: 599_000)
    #expect(!coordinator.handle(.tick).contains("remove journal"), "the time begins again when the client disconnects")
    coordinator.advance(milliseconds: 2_000)
    #expect(coordinator.handle(.tick) == ["remove journal"])
  }

  /// Returns a coordinator with a kept batch that is done.
  ///
  /// - Parameters:
  ///   - keepTime: The milliseconds for which batches are kept; nil for no limit.
  ///   - age: The milliseconds for which the journal was not written.
  private func recovered(keepTime: UInt64? = nil, isPartial: Bool = false, age: UInt64) -> CoordinatorUnderTest {
    let coordinator = CoordinatorUnderTest(keepTime: keepTime.map { $0 * 1_000_000 })
    var contents = JournalContents()
    var description = CoordinatorUnderTest.description
    description.isPartial = isPartial
    contents.batch = (.current, description)
    contents.end = JournalEnd(rows: 0, input: InputSummary(bytes: 1, hash: ""))
    coordinator.handle(.recovered([RecoveredBatch(77, .read(contents, program: nil, age: age), bytes: 100)]))
    return coordinator
  }

  // MARK: Lists

  @Test func theListOfBatchesComesInPages() {
    let coordinator = CoordinatorUnderTest()
    let unreadable = (1...450 as ClosedRange<UInt64>).map { RecoveredBatch($0, .unreadable(reason: "denied")) }
    coordinator.handle(.recovered(unreadable))
    var names: [Substring] = []
    var pages = 0
    while true {
      let page = coordinator.list(after: names.last.map(String.init) ?? "")[0]
      pages += 1
      names += page.matches(of: #/([0-9a-z]+) unreadable/#).map(\.1)
      if !page.hasSuffix(", more") { break }
    }
    #expect(pages == 3)
    #expect(names == (1...450 as ClosedRange<UInt64>).map { Substring(BatchName.text($0)) })
  }

  @Test func allBatchesAreCancelledTogether() {
    let coordinator = CoordinatorUnderTest()
    for client in 1...3 as ClosedRange<UInt8> {
      coordinator.open(session: UInt64(client))
      coordinator.handle(.unreachable(CoordinatorUnderTest.client))
      coordinator.advance(milliseconds: UInt64(client))
    }
    let effects = coordinator.cancelAll()
    #expect(effects == ["remove journal", "remove journal", "remove journal", "cancelled 3"])
    #expect(coordinator.list() == ["batches: "])
  }

  // MARK: Support

  private func name(_ coordinator: CoordinatorUnderTest) -> String { BatchName.text(coordinator.batch) }

  private func finishDetached(_ coordinator: CoordinatorUnderTest) {
    coordinator.register()
    coordinator.open(isDetached: true)
    coordinator.sendRows(0..<2)
    coordinator.noteAppended()
    coordinator.handle(.read(coordinator.batch, [CoordinatorUnderTest.lines(0..<2)]))
    coordinator.sendResult(rows: 2)
    coordinator.noteAppended()
    coordinator.handle(.unreachable(CoordinatorUnderTest.client))
  }
}

extension CoordinatorUnderTest {
  fileprivate func statusLines() -> [String] { handle(.message(.client(.status), [], from: [9])) }
}
