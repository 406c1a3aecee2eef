import Buffers
import Hashing
import PoolProtocol
import Testing

@testable import PoolCoordinatorCore

/// Tests of the effects that a coordinator's core returns for messages of clients.
@Suite struct CoordinatorClientTests {
  private let coordinator = CoordinatorUnderTest()

  @Test func aFailureIsReportedWhenTheClientAttachesAgain() {
    coordinator.open()
    coordinator.sendRows(0..<2)
    #expect(coordinator.handle(.unreachable(CoordinatorUnderTest.client)) == [])
    #expect(coordinator.noteFailure(.append, canPass: false) == ["set aside journal"])
    let name = BatchName.text(coordinator.batch)
    #expect(coordinator.core.batchNames == [name])
    #expect(coordinator.attach(name).first == "failed: no space")
    #expect(coordinator.core.batchNames.isEmpty)
  }

  @Test func aKeptBatchContinuesWithoutItsClient() {
    coordinator.withBatch()
    coordinator.sendRows(0..<2)
    coordinator.handle(.unreachable(CoordinatorUnderTest.client))
    #expect(coordinator.noteAppended() == ["job of 2 rows"])
    #expect(coordinator.sendResult(rows: 2) == ["append results"])
    #expect(coordinator.noteAppended() == [])
    #expect(coordinator.attach(BatchName.text(coordinator.batch)).first == "accepted with 2 rows, complete")
  }

  /// A client disconnects when it has sent its last message, which libzmq reports before the message is received.
  @Test(arguments: [ClientMessage.cancel(batch: 1), .complete(batch: 1)])
  func theLastMessageOfADisconnectedClientEndsItsBatch(message: ClientMessage) {
    coordinator.open()
    coordinator.handle(.unreachable(CoordinatorUnderTest.client))
    #expect(
      coordinator.handle(.message(.client(message), [], from: CoordinatorUnderTest.client)) == ["remove journal"])
    #expect(coordinator.core.batchNames.isEmpty)
  }

  @Test func theLastMessageOfAClientDoesNotEndABatchThatAnotherHas() {
    coordinator.open()
    coordinator.handle(.unreachable(CoordinatorUnderTest.client))
    _ = coordinator.attach(BatchName.text(coordinator.batch), attempt: 2, as: [8])
    #expect(
      coordinator.handle(.message(.client(.cancel(batch: 1)), [], from: CoordinatorUnderTest.client)) == [])
    #expect(coordinator.core.batchNames.count == 1)
  }

  @Test func aBatchThatIsNotKeptEndsWithItsClient() {
    let coordinator = CoordinatorUnderTest(keepsBatches: false)
    #expect(coordinator.submit() == ["accepted with 0 rows"])
    coordinator.handle(.unreachable(CoordinatorUnderTest.client))
    #expect(coordinator.core.batchNames.isEmpty)
  }

  @Test func aKeptBatchIsCancelledWhenItsClientDoesNotSendItsRemainingRows() {
    coordinator.open()
    coordinator.handle(.unreachable(CoordinatorUnderTest.client))
    coordinator.advance(milliseconds: 599_000)
    #expect(coordinator.handle(.tick) == [])
    coordinator.advance(milliseconds: 2000)
    #expect(coordinator.handle(.tick) == ["remove journal"])
    #expect(coordinator.core.batchNames.isEmpty)
  }

  @Test func anEarlierRequestThatArrivesLateIsIgnored() {
    coordinator.open()
    let name = BatchName.text(coordinator.batch)
    #expect(coordinator.attach(name, attempt: 2, as: [8], sendsRows: true) == ["accepted with 0 rows"])
    #expect(coordinator.attach(name, attempt: 1, sendsRows: true) == [])
    let effects = coordinator.attach(name, session: 6, as: [9], sendsRows: true)
    #expect(effects == ["failed: another client took over batch \(name)", "accepted with 0 rows"])
  }

  @Test func aClientThatWasReplacedDoesNotTakeTheBatchBack() {
    coordinator.open()
    coordinator.sendRows(0..<2)
    coordinator.noteAppended()
    let name = BatchName.text(coordinator.batch)
    let refusal = "failed: another client took over batch \(name)"
    #expect(coordinator.attach(name, session: 6, as: [9]) == [refusal, "accepted with 2 rows, complete"])
    #expect(coordinator.attach(name, attempt: 2, as: [8], sendsRows: true) == [refusal])
  }

  /// The submitting client keeps the batch, and only it may continue the batch on another connection.
  @Test func aBatchThatLacksRowsOfItsListIsNotFetched() {
    coordinator.open(isPartial: true)
    let name = BatchName.text(coordinator.batch)
    #expect(coordinator.attach(name, session: 6, as: [9])[0].contains("its client still sends rows"))
    coordinator.handle(.unreachable(CoordinatorUnderTest.client))
    let refusal = coordinator.attach(name, session: 6, as: [9])
    #expect(
      refusal.count == 1 && refusal[0].hasPrefix("failed: batch \(name) can be used by its client only"), "\(refusal)")
    #expect(coordinator.attach(name, as: [8], sendsRows: true) == ["accepted with 0 rows"])
  }

  @Test func aClientThatFetchesABatchDoesNotTakeItFromTheOneThatSendsItsRows() {
    coordinator.open()
    let name = BatchName.text(coordinator.batch)
    #expect(
      coordinator.attach(name, session: 6, as: [9]) == [
        "failed: batch \(name) is not complete: its client still sends rows; fetch it when galley batches lists all of them"
      ])
    #expect(coordinator.handle(.tick) == [], "the client that sends the rows keeps its place")
    coordinator.handle(.unreachable(CoordinatorUnderTest.client))
    #expect(
      coordinator.attach(name, session: 6, as: [9]) == [
        "accepted with 0 rows",
        "waiting: the client that has the rest of its rows is not connected; the batch ends without them in 600 s",
      ])
    coordinator.advance(milliseconds: 601_000)
    #expect(coordinator.handle(.tick).contains("remove journal"))
  }

  @Test func anUnknownProgramIsRequestedFromTheClient() {
    let program = OwnedBytes(copying: [4, 5, 6])
    let id = program.withBytes { SHA256.hash($0) }
    #expect(coordinator.submit(program: id) == ["program wanted from 0"])
    #expect(coordinator.sendRows(0..<1) == [], "the rows come again")
    let other = OwnedBytes(copying: [4, 5])
    #expect(
      coordinator.sendProgram(other)
        == ["failed: the hash of the program differs from the one that was announced"])
    #expect(coordinator.submit(program: id) == ["program wanted from 0"])
    #expect(coordinator.sendProgram(program.slice(0..<2), size: 3) == [])
    #expect(coordinator.submit(program: id) == ["program wanted from 2"], "what has come is kept")
    #expect(coordinator.sendProgram(program.slice(2..<3), at: 2, size: 3) == ["create journal with program"])
    #expect(coordinator.submit(program: id, session: 6) == ["create journal with program"], "it is there now")
  }

  /// Two clients send the same program, and one of them submits again while its parts are on their way.
  @Test func aProgramThatComesFromTwoClientsOpensEachBatchOnce() {
    let program = OwnedBytes(copying: [4, 5, 6])
    let id = program.withBytes { SHA256.hash($0) }
    coordinator.submit(program: id, session: 6, as: [8])
    coordinator.submit(program: id)
    let message = ClientMessage.program(batch: 1, offset: 0, size: 3)
    #expect(coordinator.handle(.message(.client(message), [program], from: [8])) == ["create journal with program"])
    #expect(coordinator.submit(program: id) == ["create journal with program"])
    #expect(coordinator.sendProgram(program) == [])
    #expect(coordinator.core.batchNames.count == 2)
  }

  @Test func aProgramOverTheLimitIsRefusedAtItsFirstPart() {
    coordinator.submit(program: [9])
    let effects = coordinator.sendProgram(OwnedBytes(copying: [1]), size: ProtocolLimits.programBytes + 1)
    #expect(effects.first?.hasSuffix("more than \(ProtocolLimits.programBytes), the limit") == true)
  }

  /// A client that hears nothing submits its batch again.
  @Test func aBatchThatIsSubmittedTwiceIsOpenedOnce() {
    #expect(coordinator.submit() == ["create journal"])
    #expect(coordinator.submit() == [])
    #expect(coordinator.handle(.journalCreated(coordinator.batch, bytes: 100)) == ["accepted with 0 rows"])
    #expect(coordinator.submit() == ["accepted with 0 rows"])
    #expect(coordinator.submit(as: [8]) == ["accepted with 0 rows"], "the client has another connection")
    let name = BatchName.text(coordinator.batch)
    #expect(coordinator.attach(name, attempt: 1, as: [8], sendsRows: true) == ["accepted with 0 rows"])
    #expect(coordinator.core.batchNames.count == 1)
  }

  @Test func rowsOfAnUnknownBatchAreAnswered() {
    #expect(coordinator.sendRows(0..<1) == ["unknown"])
    #expect(coordinator.acknowledge(1) == ["unknown"])
  }

  @Test(arguments: [true, false]) func aClientWithADamagedMessageAsksForItsBatchAgain(isKept: Bool) {
    let coordinator = CoordinatorUnderTest(keepsBatches: isKept)
    coordinator.open()
    let name = BatchName.text(coordinator.batch)
    #expect(coordinator.handle(.malformedMessage(from: CoordinatorUnderTest.client)).last == "unknown")
    #expect(coordinator.core.batchNames.count == (isKept ? 1 : 0))
    if isKept { #expect(coordinator.attach(name, sendsRows: true) == ["accepted with 0 rows"]) }
  }

  @Test func rowsOutOfOrderEndABatchThatIsNotKept() {
    let coordinator = CoordinatorUnderTest(keepsBatches: false)
    coordinator.submit()
    #expect(coordinator.sendRows(1..<2) == ["failed: the rows of the batch were received out of order"])
    #expect(coordinator.core.batchNames.isEmpty)
  }

  @Test func rowsOutOfOrderAreIgnoredInAKeptBatch() {
    coordinator.open()
    #expect(coordinator.sendRows(1..<2) == [])
    #expect(coordinator.sendRows(0..<1, isLast: false) == ["append rows"])
    #expect(coordinator.sendRows(0..<1, isLast: false) == [])
    #expect(coordinator.noteAppended() == ["stored 1 rows"])
    #expect(coordinator.sendRows(1..<2) == ["append rows and synchronize"])
  }

  @Test(arguments: [true, false]) func aChunkWithFewerRowsThanDeclaredEndsItsBatch(isKept: Bool) {
    let coordinator = CoordinatorUnderTest(keepsBatches: isKept).withBatch()
    var effects = coordinator.sendRows(0..<3, lines: CoordinatorUnderTest.lines(0..<2))
    if isKept {
      effects = coordinator.noteAppended()
    } else {
      // The missing row is detected when the worker reports the number of rows that it has found.
      #expect(effects == ["job of 3 rows"])
      effects = coordinator.sendResult(rows: 2)
    }
    #expect(effects.contains("failed: a chunk has another number of rows than its header states"))
    #expect(coordinator.core.batchNames.isEmpty)
    #expect(!coordinator.register().contains { $0.hasPrefix("refused") }, "the worker is not to blame")
  }

  @Test func resultsBeyondTheWindowOfTheClientAreReadFromTheJournalLater() {
    let coordinator = CoordinatorUnderTest(window: 15).withBatch()
    var delivered: [[String]] = []
    for row in 0..<3 as Range<UInt64> {
      coordinator.advance(milliseconds: 10)
      coordinator.sendRows(row..<row + 1, isLast: row == 2)
      coordinator.noteAppended()
      #expect(coordinator.sendResult(rows: 1) == ["append results"])
      // The columns of each result have ten bytes in the journal.
      delivered.append(coordinator.noteAppended())
    }
    #expect(delivered == [["rows 0+1"], ["rows 1+1"], []])
    coordinator.advance(milliseconds: 10)
    #expect(coordinator.acknowledge(1) == ["read 1"], "results that wait are not held in memory")
    #expect(coordinator.handle(.read(coordinator.batch, [OwnedBytes(copying: [1, 2])])) == ["rows 2+1", "done 3"])
  }

  @Test func resultsReadForAnEarlierAttachmentAreNotSentToTheNext() {
    coordinator.withBatch()
    coordinator.sendRows(0..<2)
    coordinator.handle(.unreachable(CoordinatorUnderTest.client))
    coordinator.noteAppended()
    coordinator.sendResult(rows: 2)
    coordinator.noteAppended()
    let name = BatchName.text(coordinator.batch)
    #expect(coordinator.attach(name, attempt: 1) == ["accepted with 2 rows, complete", "read 1"])
    #expect(coordinator.attach(name, attempt: 2) == ["accepted with 2 rows, complete"])
    let columns = OwnedBytes(copying: [1, 2])
    #expect(coordinator.handle(.read(coordinator.batch, [columns])) == ["read 1"])
    #expect(coordinator.handle(.read(coordinator.batch, [columns])) == ["rows 0+2", "done 2"])
  }

  @Test func aClientLearnsOnceThatNoWorkerIsConnectedAndThenThatOneIs() {
    coordinator.open()
    coordinator.sendRows(0..<2)
    coordinator.noteAppended()
    coordinator.handle(.tick)
    coordinator.advance(milliseconds: 4_900)
    #expect(coordinator.handle(.tick) == [], "workers may be starting")
    coordinator.advance(milliseconds: 100)
    #expect(coordinator.handle(.tick) == ["waiting: no worker is connected; start one (galley worker)"])
    coordinator.advance(milliseconds: 60_000)
    #expect(coordinator.handle(.tick) == [])
    #expect(coordinator.register() == ["welcome", "job of 2 rows"])
    coordinator.advance(milliseconds: 60)
    #expect(coordinator.handle(.tick) == ["goes on"])
  }

  @Test func theStatusNamesWhatABatchWaitsFor() {
    func status() -> [String] { coordinator.handle(.message(.client(.status), [], from: [9])) }
    coordinator.submit()
    #expect(status() == ["status: its journal is being created"])
    coordinator.handle(.journalCreated(coordinator.batch, bytes: 100))
    #expect(status() == ["status: all rows that were received are done"])
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
}
