import BatchLayout
import Buffers
import CellTemplates
import Foundation
import GalleyTestSupport
import Hashing
import LayoutEngine
import PoolClient
import PoolClientCore
import RowsFiles
import Synchronization
import Testing

@testable import PoolEnvelopes
@testable import ZeroMQ

/// The checksums of a variant without columns.
private let emptyColumns = [OwnedBytes.empty.checksum]

/// Tests of a client whose messages go to a test in place of a coordinator.
@Suite struct BatchClientTests {
  /// The coordinator's side of the connection to a client that runs a batch on a separate thread.
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
            program: OwnedBytes(joining: ProgramArchive.parts(cells: [], faces: [])), variants: [Variant(width: 390)],
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

    /// Starts a client that sends its two rows with its batch. Accepts the batch if it is given a name, empty unless it is kept.
    static func ofTwoRows(acceptedAs name: String? = nil) throws -> Counterpart {
      let counterpart = try Counterpart("{}\n{}\n")
      #expect(try counterpart.receivedMessage() == "submit")
      #expect(try counterpart.receivedMessage() == "rows from 0 to the end")
      if let name { try counterpart.accept(name: name) }
      return counterpart
    }

    /// Returns the next message, with the number of message parts that follow it.
    func receive() throws -> (message: PoolFromClient.OneOf_Message?, parts: Int) {
      guard try socket.wait(milliseconds: 10_000), let parts = try socket.receive() else { return (nil, 0) }
      client = [UInt8](parts[0].bytes)
      let envelope = parts[1].withBytes { Envelope.decode(PoolToCoordinator.self, $0) }
      guard case .client(let message)? = envelope?.sender else { return (nil, 0) }
      return (message.message, parts.count - 2)
    }

    /// Returns a description of the client's next message, or nil if none arrives. Probes of a silent coordinator are omitted.
    func receivedMessage() throws -> String? {
      switch try receive() {
      case (.taken(let taken)?, _) where taken.rows == 0 && !taken.complete: try receivedMessage()
      case (.submit?, _): "submit"
      case (.program(let part)?, _): "program from \(part.offset)"
      case (.chunk(let chunk)?, _): "rows from \(chunk.firstRow)\(chunk.last ? " to the end" : "")"
      case (.attach(let attach)?, _): "attach from \(attach.firstRow)"
      case (.taken(let taken)?, _): taken.complete ? "complete" : "taken \(taken.rows)"
      default: nil
      }
    }

    /// Returns whether the client sends no message for a moment.
    func isSilent() throws -> Bool { try !socket.wait(milliseconds: 50) }

    func send(_ bulk: [MessagePart] = [], _ fill: (inout PoolToClient) -> Void) throws {
      var message = PoolToClient()
      fill(&message)
      _ = try socket.send([client, Envelope.encode(message)], bulk)
    }

    func accept(name: String = "", storedRows: UInt64 = 0) throws {
      let request = BatchRequest(
        program: OwnedBytes(joining: ProgramArchive.parts(cells: [], faces: [])), variants: [Variant(width: 390)],
        input: "")
      try send {
        ($0.accepted.batch, $0.accepted.window, $0.accepted.name) = (1, 1 << 20, name)
        $0.accepted.storedRows = storedRows
        $0.accepted.program = .init(request.programHash)
        $0.accepted.variants = request.description.variants.map(\.message)
      }
    }

    /// Waits for the end of the client. Returns the number of rows that the client has taken.
    func end() throws -> Int {
      outcome.isThere.wait()
      if let error = outcome.failure.withLock({ $0 }) { throw error }
      return outcome.rows.withLock { $0 }
    }
  }

  @Test func fewRowsAreSentWithTheBatchAndAgainAfterItsProgram() throws {
    let counterpart = try Counterpart.ofTwoRows()
    try counterpart.send { ($0.programWanted.batch, $0.programWanted.size) = (1, 1 << 20) }
    #expect(try counterpart.receivedMessage() == "program from 0")
    try counterpart.accept()
    #expect(try counterpart.receivedMessage() == "rows from 0 to the end")
    #expect(try counterpart.isSilent(), "the rows are there")
    try counterpart.send([.sharing(OwnedBytes(copying: []))]) {
      ($0.rows.batch, $0.rows.rows, $0.rows.checksums) = (1, 2, emptyColumns)
    }
    try counterpart.send { ($0.done.batch, $0.done.rows) = (1, 2) }
    #expect(try counterpart.end() == 2)
    #expect(try counterpart.isSilent(), "the coordinator does not keep the batch")
  }

  @Test func manyRowsAreSentAfterTheBatchIsAccepted() throws {
    let line = "{\"text\":\"" + String(repeating: "x", count: 1000) + "\"}\n"
    let counterpart = try Counterpart(String(repeating: line, count: 1100))
    #expect(try counterpart.receivedMessage() == "submit")
    #expect(try counterpart.isSilent())
    try counterpart.accept()
    #expect(try counterpart.receivedMessage() == "rows from 0")
    try counterpart.send { ($0.failed.batch, $0.failed.reason) = (1, "enough") }
    #expect(throws: PoolError.failed("enough")) { try counterpart.end() }
  }

  /// A coordinator may accept a batch and end before it receives the rows.
  @Test func rowsOfAKeptBatchAreSentAgainUntilTheyAreStored() throws {
    let counterpart = try Counterpart.ofTwoRows(acceptedAs: "kept")
    #expect(try counterpart.receivedMessage() == "attach from 0", "as nothing is heard")
    try counterpart.accept(name: "kept")
    #expect(try counterpart.receivedMessage() == "rows from 0 to the end")
    try counterpart.send { ($0.stored.batch, $0.stored.rows, $0.stored.isComplete) = (1, 2, true) }
    #expect(try counterpart.receivedMessage() == "attach from 0")
    try counterpart.accept(name: "kept", storedRows: 2)
    try counterpart.send([.sharing(OwnedBytes(copying: []))]) {
      ($0.rows.batch, $0.rows.rows, $0.rows.checksums) = (1, 2, emptyColumns)
    }
    #expect(try counterpart.receivedMessage() == "taken 2")
    try counterpart.send { ($0.done.batch, $0.done.rows) = (1, 2) }
    #expect(try counterpart.end() == 2)
    #expect(try counterpart.receivedMessage() == "complete")
  }

  @Test func aBatchFailsWhenItsCoordinatorHasLostRows() throws {
    let counterpart = try Counterpart.ofTwoRows(acceptedAs: "kept")
    try counterpart.send { ($0.stored.batch, $0.stored.rows, $0.stored.isComplete) = (1, 2, true) }
    try counterpart.accept(name: "kept", storedRows: 1)
    #expect(throws: PoolError.lostRows) { try counterpart.end() }
  }

  /// The coordinator that sent a reference to the columns may have ended. The next coordinator has the columns.
  @Test func invisibleResultsOfAKeptBatchAreRequestedAgain() throws {
    let counterpart = try Counterpart.ofTwoRows(acceptedAs: "kept")
    let unknown = PoolSharedBytes.with { ($0.pid, $0.descriptor, $0.token, $0.offset) = (1, 1, 1, 128) }
    for row in 0..<2 as Range<UInt64> {
      try counterpart.send { ($0.rows.batch, $0.rows.firstRow, $0.rows.rows, $0.rows.columns) = (1, row, 1, unknown) }
    }
    try counterpart.send { ($0.done.batch, $0.done.rows) = (1, 2) }
    #expect(try counterpart.receivedMessage() == "attach from 0")
    try counterpart.accept(name: "kept")
    #expect(try counterpart.receivedMessage() == "rows from 0 to the end")
    try counterpart.send([.sharing(OwnedBytes(copying: []))]) {
      ($0.rows.batch, $0.rows.rows, $0.rows.checksums) = (1, 2, emptyColumns)
    }
    #expect(try counterpart.receivedMessage() == "taken 2")
    try counterpart.send { ($0.done.batch, $0.done.rows) = (1, 2) }
    #expect(try counterpart.end() == 2)
  }

  /// When a client attaches again, the coordinator may send results that the client already has.
  @Test func runsOfRowsAreDeliveredInOrderAndOnce() throws {
    let counterpart = try Counterpart.ofTwoRows(acceptedAs: "kept")
    func sendRuns(_ runs: [(UInt64, UInt32)]) throws {
      try counterpart.send {
        $0.runs.batch = 1
        $0.runs.rows = runs.map { run in .with { ($0.batch, $0.firstRow, $0.rows) = (1, run.0, run.1) } }
      }
    }
    try sendRuns([(0, 1)])
    #expect(try counterpart.receivedMessage() == "taken 1")
    try sendRuns([(0, 1), (1, 1)])
    #expect(try counterpart.receivedMessage() == "taken 2")
    try sendRuns([(0, 1), (1, 1)])
    try sendRuns([])
    #expect(try counterpart.isSilent())
    try counterpart.send { ($0.done.batch, $0.done.rows) = (1, 2) }
    #expect(try counterpart.end() == 2)
  }

  @Test func runsOfRowsOutOfOrderEndTheBatch() throws {
    let counterpart = try Counterpart.ofTwoRows(acceptedAs: "")
    try counterpart.send {
      $0.runs.batch = 1
      $0.runs.rows = [.with { ($0.batch, $0.firstRow, $0.rows) = (1, 1, 1) }]
    }
    #expect(throws: PoolError.outOfOrder) { try counterpart.end() }
  }

  @Test func invisibleResultsEndABatchThatIsNotKept() throws {
    let counterpart = try Counterpart.ofTwoRows(acceptedAs: "")
    let unknown = PoolSharedBytes.with { ($0.pid, $0.descriptor, $0.token, $0.offset) = (1, 1, 1, 128) }
    try counterpart.send { ($0.rows.batch, $0.rows.rows, $0.rows.columns) = (1, 2, unknown) }
    #expect(throws: PoolError.outOfSight) { try counterpart.end() }
  }
}
