import GalleyTestSupport
import Testing

/// Tests of peers that make a coordinator hold what it never receives.
@Suite struct LimitedConnectionsTests {
  private let scratch = Scratch()

  /// The program itself must count what libzmq receives in it, which depends on how it is linked.
  @Test(arguments: ["tcp", "ipc"])
  func aPeerThatNeverEndsAMessageIsDisconnected(transport: String) throws {
    let pool = try Pool(scratch, at: transport == "tcp" ? "tcp://127.0.0.1:*" : nil)
    let peer = RawPeer(pool.endpoint)
    let parts = [UInt8](repeating: 0, count: 2_000).enumerated().map { UInt8($0.offset % 2 == 0 ? 1 : 0) }
    for _ in 0..<1_000 where peer.send(parts) {}
    #expect(peer.isEnded)
    let line = #/a connection is closed: it sent a message with too many parts \((127\.0\.0\.1:\d+|process \d+)\)/#
    try eventually { pool.coordinator.errorsSoFar.contains(line) }
    #expect(try pool.state().batches.isEmpty)
  }

  /// libzmq would abort the process where it cannot accept a connection to an ipc endpoint.
  @Test(arguments: ["tcp", "ipc"])
  func connectionsBeyondTheOpenFilesAreClosed(transport: String) throws {
    let endpoint = transport == "tcp" ? "tcp://127.0.0.1:*" : "ipc://\(scratch.path("pool"))"
    let coordinator = try Galley.start(
      ["-c", "ulimit -n 64; exec \(Galley.program.path) coordinator --listen \(endpoint) --log-level info"],
      executable: "/bin/bash")
    defer { coordinator.process.terminate() }
    let listening = #/listening at (\S+)/#
    try eventually { coordinator.errorsSoFar.contains(listening) }
    let address = String(try #require(try listening.firstMatch(in: coordinator.errorsSoFar)).1)
    var peers: [RawPeer] = (0..<80).map { _ in RawPeer(connectedTo: address) }
    let line = #/a connection is closed: the process has too many connections \((127\.0\.0\.1:\d+|process \d+)\)/#
    try eventually { coordinator.errorsSoFar.contains(line) }
    #expect(try #require(peers.last).isEnded)
    peers = []
    #expect(try Galley.run(["status", "--connect", address]).code == 0)
    #expect(coordinator.end().code == 0)
  }
}
