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
    (true, "it uses no keys, its key is not that of coordinator.pub here"), (false, "it uses keys and"),
  ])
  func handshakesThatEndWithoutAReasonAreAnErrorOnlyWhenRepeated(usesKeys: Bool, cause: String) {
    var handshakes = Handshakes(usesKeys: usesKeys)
    func hangUp() -> String? { handshakes.note(event: ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL, value: 0) }
    for _ in 1..<Handshakes.maxUnexplained { #expect(hangUp() == nil) }
    #expect(handshakes.note(event: ZMQ_EVENT_HANDSHAKE_SUCCEEDED, value: 0) == nil)
    for _ in 1..<Handshakes.maxUnexplained { #expect(hangUp() == nil) }
    #expect(hangUp()?.contains(cause) == true)
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
