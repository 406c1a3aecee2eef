import Buffers
import Hashing
import LayoutEngine
import PoolMemory
import PoolProtocol
import Testing

@testable import PoolClientCore

/// Tests of the effects that a client's core returns for events.
@Suite final class ClientCoreTests {
  private static let description = BatchDescription(
    program: [7], variants: [Variant(width: 390, textScale: 1, scale: 1)])
  private static let program = OwnedBytes(copying: [1, 2, 3])

  private var client = ClientCore(memory: NoMemory())
  /// The time of the last event in milliseconds.
  private var time: UInt64 = 0

  /// Begins to run a batch. Returns descriptions of the effects.
  private func run(resuming name: String? = nil, isShort: Bool = true) -> [String] {
    begin(.run(Self.description, resuming: name), isShort: isShort)
  }

  private func begin(_ request: ClientRequest, isShort: Bool = true) -> [String] {
    report(.begin(request, isShort: isShort, session: 5))
  }

  /// Reports an event at a time in milliseconds, after ticks each second. Returns descriptions of its effects.
  @discardableResult
  private func handle(_ event: ConversationEvent, at milliseconds: UInt64 = 0) -> [String] {
    while time + 1000 < milliseconds { _ = report(.conversation(.tick), at: time + 1000) }
    return report(.conversation(event), at: milliseconds)
  }

  /// Reports an event at a time in milliseconds, without an event since the last one.
  private func report(_ event: ClientEvent, at milliseconds: UInt64 = 0) -> [String] {
    time = max(time, milliseconds)
    var effects: [ClientEffect] = []
    client.handle(event, at: EventTime(monotonic: milliseconds * 1_000_000), into: &effects)
    return effects.map { describe($0) }
  }

  @discardableResult
  private func receive(
    _ message: MessageToClient, _ parts: [OwnedBytes] = [], at milliseconds: UInt64 = 0
  ) -> [String] {
    handle(.message(message, parts), at: milliseconds)
  }

  private func accepted(
    name: String = "", window: UInt64 = 1 << 20, storedRows: UInt64 = 0, isComplete: Bool = false,
    description: BatchDescription = ClientCoreTests.description
  ) -> MessageToClient {
    .accepted(
      .init(
        batch: client.number, window: window, name: name, storedRows: storedRows, isComplete: isComplete,
        description: description, memory: .none))
  }

  private func rows(_ runs: Range<UInt64>...) -> MessageToClient {
    .rows(
      batch: client.number,
      runs.map { ResultRun(firstRow: $0.lowerBound, rows: UInt32($0.count), columns: nil, checksums: []) })
  }

  private func done(_ rows: UInt64) -> MessageToClient {
    .done(batch: client.number, rows: rows, input: InputSummary(bytes: 1, hash: "hash"))
  }

  /// Reports rows that were read from the input. Returns descriptions of the effects.
  @discardableResult
  private func read(_ rows: Range<UInt64>, isLast: Bool = true, bytes: Int = 100) -> [String] {
    let lines = OwnedBytes(copying: [UInt8](repeating: 0x0a, count: bytes))
    let end = isLast ? InputSummary(bytes: UInt64(bytes), hash: "hash") : nil
    return handle(
      .rowsRead(
        RowsChunk(
          lines, firstLine: rows.lowerBound + 1, firstRow: rows.lowerBound, rows: UInt32(rows.count), end: end)))
  }

  private func describe(_ effect: ClientEffect) -> String {
    switch effect {
    case .send(.submit, _): "submit"
    case .send(.program(_, let offset, let size), let parts): "program \(offset)+\(parts[0].count) of \(size)"
    case .wait(let reason): reason.isEmpty ? "go on" : "wait: \(reason)"
    case .send(.attach(let attach), _): "attach from \(attach.firstRow), attempt \(attach.attempt)"
    case .send(.chunk(_, let chunk, _, _), _):
      "rows \(chunk.firstRow)+\(chunk.rows)\(chunk.end == nil ? "" : ", the last")"
    case .send(.acknowledge(_, let rows, _), _): "acknowledge \(rows)"
    case .send(.complete, _): "complete"
    case .send(.cancel, _): "cancel"
    case .send(.cancelNamed(_, let name), _): "cancel \(name)"
    case .send(.cancelAll, _): "cancel all"
    case .send(.status, _): "status"
    case .send(.listBatches, _): "list batches"
    case .readProgram(let request): "read program from \(request.offset)"
    case .begin(let batch): "begin \(batch.program)"
    case .take(let rows, _): "take \(rows)"
    case .end(let name, _): "end\(name.isEmpty ? "" : " " + name)"
    case .fail(let error): "fail \(error)"
    }
  }

  // MARK: Rows

  @Test func theClientSendsFewRowsWithTheBatch() {
    #expect(run() == ["submit"])
    #expect(client.wantedBytes == ProtocolLimits.chunkBytes)
    #expect(read(0..<2) == ["rows 0+2, the last"])
    #expect(client.wantedBytes == nil)
    #expect(receive(accepted()) == [])
    #expect(receive(rows(0..<2)) == ["take 2"])
    #expect(receive(done(2)) == ["end"])
  }

  @Test func theClientSendsItsRowsAgainAfterTheProgramIsRequested() {
    _ = run()
    read(0..<2)
    let request = ProgramRequest([7], offset: 1, count: 100)
    #expect(receive(.programWanted(batch: client.number, request)) == ["read program from 1"])
    #expect(handle(.programRead(Self.program, request)) == ["program 1+2 of 3"])
    #expect(receive(accepted()) == ["rows 0+2, the last"])
    #expect(receive(accepted()) == [], "the coordinator received the batch twice")
  }

  @Test func theProgramIsReadOnceWhenTheCoordinatorLacksIt() {
    #expect(begin(.run(Self.description)) == ["submit"])
    read(0..<2)
    let request = ProgramRequest([7], offset: 0, count: 2)
    #expect(receive(.programWanted(batch: client.number, request)) == ["read program from 0"])
    #expect(handle(.programRead(Self.program, request)) == ["program 0+2 of 3"])
    let rest = ProgramRequest([7], offset: 2, count: 2)
    #expect(receive(.programWanted(batch: client.number, rest)) == ["program 2+1 of 3"])
    #expect(receive(accepted()) == ["rows 0+2, the last"])
  }

  @Test func theProgramIsNotReadIfTheCoordinatorHasIt() {
    #expect(begin(.run(Self.description)) == ["submit"])
    read(0..<2)
    #expect(receive(accepted()) == [])
    #expect(receive(rows(0..<2)) == ["take 2"])
    #expect(receive(done(2)) == ["end"])
  }

  @Test func theClientSubmitsItsBatchAgainUntilItIsAccepted() {
    _ = run()
    #expect(handle(.tick, at: 1900) == [])
    #expect(handle(.tick, at: 2000) == ["submit"])
    #expect(receive(accepted(), at: 2001) == [])
    #expect(handle(.tick, at: 21_900) == ["acknowledge 0"], "its results may take long to arrive")
    #expect(handle(.tick, at: 62_001) == ["fail silent"])
  }

  @Test func aBatchThatIsNotKeptEndsWithItsConnection() {
    _ = run()
    receive(accepted())
    #expect(receive(.unknown(batch: client.number), at: 200) == ["fail lostConnection"])
  }

  /// The message may have been the last one, after which only pings come.
  @Test func aBatchThatIsNotKeptEndsWithADamagedMessage() {
    _ = run()
    #expect(handle(.malformedMessage, at: 10) == ["submit"], "it was not accepted yet")
    receive(accepted(), at: 20)
    #expect(handle(.malformedMessage, at: 110) == ["fail lostConnection"])
  }

  /// A client that sends its program receives pings, which do not show that its last request was damaged, too.
  @Test func aRequestThatWasDamagedIsSentAgainThoughPingsCome() {
    _ = run()
    #expect(handle(.malformedMessage, at: 10) == ["submit"])
    #expect(receive(.unknown(batch: client.number), at: 20) == [])
    #expect(receive(.ping, at: 109) == [])
    #expect(receive(.ping, at: 110) == ["submit"])
    #expect(receive(.ping, at: 500) == [])
  }

  /// A coordinator that was started again without a spool does not know the batch, and sends nothing by itself.
  @Test func theClientProbesASilentCoordinatorTwiceASecond() {
    _ = run()
    receive(accepted(), at: 100)
    #expect(handle(.tick, at: 599) == [])
    #expect(handle(.tick, at: 600) == ["acknowledge 0"])
    #expect(handle(.tick, at: 1000) == [])
    #expect(handle(.tick, at: 1100) == ["acknowledge 0"])
    #expect(receive(.unknown(batch: client.number), at: 1150) == ["fail lostConnection"])
  }

  @Test func aSilentCoordinatorIsAskedAgainToCancelABatch() {
    #expect(begin(.cancel(name: "abc")) == ["cancel abc"])
    #expect(handle(.tick, at: 2000) == ["cancel abc"])
  }

  @Test func damagedResultsOfAKeptBatchAreRequestedAgain() {
    let columns = OwnedBytes(copying: [1, 2, 3])
    func results(_ checksum: UInt64) -> MessageToClient {
      .rows(batch: client.number, [ResultRun(firstRow: 0, rows: 1, columns: nil, checksums: [checksum])])
    }
    _ = run()
    read(0..<1)
    receive(accepted(name: "kept"))
    #expect(receive(results(columns.checksum &+ 1), [columns]) == ["attach from 0, attempt 1"])
    #expect(receive(done(1)) == [], "the results come again")
    receive(accepted(name: "kept", storedRows: 1, isComplete: true))
    #expect(receive(results(columns.checksum), [columns]) == ["take 1", "acknowledge 1"])
  }

  /// The message may have been results. What was sent behind it arrives before the coordinator knows that it is lost.
  @Test func whatFollowsADamagedMessageOfAKeptBatchComesAgain() {
    _ = run()
    read(0..<2)
    receive(accepted(name: "kept"))
    #expect(handle(.malformedMessage, at: 200) == ["attach from 0, attempt 1"])
    #expect(receive(rows(1..<2), at: 201) == [])
    #expect(receive(done(2), at: 202) == [])
    receive(accepted(name: "kept", storedRows: 2, isComplete: true), at: 203)
    #expect(receive(rows(0..<2), at: 204) == ["take 2", "acknowledge 2"])
    #expect(receive(done(2), at: 205).contains("end kept"))
  }

  @Test func damagedResultsEndABatchThatIsNotKept() {
    _ = run()
    read(0..<1)
    receive(accepted())
    let results = MessageToClient.rows(
      batch: client.number, [ResultRun(firstRow: 0, rows: 1, columns: nil, checksums: [1])])
    #expect(receive(results, [OwnedBytes(copying: [1, 2, 3])]) == ["fail damaged"])
  }

  @Test func aKeptBatchContinuesOnAnotherConnection() {
    _ = run()
    receive(accepted(name: "abc"))
    #expect(receive(.unknown(batch: client.number), at: 200) == ["attach from 0, attempt 1"])
    #expect(receive(.unknown(batch: client.number), at: 201) == [], "it was the reply to another message")
  }

  @Test func theClientReadsManyRowsAsItsWindowAllows() {
    #expect(run(isShort: false) == ["submit"])
    #expect(client.wantedBytes == nil, "the batch is not accepted yet")
    receive(accepted(window: 150))
    #expect(client.wantedBytes == 150)
    #expect(read(0..<2, isLast: false) == ["rows 0+2"])
    #expect(client.wantedBytes == 150 && client.bytesUnderWay == 100)
    #expect(read(2..<4, isLast: false) == ["rows 2+2"])
    #expect(client.wantedBytes == nil && client.bytesUnderWay == 200)
    receive(rows(0..<2))
    #expect(client.wantedBytes == 150 && client.bytesUnderWay == 100)
    handle(.rowsEnded)
    #expect(client.wantedBytes == nil)
  }

  @Test func blankLinesAtTheEndAreSentOnlyWithTheEnd() {
    _ = run()
    #expect(read(0..<2, isLast: false) == ["rows 0+2"])
    #expect(read(2..<2, isLast: false) == [])
    #expect(read(2..<2) == ["rows 2+0, the last"])
  }

  @Test func rowsOfAKeptBatchAreSentAgainUntilTheyAreStored() {
    _ = run()
    read(0..<2, isLast: false)
    read(2..<4)
    #expect(receive(accepted(name: "kept")) == [])
    #expect(receive(.stored(batch: client.number, rows: 2, isComplete: false)) == [])
    #expect(receive(accepted(name: "kept", storedRows: 2)) == ["rows 2+2, the last"])
    #expect(receive(accepted(name: "kept", storedRows: 4)) == ["rows 2+2, the last"], "its end is not stored")
    #expect(receive(accepted(name: "kept", storedRows: 4, isComplete: true)) == [])
    #expect(receive(accepted(name: "kept", storedRows: 3)) == ["fail lostRows"])
  }

  // MARK: Silence

  @Test func theClientAttachesAgainToAKeptBatchAfterSilence() {
    _ = run()
    read(0..<2)
    receive(accepted(name: "kept"), at: 100)
    #expect(handle(.tick, at: 2000) == ["acknowledge 0"])
    #expect(handle(.tick, at: 2100) == ["attach from 0, attempt 1"])
    #expect(handle(.tick, at: 2400) == [])
    #expect(handle(.tick, at: 4000) == ["acknowledge 0"])
    #expect(handle(.tick, at: 4100) == ["attach from 0, attempt 2"])
    #expect(receive(.ping, at: 5000) == [])
    #expect(handle(.tick, at: 6900) == ["acknowledge 0"])
    #expect(handle(.tick, at: 7000) == ["attach from 0, attempt 3"])
    #expect(handle(.tick, at: 125_000) == ["fail silent"])
  }

  @Test func theClientAttachesFromTheFirstRowThatItLacks() {
    _ = run()
    read(0..<4)
    receive(accepted(name: "kept"))
    #expect(receive(rows(0..<3)) == ["take 3", "acknowledge 3"])
    #expect(handle(.tick, at: 2000) == ["attach from 3, attempt 1"])
  }

  @Test func theClientFailsAfterTheTimeoutOfASilentCoordinator() {
    _ = run()
    #expect(handle(.tick, at: 19_900) == [])
    #expect(handle(.tick, at: 20_000) == ["fail silent"])
    #expect(receive(done(0), at: 20_100) == [])
  }

  /// A client that was stopped reads the messages of its pause only after its first tick.
  @Test func theClientsOwnPauseIsNoSilenceOfTheCoordinator() {
    _ = run()
    #expect(report(.conversation(.tick), at: 600_000) == [])
    #expect(receive(accepted(), at: 600_010) == [])
    #expect(report(.conversation(.tick), at: 1_200_000) == ["acknowledge 0"])
    #expect(receive(.ping, at: 1_200_010) == [])
    #expect(handle(.tick, at: 1_260_000) == ["acknowledge 0"])
    #expect(handle(.tick, at: 1_260_010) == ["fail silent"])
  }

  // MARK: Results

  @Test func theClientTakesRowsInOrderAndOnce() {
    _ = run()
    read(0..<4)
    receive(accepted(name: "kept"))
    #expect(receive(rows(0..<1, 1..<2)) == ["take 1", "take 1", "acknowledge 2"])
    #expect(receive(rows(0..<1, 1..<2)) == [])
    #expect(receive(rows(1..<2, 2..<4)) == ["take 2", "acknowledge 4"])
    #expect(receive(done(4)) == ["end kept"])
  }

  @Test func rowsOutOfOrderEndTheBatch() {
    _ = run()
    receive(accepted())
    #expect(receive(rows(1..<2)) == ["fail outOfOrder"])
    _ = run()
    receive(accepted())
    #expect(receive(done(1)) == ["fail outOfOrder"])
  }

  @Test func invisibleResultsAreRequestedAgain() {
    _ = run()
    read(0..<2)
    receive(accepted(name: "kept"))
    let unknown = SharedRange(memory: MemoryReference(process: 1, descriptor: 1, token: 1), offset: 0, count: 1)
    let invisible = MessageToClient.rows(
      batch: client.number, [ResultRun(firstRow: 0, rows: 1, columns: unknown, checksums: [])])
    #expect(receive(invisible) == ["attach from 0, attempt 1"])
    #expect(receive(rows(1..<2)) == [] && receive(done(2)) == [], "what follows is of no use")
    #expect(receive(accepted(name: "kept", storedRows: 2, isComplete: true)) == [])
    #expect(receive(rows(0..<2)) == ["take 2", "acknowledge 2"])
    #expect(receive(done(2)) == ["end kept"])
  }

  @Test func messagesAboutOtherBatchesAreIgnored() {
    _ = run()
    let failed = MessageToClient.failed(batch: client.number, reason: "why")
    _ = run()
    #expect(receive(failed) == [])
    #expect(receive(.failed(batch: client.number, reason: "why")) == ["fail refused(\"why\")"])
  }

  @Test func aBatchThatWasAcceptedFails() {
    _ = run()
    _ = receive(accepted())
    #expect(receive(.failed(batch: client.number, reason: "why")) == ["fail failed(\"why\")"])
  }

  // MARK: Other requests

  @Test func aSubmittedBatchEndsWhenItsRowsAreStored() {
    #expect(begin(.submit(Self.description)) == ["submit"])
    read(0..<2)
    #expect(receive(accepted(name: "kept")) == [])
    #expect(receive(.stored(batch: client.number, rows: 1, isComplete: false)) == [])
    #expect(receive(.stored(batch: client.number, rows: 2, isComplete: true)) == ["end kept"])
  }

  @Test func aSubmittedBatchWhoseAcceptanceWasDamagedEndsWithItsName() {
    _ = begin(.submit(Self.description))
    read(0..<2)
    #expect(handle(.malformedMessage) == ["submit"])
    #expect(receive(.stored(batch: client.number, rows: 2, isComplete: true)) == [], "its name is not known")
    #expect(receive(accepted(name: "kept", storedRows: 2, isComplete: true)) == ["end kept"])
  }

  @Test func aResumedBatchRequestsItsResultsFirst() {
    #expect(run(resuming: "kept") == ["attach from 0, attempt 1"])
    #expect(client.wantedBytes == nil)
    receive(accepted(name: "kept", storedRows: 0))
    #expect(client.wantedBytes == ProtocolLimits.chunkBytes)
  }

  @Test func aKeptBatchOfAnotherRequestIsNotResumed() {
    _ = run(resuming: "kept")
    var other = Self.description
    other.variants[0].width = 320
    #expect(receive(accepted(name: "kept", description: other)) == ["fail otherRequest"])
  }

  @Test func aFetchedBatchBeginsOnce() {
    #expect(begin(.fetch(name: "kept")) == ["attach from 0, attempt 1"])
    #expect(client.wantedBytes == nil)
    #expect(receive(accepted(name: "kept")) == ["begin [7]"])
    #expect(receive(accepted(name: "kept")) == [])
    #expect(receive(rows(0..<2)) == ["take 2", "acknowledge 2"])
    #expect(receive(done(2)) == ["end kept"])
  }

  @Test func aPauseOfTheBatchIsReported() {
    _ = begin(.fetch(name: "kept"))
    #expect(receive(.waiting(batch: client.number, reason: "no space")) == ["wait: no space"])
    #expect(receive(.waiting(batch: client.number, reason: "")) == ["go on"])
  }

  @Test func aCancelledBatchEnds() {
    #expect(begin(.cancel(name: "kept")) == ["cancel kept"])
    #expect(receive(.cancelled(batch: client.number, count: 1)) == ["end"])
  }
}
