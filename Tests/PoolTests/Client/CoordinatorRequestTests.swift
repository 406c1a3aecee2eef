import Foundation
import PoolClient
import PoolEnvelopes
import PoolProtocol
import Synchronization
import Testing

@testable import ZeroMQ

/// Tests of requests for the state of a coordinator, to which a test replies in its place.
@Suite struct CoordinatorRequestTests {
  private final class Outcome: Sendable {
    let isThere = DispatchSemaphore(value: 0)
    let processes = Mutex<[Int64?]>([])
  }

  /// The reply to the first request is late, so that both requests have one.
  @Test func theSecondReplyToARepeatedRequestIsNotThatToTheNextRequest() throws {
    let context = try Context()
    let socket = try Socket(.router, context)
    try socket.bind("inproc://coordinator")
    let outcome = Outcome()
    Thread.detachNewThread {
      let client = try? CoordinatorClient(context, endpoint: "inproc://coordinator")
      for _ in 0..<2 {
        let status = try? client?.status(milliseconds: 30_000)
        outcome.processes.withLock { $0.append(status?.pid) }
      }
      outcome.isThere.signal()
    }
    /// Returns the routing ID of the connection on which the next request was received.
    func nextRequest() throws -> [UInt8] {
      #expect(try socket.wait(milliseconds: 30_000))
      let parts = try #require(try socket.receive())
      #expect([UInt8](parts[1].bytes) == ClientMessage.status.encoded())
      return [UInt8](parts[0].bytes)
    }
    func reply(process: Int64, to client: [UInt8]) throws {
      var status = PoolStatus()
      status.pid = process
      _ = try socket.send([client, MessageToClient.status(status).encoded()])
    }
    let client = try nextRequest()
    #expect(try nextRequest() == client)
    try reply(process: 1, to: client)
    try reply(process: 2, to: client)
    var next = try nextRequest()
    while next == client { next = try nextRequest() }
    try reply(process: 3, to: next)
    outcome.isThere.wait()
    #expect(outcome.processes.withLock { $0 } == [1, 3])
  }
}
