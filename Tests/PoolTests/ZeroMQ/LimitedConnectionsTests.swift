import CZeroMQ
import Foundation
import GalleyTestSupport
import Testing

@testable import ZeroMQ

/// Tests of a router whose connections may hold a limited amount of memory.
@Suite struct LimitedConnectionsTests {
  private static let limit = 4 << 20
  private static let maxParts = 272

  private let scratch = Scratch()
  private let router: Socket

  init() throws {
    router = try Socket(.router, try Context())
    try router.limitConnections(bytes: Self.limit, parts: Self.maxParts)
  }

  private func listen(_ transport: String) throws -> String {
    try router.bind(transport == "tcp" ? "tcp://127.0.0.1:*" : "ipc://\(scratch.path("router"))")
  }

  /// Receives all messages for a time. Returns them, and why connections were closed.
  private func receive(
    until isDone: ([[MessagePart]], [String]) -> Bool
  ) throws -> (messages: [[MessagePart]], closed: [String]) {
    var messages: [[MessagePart]] = []
    var closed: [String] = []
    for _ in 0..<1000 where !isDone(messages, closed) {
      _ = try router.wait(milliseconds: 10)
      while let message = try router.receive() { messages.append(message) }
      closed += router.closeExcessiveConnections()
    }
    return (messages, closed)
  }

  /// What nobody can receive any more is forgotten.
  private func expectNothingIsHeld() throws {
    _ = try receive { _, _ in router.reception?.bytes == 0 }
    #expect(router.reception?.bytes == 0)
  }

  @Test(arguments: ["tcp", "ipc"])
  func endlessPartsCloseTheirConnectionOnly(transport: String) throws {
    let endpoint = try listen(transport)
    let (good, bad) = (RawPeer(endpoint), RawPeer(endpoint))
    good.send(RawPeer.part(10, isLast: false))
    for _ in 0...Self.maxParts { bad.send([1, 0]) }
    let closed = try receive { _, closed in !closed.isEmpty }.closed
    let peer = transport == "tcp" ? #/127\.0\.0\.1:\d+/# : #/process \d+/#
    let texts = closed.map { $0.replacing(peer, with: "PEER") }
    #expect(texts == ["it sent a message with too many parts (PEER)"])
    #expect(bad.isEnded)
    good.send(RawPeer.part(10, isLast: true))
    #expect(try receive { messages, _ in !messages.isEmpty }.messages.map(\.count) == [3])
    try expectNothingIsHeld()
  }

  @Test(arguments: ["tcp", "ipc"])
  func theConnectionThatHoldsTheMostIsClosed(transport: String) throws {
    let endpoint = try listen(transport)
    let (good, bad) = (RawPeer(endpoint), RawPeer(endpoint))
    good.send(RawPeer.part(1 << 20, isLast: false))
    // It waits at the limit until it is closed.
    Thread.detachNewThread { for _ in 0..<8 { bad.send(RawPeer.part(1 << 20, isLast: false)) } }
    let closed = try receive { _, closed in !closed.isEmpty }.closed
    #expect(closed.count == 1)
    let sent = closed.first?.firstMatch(of: #/it sent (\d+) MiB of messages/#).flatMap { Int($0.1) }
    #expect((2..<2 * Self.limit >> 20).contains(sent ?? 0), "\(closed)")
    #expect(bad.isEnded)
    good.send(RawPeer.part(1 << 20, isLast: true))
    #expect(try receive { messages, _ in !messages.isEmpty }.messages.map(\.count) == [3])
    try expectNothingIsHeld()
  }

  /// Many messages that end are no fault, however slowly they are received.
  @Test(arguments: ["tcp", "ipc"])
  func completeMessagesWaitAtTheLimit(transport: String) throws {
    let endpoint = try listen(transport)
    let (peer, count) = (RawPeer(endpoint), 64)
    Thread.detachNewThread { for _ in 0..<count { peer.send(RawPeer.part(256 << 10, isLast: true)) } }
    var largest = 0
    for _ in 0..<1000 where largest < Self.limit {
      usleep(10_000)
      largest = router.reception?.bytes ?? 0
    }
    usleep(50_000)
    #expect(router.closeExcessiveConnections().isEmpty)
    #expect((Self.limit..<(2 * Self.limit)).contains(router.reception?.bytes ?? 0))
    let (messages, closed) = try receive { messages, _ in messages.count == count }
    #expect(messages.count == count && closed.isEmpty)
    try expectNothingIsHeld()
  }

  /// Also with keys, where the counted bytes are encrypted.
  @Test(arguments: ["tcp", "ipc", "curve"])
  func largeMessagesPass(transport: String) throws {
    let dealer = try Socket(.dealer, router.context)
    if transport == "curve" {
      let (server, client) = (try CurveKeyPair.random(), try CurveKeyPair.random())
      try router.requireCurve(secret: server.secret, domain: "test")
      try dealer.useCurve(client, server: server.publicKey)
    }
    try dealer.connect(try listen(transport == "ipc" ? "ipc" : "tcp"))
    let most = Self.maxParts - 1
    for (parts, size) in [(most, 0), (most, 40), (most, 9_000), (1, 3 << 20), (2, 1 << 20)] {
      _ = try dealer.send([[UInt8]](repeating: [UInt8](repeating: 7, count: size), count: parts))
      let (messages, closed) = try receive { messages, _ in !messages.isEmpty }
      #expect(messages.first?.dropFirst().map(\.count) == [Int](repeating: size, count: parts))
      #expect(closed.isEmpty)
    }
    try expectNothingIsHeld()
  }

  /// libzmq would queue its messages where nobody receives them, and keep them after its end.
  @Test(arguments: ["tcp", "ipc"])
  func aSecondConnectionWithTheSameRoutingIDIsClosed(transport: String) throws {
    let endpoint = try listen(transport)
    let dealers = try (0..<2).map { _ in
      let dealer = try Socket(.dealer, router.context)
      try dealer.set(ZMQ_ROUTING_ID, "the same")
      return dealer
    }
    for dealer in dealers {
      try dealer.connect(endpoint)
      _ = try dealer.send([[1]])
      guard dealer === dealers[0] else { break }
      #expect(try receive { messages, _ in !messages.isEmpty }.messages.count == 1)
    }
    let (messages, closed) = try receive { _, closed in !closed.isEmpty }
    #expect(messages.isEmpty && closed.first?.hasPrefix("it chose the routing ID") == true)
    _ = try dealers[0].send([[2]])
    #expect(try receive { messages, _ in !messages.isEmpty }.messages.count == 1, "the first connection continues")
  }

  /// Its bytes are forgotten, also if another connection takes its descriptor.
  @Test(arguments: ["tcp", "ipc"])
  func connectionsThatEndInAMessageLeaveNothing(transport: String) throws {
    let endpoint = try listen(transport)
    for _ in 0..<8 {
      let peer = RawPeer(endpoint)
      peer.send(RawPeer.part(20, isLast: true) + RawPeer.part(1 << 20, isLast: false))
      let (messages, closed) = try receive { messages, _ in !messages.isEmpty }
      #expect(messages.count == 1 && closed.isEmpty)
    }
    try expectNothingIsHeld()
  }
}
