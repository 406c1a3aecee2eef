import CZeroMQ
import GalleyTestSupport
import Testing

@testable import ZeroMQ

/// Tests of the reasons for which handshakes with a coordinator fail, and of the monitor that reports them.
@Suite struct HandshakesTests {
  @Test func aRefusedHandshakeIsAnErrorAtOnce() {
    var handshakes = Handshakes(usesKeys: true)
    #expect(handshakes.note(event: ZMQ_EVENT_HANDSHAKE_FAILED_AUTH, value: 400)?.contains("not allowed") == true)
    let mismatch = UInt32(ZMQ_PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH)
    #expect(handshakes.note(event: ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL, value: mismatch)?.contains("--keys") == true)
    #expect(
      handshakes.note(event: ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL, value: 0)
        == "the other side does not use the protocol of ZeroMQ")
  }

  /// A coordinator that starts or stops also closes connections during the handshake.
  @Test(arguments: [
    (true, "it uses no keys, its key is not that of coordinator.pub here"),
    (false, "it uses keys and this side does not"),
  ])
  func handshakesThatEndWithoutAReasonAreReportedOnceWhenRepeated(usesKeys: Bool, cause: String) {
    var handshakes = Handshakes(usesKeys: usesKeys)
    func hangUp() -> String? {
      #expect(handshakes.note(event: ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL, value: 0) == nil)
      return handshakes.takeReason()
    }
    for _ in 1..<Handshakes.maxUnexplained { #expect(hangUp() == nil) }
    #expect(handshakes.note(event: ZMQ_EVENT_HANDSHAKE_SUCCEEDED, value: 0) == nil)
    for _ in 1..<Handshakes.maxUnexplained { #expect(hangUp() == nil) }
    #expect(
      hangUp()
        == "the other side ends each connection: \(cause), it is a proxy before a coordinator that is not there, "
        + "or it is no coordinator; see --keys")
    #expect(hangUp() == nil)
  }

  /// All events since the last wait are read at once, and the coordinator may be back.
  @Test func aHandshakeThatSucceedsAtLastOutweighsThoseBefore() {
    var handshakes = Handshakes(usesKeys: false)
    for _ in 0..<2 * Handshakes.maxUnexplained {
      #expect(handshakes.note(event: ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL, value: 0) == nil)
    }
    #expect(handshakes.note(event: ZMQ_EVENT_HANDSHAKE_SUCCEEDED, value: 0) == nil)
    #expect(handshakes.takeReason() == nil)
  }

  /// Returns a socket that connects to a port again and again.
  private func dealer(at port: UInt16, warn: ((String) -> Void)? = nil) throws -> Socket {
    let dealer = try Socket(.dealer, Context())
    let endpoint = "tcp://127.0.0.1:\(port)"
    try dealer.setReconnectInterval(first: 1, most: 1)
    try dealer.watchHandshakes(to: endpoint, usesKeys: false, warn: warn)
    try dealer.connect(endpoint)
    return dealer
  }

  /// Waits for a message while a listener ends more connections than are unexplained.
  private func wait(for socket: Socket, at listener: ClosingListener) throws {
    try eventually {
      _ = try socket.wait(milliseconds: 10)
      return listener.connections > 2 * Handshakes.maxUnexplained
    }
    _ = try socket.wait(milliseconds: 200)
  }

  @Test func aProxyWithoutItsCoordinatorIsAnErrorAtFirst() throws {
    let listener = ClosingListener()
    let socket = try dealer(at: listener.port)
    let error = #expect(throws: ZeroMQError.self) { try wait(for: socket, at: listener) }
    let operation = "cannot connect to tcp://127.0.0.1:\(listener.port)"
    #expect(error?.description.hasPrefix("\(operation): the other side ends each connection: ") == true)
  }

  @Test func aSideThatWaitsIsWarnedOnce() throws {
    let listener = ClosingListener()
    var warnings: [String] = []
    let socket = try dealer(at: listener.port) { warnings.append($0) }
    try wait(for: socket, at: listener)
    #expect(warnings.count == 1)
    #expect(warnings.first?.hasSuffix("or it is no coordinator; see --keys; waiting for it") == true)
  }

  @Test func aProxyThatHasHadACoordinatorIsNoError() throws {
    let port = ClosingListener().port
    let socket = try dealer(at: port)
    func receive() throws {
      let router = try Socket(.router, Context())
      try router.bind("tcp://127.0.0.1:\(port)")
      _ = try socket.send([[1]])
      let isReceived = try router.wait(milliseconds: 10_000)
      #expect(isReceived)
      // This reads the events.
      _ = try socket.wait(milliseconds: 0)
    }
    func hangUp() throws { try wait(for: socket, at: ClosingListener(port: port)) }
    try receive()
    try hangUp()
    try receive()
  }

  /// All connections of the process would end with the thread of libzmq that reports the events.
  @Test func eventsThatNobodyReadsBlockNothing() throws {
    let listener = ClosingListener()
    let dealer = try Socket(.dealer, Context())
    // The test ends also if that thread is blocked, for which the end of the socket would wait.
    let kept = Unmanaged.passRetained(dealer)
    try dealer.setReconnectInterval(first: 1, most: 1)
    try dealer.watchHandshakes(to: "tcp://127.0.0.1:\(listener.port)", usesKeys: false)
    // A socket has one connection to each endpoint.
    for address in 1...50 { try dealer.connect("tcp://127.0.0.\(address):\(listener.port)") }
    // By default, the queues of two sockets together have room for 2,000 messages.
    try eventually { listener.connections > 4000 }
    kept.release()
  }
}
