import BatchLayout
import Buffers
import CellTemplates
import Foundation
import GalleyTestSupport
import LayoutTables
import PoolClient
import PoolLayouts
import PoolProtocol
import Testing

@testable import PoolEnvelopes

/// Clients that say what is not so, or say it twice.
@Suite struct OddClientTests {
  private let scratch = Scratch()

  @discardableResult
  private func submit(_ client: Client, isDetached: Bool = false) throws -> String {
    let request = BatchRequest(
      program: ProgramArchive.encode(cells: [], faces: []) { _, _ in }, variants: [Variant(width: 390)], input: "rows")
    var message = PoolFromClient()
    (message.submit.version, message.submit.batch) = (Version.current, 1)
    message.submit.variants = request.description.variants.map(\.message)
    message.submit.program = .init(request.programHash)
    message.submit.detached = isDetached
    message.submit.session = 7
    try client.send(message, [Array(request.program.bytes)])
    return try accepted(client)
  }

  /// Waits to be accepted; the batch's name.
  private func accepted(_ client: Client) throws -> String {
    let word = try client.receive { message in
      switch message {
      case .accepted, .failed: true
      default: false
      }
    }
    guard case .accepted(let accepted)? = word else { throw OddWord(word: word) }
    return accepted.name
  }

  private struct OddWord: Error {
    let word: PoolToClient.OneOf_Message?
  }

  private func attach(_ client: Client, _ name: String, session: UInt64, attempt: UInt32) throws {
    var message = PoolFromClient()
    message.attach = .with {
      ($0.version, $0.batch, $0.name) = (Version.current, 1, name)
      ($0.session, $0.attempt) = (session, attempt)
    }
    try client.send(message)
  }

  private func send(_ client: Client, from row: UInt64, rows: UInt32, _ lines: String, isLast: Bool = false) throws {
    var message = PoolFromClient()
    message.chunk = .with {
      ($0.batch, $0.firstLine, $0.firstRow, $0.rows, $0.last) = (1, row + 1, row, rows, isLast)
    }
    try client.send(message, [Array(lines.utf8)])
  }

  private func failure(_ client: Client) throws -> String? {
    guard case .failed(let failed)? = try client.receive(where: { if case .failed = $0 { true } else { false } }) else {
      return nil
    }
    return failed.reason
  }

  /// Its batch ends, and the worker that saw it is not taken for a liar.
  @Test func aClientThatClaimsRowsThatAreNotThereIsToldSo() throws {
    let pool = try Pool(scratch)
    let peer = try Peer(pool.endpoint)
    try peer.sayHello()
    let client = try Client(pool.endpoint)
    try submit(client)
    try send(client, from: 0, rows: 3, "{}\n{}\n", isLast: true)
    let job = try #require(try peer.receiveJob())
    #expect(job.rows == 3)
    var answer = PoolFromWorker()
    (answer.result.job, answer.result.attempt, answer.result.rows) = (job.job, job.attempt, 2)
    var columns = JobColumns()
    for row in 0..<2 { columns.appendBadRow(id: "\(row)", error: "") }
    try peer.send(answer, [OwnedBytes(columns).withBytes { Array($0) }])
    #expect(try failure(client) == "a chunk has not the rows that it claims")
    #expect(try pool.state().workers.count == 1)
  }

  @Test func rowsThatAClientDoesNotCountAreNotLost() throws {
    let pool = try Pool(scratch)
    try pool.startWorker()
    let client = try Client(pool.endpoint)
    try submit(client)
    try send(client, from: 0, rows: 0, "{}\n{}\n", isLast: true)
    #expect(try failure(client) == "a chunk has not the rows that it claims")
  }

  @Test func rowsOutOfOrderEndABatchThatIsNotKept() throws {
    let pool = try Pool(scratch)
    let client = try Client(pool.endpoint)
    try submit(client)
    try send(client, from: 7, rows: 1, "{}\n")
    #expect(try failure(client) == "the rows of the batch came out of order")
  }

  /// Of a kept batch, lines that are not seen come again by the socket.
  @Test func linesOfAKeptBatchThatAreNotSeenAreAskedFor() throws {
    let pool = try Pool(scratch, ["--spool", scratch.path("spool")])
    let client = try Client(pool.endpoint)
    try submit(client, isDetached: true)
    var message = PoolFromClient()
    message.chunk = .with {
      ($0.batch, $0.firstLine, $0.rows, $0.last, $0.lines.size) = (1, 1, 1, true, 3)
    }
    try client.send(message)
    let answer = try client.receive { message in
      if case .ping = message { return false }
      return true
    }
    guard case .accepted(let accepted)? = answer else {
      Issue.record("it did not ask")
      return
    }
    #expect(accepted.storedRows == 0)
    try send(client, from: 0, rows: 1, "{}\n", isLast: true)
    #expect(try client.receive { if case .stored = $0 { true } else { false } } != nil)
  }

  /// After a time without a word, what a client says goes by a new connection, and some of it still by the old one.
  @Test func aClientIsKnownByAnotherConnection() throws {
    let pool = try Pool(scratch, ["--spool", scratch.path("spool")])
    let (old, new) = (try Client(pool.endpoint), try Client(pool.endpoint))
    let name = try submit(old)
    try attach(new, name, session: 7, attempt: 2)
    #expect(try accepted(new) == name)
    try attach(old, name, session: 7, attempt: 1)
    try send(new, from: 0, rows: 1, "{}\n")
    #expect(try new.receive { if case .stored = $0 { true } else { false } } != nil)
    let other = try Client(pool.endpoint)
    try attach(other, name, session: 8, attempt: 1)
    #expect(try accepted(other) == name)
    #expect(try failure(new) == "another client took over batch \(name)")
  }

  /// As of a client that asked for its batch again while it sent them.
  @Test func rowsOfAKeptBatchMayComeTwiceOrTooEarly() throws {
    let pool = try Pool(scratch, ["--spool", scratch.path("spool")])
    let client = try Client(pool.endpoint)
    try submit(client, isDetached: true)
    try send(client, from: 0, rows: 2, "{}\n{}\n")
    try send(client, from: 0, rows: 2, "{}\n{}\n")
    try send(client, from: 9, rows: 1, "{}\n", isLast: true)
    try send(client, from: 2, rows: 1, "{}\n", isLast: true)
    try send(client, from: 2, rows: 1, "{}\n", isLast: true)
    var stored: [UInt64] = []
    while stored.last != 3 {
      let word = try client.receive { message in
        switch message {
        case .stored, .failed: true
        default: false
        }
      }
      guard case .stored(let rows)? = word else {
        Issue.record("\(String(describing: word))")
        return
      }
      stored.append(rows.rows)
    }
    #expect(stored == [2, 3])
    #expect(try pool.state().batches.map(\.rowsReceived) == [3])
  }
}
