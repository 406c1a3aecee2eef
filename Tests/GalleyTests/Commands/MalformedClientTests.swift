import BatchLayout
import Buffers
import CellTemplates
import Foundation
import GalleyTestSupport
import LayoutEngine
import LayoutTables
import PoolClient
import PoolProtocol
import Testing

@testable import PoolEnvelopes

/// Tests of clients that send wrong, repeated or unexpected messages.
@Suite struct MalformedClientTests {
  private let scratch = Scratch()

  @discardableResult
  private func submit(_ client: Client, isDetached: Bool = false) throws -> String {
    let request = BatchRequest(
      program: OwnedBytes(joining: ProgramArchive.parts(cells: [], faces: [])), variants: [Variant(width: 390)],
      input: "rows")
    var message = PoolFromClient()
    (message.submit.version, message.submit.batch) = (Version.current, 1)
    message.submit.variants = request.description.variants.map(\.message)
    message.submit.program = .init(request.programHash)
    message.submit.detached = isDetached
    message.submit.session = 7
    try client.send(message)
    let reply = try client.receive { if case .programWanted = $0 { true } else { false } }
    guard case .programWanted? = reply else { throw UnexpectedReply(reply: reply) }
    let program = OwnedBytes(joining: try request.programParts())
    var part = PoolFromClient()
    part.program = .with { ($0.batch, $0.size) = (1, UInt64(program.count)) }
    try client.send(part, [Array(program.bytes)])
    return try accepted(client)
  }

  /// Waits until the batch is accepted, and returns its name.
  private func accepted(_ client: Client) throws -> String {
    let reply = try client.receive { message in
      switch message {
      case .accepted, .failed: true
      default: false
      }
    }
    guard case .accepted(let accepted)? = reply else { throw UnexpectedReply(reply: reply) }
    return accepted.name
  }

  private struct UnexpectedReply: Error {
    let reply: PoolToClient.OneOf_Message?
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

  /// The worker that returned fewer rows stays registered.
  @Test func aBatchWithFewerRowsThanItsChunkStatesFails() throws {
    let pool = try Pool(scratch)
    let peer = try Peer(pool.endpoint)
    try peer.register()
    let client = try Client(pool.endpoint)
    try submit(client)
    try send(client, from: 0, rows: 3, "{}\n{}\n", isLast: true)
    let job = try #require(try peer.receiveJob())
    #expect(job.rows == 3)
    var result = PoolFromWorker()
    (result.result.job, result.result.attempt, result.result.rows) = (job.job, job.attempt, 2)
    let columns = JobColumns()
    for row in 0..<2 { columns.appendBadRow(id: "\(row)", error: "") }
    try peer.send(result, [OwnedBytes(columns).withBytes { Array($0) }])
    #expect(try failure(client) == "a chunk has another number of rows than its header states")
    #expect(try pool.state().workers.count == 1)
  }

  @Test func aBatchWithMoreRowsThanItsChunkStatesFails() throws {
    let pool = try Pool(scratch)
    try pool.startWorker()
    let client = try Client(pool.endpoint)
    try submit(client)
    try send(client, from: 0, rows: 0, "{}\n{}\n", isLast: true)
    #expect(try failure(client) == "a chunk has another number of rows than its header states")
  }

  @Test func aBatchWithRowsOutOfOrderFailsWithoutASpool() throws {
    let pool = try Pool(scratch)
    let client = try Client(pool.endpoint)
    try submit(client)
    try send(client, from: 7, rows: 1, "{}\n")
    #expect(try failure(client) == "the rows of the batch were received out of order")
  }

  /// The client sends them again through the socket.
  @Test func theCoordinatorRequestsLinesOfAStoredBatchThatItCannotRead() throws {
    let pool = try Pool(scratch, ["--spool", scratch.path("spool")])
    let client = try Client(pool.endpoint)
    try submit(client, isDetached: true)
    var message = PoolFromClient()
    message.chunk = .with {
      ($0.batch, $0.firstLine, $0.rows, $0.last, $0.lines.size) = (1, 1, 1, true, 3)
    }
    try client.send(message)
    let reply = try client.receive { message in
      if case .ping = message { return false }
      return true
    }
    guard case .accepted(let accepted)? = reply else {
      Issue.record("the coordinator did not request the lines")
      return
    }
    #expect(accepted.storedRows == 0)
    try send(client, from: 0, rows: 1, "{}\n", isLast: true)
    #expect(try client.receive { if case .stored = $0 { true } else { false } } != nil)
  }

  /// A client that receives no message for some time connects again, while messages of its old connection can still
  /// arrive.
  @Test func aClientContinuesWithANewConnection() throws {
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

  /// A client that attaches to its batch again while it sends rows can send them twice or too early.
  @Test func repeatedAndEarlyRowsOfAStoredBatchAreAccepted() throws {
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
      let reply = try client.receive { message in
        switch message {
        case .stored, .failed: true
        default: false
        }
      }
      guard case .stored(let rows)? = reply else {
        Issue.record("\(String(describing: reply))")
        return
      }
      stored.append(rows.rows)
    }
    #expect(stored == [2, 3])
    #expect(try pool.state().batches.map(\.rowsReceived) == [3])
  }
}
