import CZeroMQ
import Testing

@testable import ZeroMQ

/// Tests of the reasons for which handshakes with a coordinator fail.
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
}
