import GalleyTestSupport
import Testing

@testable import ZeroMQ

/// Tests of the errors and the ends of sockets.
@Suite struct SocketTests {
  /// 192.0.2.0/24 is reserved for documentation.
  @Test func anAddressThatNoInterfaceHasIsAnErrorThatSaysSo() throws {
    let socket = try Socket(.router, Context())
    let error = #expect(throws: ZeroMQError.self) { try socket.bind("tcp://192.0.2.1:5555") }
    #expect(
      error?.description
        == "cannot listen at tcp://192.0.2.1:5555: no network interface of this machine has this name or address")
  }

  /// It still connects, and nobody reads any more what the handshake results in.
  @Test func aSocketSendsItsLastMessageAfterItsEnd() throws {
    let scratch = Scratch()
    let endpoint = "ipc://\(scratch.path("router"))"
    let context = try Context()
    // The test ends also if the thread of the context is blocked, for which the end of the context would wait.
    let kept = Unmanaged.passRetained(context)
    func send() throws {
      let dealer = try Socket(.dealer, context)
      try dealer.watchHandshakes(to: endpoint, usesKeys: false)
      try dealer.setLinger(10_000)
      try dealer.connect(endpoint)
      _ = try dealer.send([[1]])
    }
    try send()
    let router = try Socket(.router, Context())
    try router.bind(endpoint)
    let isReceived = try router.wait(milliseconds: 10_000)
    try #require(isReceived)
    kept.release()
  }
}
