import BatchLayout
import CellTemplates
import Foundation
import GalleyTestSupport
import PoolClient
import PoolClientCore
import RowsFiles
import Synchronization
import Testing

@testable import PoolEnvelopes
@testable import ZeroMQ

/// A client, and a test that says what a coordinator says.
@Suite struct BatchClientTests {
  private static let rows = "{}\n{}\n"

  /// The other side of a client that runs a batch on a thread of its own.
  private final class Counterpart {
    private let socket: Socket
    private var client: [UInt8] = []
    private let scratch = Scratch()
    private let outcome = Outcome()

    private final class Outcome: Sendable {
      let isThere = DispatchSemaphore(value: 0)
      let failure = Mutex<PoolError?>(nil)
      let rows = Mutex(0)
    }

    init(_ rows: String) throws {
      let context = try Context()
      socket = try Socket(.router, context)
      try socket.bind("inproc://coordinator")
      let file = try scratch.file("rows.jsonl", rows)
      Thread.detachNewThread { [outcome] in
        do {
          let request = BatchRequest(
            program: ProgramArchive.encode(cells: [], faces: []) { _, _ in }, variants: [Variant(width: 390)],
            input: file)
          let client = try BatchClient(context, endpoint: "inproc://coordinator")
          try client.run(request, rows: try RowsReader(file), shouldStop: { false }) { rows, _ in
            outcome.rows.withLock { $0 += rows }
          }
          try client.complete()
        } catch { outcome.failure.withLock { $0 = error as? PoolError ?? .silent } }
        outcome.isThere.signal()
      }
    }

    /// The next message, with how many frames came behind it.
    func hear() throws -> (message: PoolFromClient.OneOf_Message?, frames: Int) {
      guard try socket.wait(milliseconds: 10_000), let parts = try socket.receive() else { return (nil, 0) }
      client = [UInt8](parts[0].bytes)
      let envelope = parts[1].withBytes { Envelope.decode(PoolToCoordinator.self, $0) }
      guard case .client(let message)? = envelope?.sender else { return (nil, 0) }
      return (message.message, parts.count - 2)
    }

    /// What the client said next, in a word; nil when it says nothing.
    func word() throws -> String? {
      switch try hear() {
      case (.submit?, let frames): frames == 0 ? "submit" : "submit with program"
      case (.chunk(let chunk)?, _): "rows from \(chunk.firstRow)\(chunk.last ? " to the end" : "")"
      case (.attach(let attach)?, _): "attach from \(attach.firstRow)"
      case (.taken(let taken)?, _): taken.complete ? "complete" : "taken \(taken.rows)"
      default: nil
      }
    }

    func isSilent() throws -> Bool { try !socket.wait(milliseconds: 50) }

    func say(_ bulk: [MessagePart] = [], _ fill: (inout PoolToClient) -> Void) throws {
      var message = PoolToClient()
      fill(&message)
      _ = try socket.send([client, Envelope.encode(message)], bulk)
    }

    func accept(name: String = "", storedRows: UInt64 = 0) throws {
      let request = BatchRequest(
        program: ProgramArchive.encode(cells: [], faces: []) { _, _ in }, variants: [Variant(width: 390)], input: "")
      try say {
        ($0.accepted.batch, $0.accepted.window, $0.accepted.name) = (1, 1 << 20, name)
        $0.accepted.storedRows = storedRows
        $0.accepted.program = .init(request.programHash)
        $0.accepted.variants = request.description.variants.map(\.message)
      }
    }

    /// Rows that the client took, once it has ended.
    func end() throws -> Int {
      outcome.isThere.wait()
      if let error = outcome.failure.withLock({ $0 }) { throw error }
      return outcome.rows.withLock { $0 }
    }
  }

  @Test func rowsThatAreFewGoWithTheBatchAndAgainWithItsProgram() throws {
    let counterpart = try Counterpart(Self.rows)
    #expect(try counterpart.word() == "submit")
    #expect(try counterpart.word() == "rows from 0 to the end")
    try counterpart.say { $0.programWanted.batch = 1 }
    #expect(try counterpart.word() == "submit with program")
    #expect(try counterpart.word() == "rows from 0 to the end")
    try counterpart.accept()
    #expect(try counterpart.isSilent(), "the rows are there")
    try counterpart.say([MessagePart(copying: [])]) { ($0.rows.batch, $0.rows.rows) = (1, 2) }
    try counterpart.say { ($0.done.batch, $0.done.rows) = (1, 2) }
    #expect(try counterpart.end() == 2)
    #expect(try counterpart.isSilent(), "the coordinator does not keep the batch")
  }

  @Test func rowsThatAreManyWaitForTheAnswer() throws {
    let line = "{\"text\":\"" + String(repeating: "x", count: 1000) + "\"}\n"
    let counterpart = try Counterpart(String(repeating: line, count: 1100))
    #expect(try counterpart.word() == "submit")
    #expect(try counterpart.isSilent())
    try counterpart.accept()
    #expect(try counterpart.word() == "rows from 0")
    try counterpart.say { ($0.failed.batch, $0.failed.reason) = (1, "enough") }
    #expect(throws: PoolError.failed("enough")) { try counterpart.end() }
  }

  /// A coordinator that keeps the batch has said that it will, but may have ended before it got the rows.
  @Test func rowsOfABatchThatIsKeptComeAgainUntilTheyAreStored() throws {
    let counterpart = try Counterpart(Self.rows)
    #expect(try counterpart.word() == "submit")
    #expect(try counterpart.word() == "rows from 0 to the end")
    try counterpart.accept(name: "kept")
    #expect(try counterpart.word() == "attach from 0", "as nothing is heard")
    try counterpart.accept(name: "kept")
    #expect(try counterpart.word() == "rows from 0 to the end")
    try counterpart.say { ($0.stored.batch, $0.stored.rows, $0.stored.isComplete) = (1, 2, true) }
    #expect(try counterpart.word() == "attach from 0")
    try counterpart.accept(name: "kept", storedRows: 2)
    try counterpart.say([MessagePart(copying: [])]) { ($0.rows.batch, $0.rows.rows) = (1, 2) }
    #expect(try counterpart.word() == "taken 2")
    try counterpart.say { ($0.done.batch, $0.done.rows) = (1, 2) }
    #expect(try counterpart.end() == 2)
    #expect(try counterpart.word() == "complete")
  }

  @Test func aCoordinatorThatHasLostRowsIsNotWaitedFor() throws {
    let counterpart = try Counterpart(Self.rows)
    #expect(try counterpart.word() == "submit")
    #expect(try counterpart.word() == "rows from 0 to the end")
    try counterpart.accept(name: "kept")
    try counterpart.say { ($0.stored.batch, $0.stored.rows, $0.stored.isComplete) = (1, 2, true) }
    try counterpart.accept(name: "kept", storedRows: 1)
    #expect(throws: PoolError.lostRows) { try counterpart.end() }
  }

  /// A coordinator that showed it columns and ended: the next one has them.
  @Test func rowsOfAKeptBatchThatAreNotSeenAreAskedForAgain() throws {
    let counterpart = try Counterpart(Self.rows)
    #expect(try counterpart.word() == "submit")
    #expect(try counterpart.word() == "rows from 0 to the end")
    try counterpart.accept(name: "kept")
    let nowhere = PoolSharedBytes.with { ($0.pid, $0.descriptor, $0.token, $0.offset) = (1, 1, 1, 128) }
    for row in 0..<2 as Range<UInt64> {
      try counterpart.say { ($0.rows.batch, $0.rows.firstRow, $0.rows.rows, $0.rows.columns) = (1, row, 1, nowhere) }
    }
    try counterpart.say { ($0.done.batch, $0.done.rows) = (1, 2) }
    #expect(try counterpart.word() == "attach from 0")
    try counterpart.accept(name: "kept")
    #expect(try counterpart.word() == "rows from 0 to the end")
    try counterpart.say([MessagePart(copying: [])]) { ($0.rows.batch, $0.rows.rows) = (1, 2) }
    #expect(try counterpart.word() == "taken 2")
    try counterpart.say { ($0.done.batch, $0.done.rows) = (1, 2) }
    #expect(try counterpart.end() == 2)
  }

  /// Results of short jobs, of which some were sent before, as a coordinator does when it is asked again.
  @Test func runsOfRowsAreTakenInOrderAndOnce() throws {
    let counterpart = try Counterpart(Self.rows)
    #expect(try counterpart.word() == "submit")
    #expect(try counterpart.word() == "rows from 0 to the end")
    try counterpart.accept(name: "kept")
    func say(_ runs: [(UInt64, UInt32)]) throws {
      try counterpart.say {
        $0.runs.batch = 1
        $0.runs.rows = runs.map { run in .with { ($0.batch, $0.firstRow, $0.rows) = (1, run.0, run.1) } }
      }
    }
    try say([(0, 1)])
    #expect(try counterpart.word() == "taken 1")
    try say([(0, 1), (1, 1)])
    #expect(try counterpart.word() == "taken 2")
    try say([(0, 1), (1, 1)])
    try say([])
    #expect(try counterpart.isSilent())
    try counterpart.say { ($0.done.batch, $0.done.rows) = (1, 2) }
    #expect(try counterpart.end() == 2)
  }

  @Test func runsOfRowsThatLackSomeEndTheBatch() throws {
    let counterpart = try Counterpart(Self.rows)
    #expect(try counterpart.word() == "submit")
    #expect(try counterpart.word() == "rows from 0 to the end")
    try counterpart.accept()
    try counterpart.say {
      $0.runs.batch = 1
      $0.runs.rows = [.with { ($0.batch, $0.firstRow, $0.rows) = (1, 1, 1) }]
    }
    #expect(throws: PoolError.outOfOrder) { try counterpart.end() }
  }

  @Test func rowsThatAreNotSeenAndNotKeptEndTheBatch() throws {
    let counterpart = try Counterpart(Self.rows)
    #expect(try counterpart.word() == "submit")
    #expect(try counterpart.word() == "rows from 0 to the end")
    try counterpart.accept()
    let nowhere = PoolSharedBytes.with { ($0.pid, $0.descriptor, $0.token, $0.offset) = (1, 1, 1, 128) }
    try counterpart.say { ($0.rows.batch, $0.rows.rows, $0.rows.columns) = (1, 2, nowhere) }
    #expect(throws: PoolError.outOfSight) { try counterpart.end() }
  }
}
