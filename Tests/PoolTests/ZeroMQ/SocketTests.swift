import Testing

@testable import ZeroMQ

/// Tests of the errors of sockets.
@Suite struct SocketTests {
  /// 192.0.2.0/24 is reserved for documentation.
  @Test func anAddressThatNoInterfaceHasIsAnErrorThatSaysSo() throws {
    let socket = try Socket(.router, Context())
    let error = #expect(throws: ZeroMQError.self) { try socket.bind("tcp://192.0.2.1:5555") }
    #expect(
      error?.description
        == "cannot listen at tcp://192.0.2.1:5555: no network interface of this machine has this name or address")
  }
}
