import CZeroMQ
import Foundation
import GalleyTestSupport
import Glibc
import PoolEnvelopes
import PoolProtocol
import PoolSecurity
import Testing

@testable import ZeroMQ

/// Tests of the keys of coordinators, clients and workers at tcp endpoints.
@Suite struct KeysTests {
  private let scratch = Scratch()

  /// Starts a coordinator at a free port. Returns it and its endpoint.
  private func start(_ arguments: [String], at endpoint: String = "tcp://127.0.0.1:*") throws
    -> (coordinator: Galley.Running, endpoint: String)
  {
    let coordinator = try Galley.start(
      ["coordinator", "--listen", endpoint, "--log-level", "info"] + arguments)
    try eventually { coordinator.errorsSoFar.contains("listening at ") }
    let line = try #require(
      coordinator.errorsSoFar.split(separator: "\n").first { $0.contains("listening at ") })
    return (coordinator, try #require(line.split(separator: " ").last.map(String.init)))
  }

  private func keys(_ name: String, add key: String? = nil, role: String = "worker") throws -> String {
    try Galley.run(["keys", scratch.path(name)] + (key.map { ["--add", $0, "--role", role] } ?? [])).expectSuccess()
    return scratch.path(name)
  }

  private func status(_ endpoint: String, _ arguments: [String] = []) throws -> Galley.Outcome {
    try Galley.run(["status", "--connect", endpoint] + arguments)
  }

  private func submit(_ endpoint: String, _ output: String, _ arguments: [String] = []) throws -> Galley.Outcome {
    try Galley.run(["examples", scratch.path("examples")])
    return try Galley.run(
      [
        "submit", scratch.path("examples/posts.jsonl"), "--cells", scratch.path("examples/posts.yaml"), "--width",
        "390",
        "--output", scratch.path(output), "--connect", endpoint,
      ] + arguments)
  }

  @Test func aPoolOverTCPAcceptsAllowedKeys() throws {
    let keys = try keys("keys")
    _ = try self.keys("keys", add: "farm")
    let (coordinator, endpoint) = try start(["--keys", keys])
    let worker = try Galley.start(["worker", "--connect", endpoint, "--keys", keys + "/farm"])
    defer { for process in [coordinator, worker] { process.end() } }
    let outcome = try submit(endpoint, "tables", ["--keys", keys]).expectSuccess()
    #expect(outcome.output.contains("5 rows"))
    #expect(try status(endpoint, ["--keys", keys]).output.contains("1 workers, 0 batches"))
  }

  @Test func theCoordinatorsOwnWorkersNeedNoKeys() throws {
    let keys = try keys("keys")
    let (coordinator, endpoint) = try start(["--keys", keys, "--workers", "1"])
    defer { coordinator.end() }
    #expect(try submit(endpoint, "tables", ["--keys", keys]).code == 0)
  }

  /// Each is refused with a message that names its role.
  @Test func keysAreGoodForTheirRolesOnly() throws {
    let keys = try keys("keys")
    for (name, role) in [("farm", "worker"), ("ann", "client"), ("bob", "client"), ("admin", "operator")] {
      _ = try self.keys("keys", add: name, role: role)
    }
    let (coordinator, endpoint) = try start(["--keys", keys, "--spool", scratch.path("spool")])
    defer { coordinator.end() }
    try Galley.run(["worker", "--connect", endpoint, "--keys", keys + "/ann"]).expectFailure(
      1, "ann is the key of a client, which may not lay out jobs")
    try submit(endpoint, "tables", ["--keys", keys + "/farm"]).expectFailure(
      1, "farm is the key of a worker, which may not use batches")
    let detached = try Galley.run(
      [
        "submit", scratch.path("examples/posts.jsonl"), "--cells", scratch.path("examples/posts.yaml"), "--width",
        "390",
        "--detach", "--connect", endpoint, "--keys", keys + "/ann",
      ]).expectSuccess()
    let name = detached.output.trimmingCharacters(in: .whitespacesAndNewlines)
    for (key, isVisible) in [("/ann", true), ("/bob", false), ("/farm", false), ("/admin", true), ("", true)] {
      #expect(try status(endpoint, ["--keys", keys + key]).output.contains(name) == isVisible, "\(key)")
    }
    try Galley.run(["cancel", name, "--connect", endpoint, "--keys", keys + "/bob"]).expectFailure(
      1, "the coordinator has no batch \(name) that was submitted with the key bob")
    #expect(try Galley.run(["cancel", name, "--connect", endpoint, "--keys", keys + "/admin"]).code == 0)
  }

  @Test func aClientWithoutKeysIsRefused() throws {
    let (coordinator, endpoint) = try start(["--keys", try keys("keys")])
    defer { coordinator.end() }
    let outcome = try status(endpoint)
    #expect(outcome.code == 1)
    // Either side can detect the difference first.
    let reasons = [
      "one side uses keys and the other does not; see --keys",
      "the other side ends each connection: it uses keys and this side does not, or it is no coordinator; see --keys",
    ]
    #expect(
      reasons.map { "galley: cannot connect to \(endpoint): \($0)\n" }.contains(outcome.errors), "\(outcome.errors)")
  }

  @Test func aGatewayLogsWhyItIsRefused() throws {
    let (coordinator, endpoint) = try start(["--keys", try keys("keys")])
    defer { coordinator.end() }
    try Galley.run(["examples", scratch.path("examples")])
    let cells = "posts=\(scratch.path("examples/posts.yaml"))"
    let gateway = try Galley.start(["gateway", "--connect", endpoint, "--listen", "127.0.0.1:0", "--cells", cells])
    defer { gateway.end() }
    try eventually { gateway.errorsSoFar.contains("cannot connect to \(endpoint): ") }
  }

  @Test func aClientWithKeysFailsAtACoordinatorWithoutKeys() throws {
    let (coordinator, endpoint) = try start([])
    defer { coordinator.end() }
    let outcome = try status(endpoint, ["--keys", try keys("keys")])
    #expect(outcome.code == 1)
    let reasons = [
      "one side uses keys and the other does not; see --keys",
      "the other side ends each connection: it uses no keys, its key is not that of coordinator.pub here, or it is no coordinator; "
        + "see --keys",
    ]
    #expect(reasons.contains { outcome.errors.contains($0) }, "\(outcome.errors)")
    #expect(try status(endpoint).code == 0)
  }

  @Test func anUnknownKeyIsRefusedAndLoggedOnce() throws {
    let keys = try keys("keys")
    let unknown = try self.keys("unknown")
    _ = try scratch.file(
      "unknown/coordinator.pub", String(contentsOfFile: keys + "/coordinator.pub", encoding: .utf8))
    let (coordinator, endpoint) = try start(["--keys", keys])
    defer { coordinator.end() }
    for outcome in [
      try status(endpoint, ["--keys", unknown]), try submit(endpoint, "tables", ["--keys", unknown]),
      try Galley.run(["worker", "--connect", endpoint, "--keys", unknown]),
    ] {
      outcome.expectFailure(1, "this key is not allowed there")
    }
    let key = try String(contentsOfFile: unknown + "/allowed/local.operator.pub", encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let refusals = coordinator.errorsSoFar.split(separator: "\n").filter { $0.contains("was refused") }
    #expect(refusals.count == 1)
    #expect(refusals.first?.contains("127.0.0.1 was refused: its key \(key) is not in \(keys)/allowed") == true)
  }

  @Test func aCoordinatorWithAnotherKeyIsRefused() throws {
    let (coordinator, endpoint) = try start(["--keys", try keys("keys")])
    defer { coordinator.end() }
    try status(endpoint, ["--keys", try keys("other")]).expectFailure(1, "its key is not that of coordinator.pub here")
  }

  @Test func aRevokedKeyIsDisconnectedAndRefused() throws {
    let keys = try keys("keys")
    _ = try self.keys("keys", add: "farm")
    let (coordinator, endpoint) = try start(["--keys", keys])
    let worker = try Galley.start(["worker", "--connect", endpoint, "--keys", keys + "/farm"])
    defer { coordinator.end() }
    try eventually { coordinator.errorsSoFar.contains("joined") }
    try FileManager.default.removeItem(atPath: keys + "/allowed/farm.worker.pub")
    kill(coordinator.process.processIdentifier, SIGHUP)
    try eventually { !worker.process.isRunning }
    #expect(coordinator.errorsSoFar.contains("1 keys are allowed; removed: farm (worker)"))
    worker.wait().expectFailure(1, "this key is not allowed there")
    #expect(try status(endpoint, ["--keys", keys + "/farm"]).errors.contains("this key is not allowed there"))
    try eventually { try status(endpoint, ["--keys", keys]).output.contains("0 workers") }
  }

  /// Also where the connection has the file descriptor of an earlier one with the same key.
  @Test func aPeerThatChoosesItsRoutingIDIsDisconnected() throws {
    let directory = try self.keys("keys")
    let (coordinator, endpoint) = try start(["--keys", directory])
    defer { coordinator.end() }
    let clientKeys = try KeyDirectory(directory).clientKeys()
    for routingID in [nil, "own", nil, "own", "own"] {
      let socket = try Socket(.dealer, try Context())
      if let routingID { try socket.set(ZMQ_ROUTING_ID, routingID) }
      try socket.connect(endpoint, clientKeys)
      _ = try socket.send([ClientMessage.status.encoded()])
      #expect(try socket.wait(milliseconds: routingID == nil ? 30_000 : 500) == (routingID == nil))
    }
    #expect(coordinator.errorsSoFar.contains("with keys, a peer may not choose its routing ID"))
  }

  @Test func anAddedKeyIsAcceptedAfterAReload() throws {
    let keys = try keys("keys")
    let (coordinator, endpoint) = try start(["--keys", keys])
    defer { coordinator.end() }
    _ = try self.keys("keys", add: "late", role: "client")
    #expect(try status(endpoint, ["--keys", keys + "/late"]).code == 1)
    kill(coordinator.process.processIdentifier, SIGHUP)
    try eventually { try status(endpoint, ["--keys", keys + "/late"]).code == 0 }
    #expect(coordinator.errorsSoFar.contains("2 keys are allowed; added: late (client)"))
  }

  @Test func aReloadWithFilesThatCannotBeUsedStillRevokesKeys() throws {
    let keys = try keys("keys")
    _ = try self.keys("keys", add: "farm", role: "client")
    let (coordinator, endpoint) = try start(["--keys", keys])
    defer { coordinator.end() }
    #expect(try status(endpoint, ["--keys", keys + "/farm"]).code == 0)
    try FileManager.default.removeItem(atPath: keys + "/allowed/farm.client.pub")
    _ = try scratch.file("keys/allowed/odd.pub", "no key")
    #expect(mkfifo(keys + "/allowed/fifo.pub", 0o600) == 0)
    kill(coordinator.process.processIdentifier, SIGHUP)
    try eventually { coordinator.errorsSoFar.contains("1 keys are allowed") }
    for line in ["odd.pub holds no key", "fifo.pub is not a regular file"] {
      #expect(coordinator.errorsSoFar.contains(line), "\(coordinator.errorsSoFar)")
    }
    #expect(try status(endpoint, ["--keys", keys + "/farm"]).code == 1)
    #expect(try status(endpoint, ["--keys", keys]).code == 0)
  }

  @Test func aReloadOfADirectoryThatCannotBeReadAllowsNobody() throws {
    let keys = try keys("keys")
    let (coordinator, endpoint) = try start(["--keys", keys])
    defer { coordinator.end() }
    #expect(rename(keys + "/allowed", keys + "/gone") == 0)
    kill(coordinator.process.processIdentifier, SIGHUP)
    try eventually { coordinator.errorsSoFar.contains("no key is allowed until it can be read") }
    #expect(try status(endpoint, ["--keys", keys]).code == 1)
  }

  /// Its socket has no file, so no permissions keep other users out.
  @Test func anAbstractEndpointNeedsKeysOrInsecure() throws {
    let endpoint = "ipc://@galley-test-\(UUID().uuidString)"
    try Galley.run(["coordinator", "--listen", endpoint]).expectFailure(
      2, "every user of this machine can connect to \(endpoint)")
    let keys = try keys("keys")
    let (coordinator, _) = try start(["--keys", keys], at: endpoint)
    defer { coordinator.end() }
    #expect(try status(endpoint, ["--keys", keys]).code == 0)
    #expect(try status(endpoint).code == 1)
    let (insecure, _) = try start(["--insecure"], at: endpoint + "2")
    defer { insecure.end() }
    #expect(try status(endpoint + "2").code == 0)
  }

  @Test func workersReconnectToARestartedCoordinator() throws {
    let keys = try keys("keys")
    let (first, endpoint) = try start(["--keys", keys])
    let worker = try Galley.start(["worker", "--connect", endpoint, "--keys", keys])
    defer { worker.end() }
    try eventually { first.errorsSoFar.contains("joined") }
    first.end(by: SIGKILL)
    let (second, _) = try start(["--keys", keys], at: endpoint)
    defer { second.end() }
    #expect(try submit(endpoint, "tables", ["--keys", keys]).code == 0)
  }

  @Test(arguments: ["tcp://0.0.0.0:5555", "tcp://*:5555", "tcp://[::]:5555"])
  func anEndpointForOtherMachinesNeedsKeysOrInsecure(endpoint: String) throws {
    let outcome = try Galley.run(["coordinator", "--listen", "tcp://127.0.0.1:*", "--listen", endpoint])
    #expect(outcome.code == 2)
    for part in ["\(endpoint) can be reached from other machines", "--keys", "--insecure", "ipc://"] {
      #expect(outcome.errors.contains(part), "\(outcome.errors)")
    }
  }

  @Test func anInsecureCoordinatorAcceptsEveryConnection() throws {
    let (coordinator, endpoint) = try start(["--insecure"], at: "tcp://0.0.0.0:*")
    defer { coordinator.end() }
    #expect(try status(endpoint.replacingOccurrences(of: "0.0.0.0", with: "127.0.0.1")).code == 0)
    #expect(try Galley.run(["coordinator", "--listen", endpoint, "--insecure", "--keys", "keys"]).code == 2)
  }

  @Test func localhostIsAValidHost() throws {
    let (coordinator, endpoint) = try start([], at: "tcp://localhost:*")
    defer { coordinator.end() }
    #expect(try status(endpoint.replacingOccurrences(of: "127.0.0.1", with: "localhost")).code == 0)
  }

  @Test func aCoordinatorRefusesASecretThatOthersCanRead() throws {
    let keys = try keys("keys")
    chmod(keys + "/coordinator.key", 0o644)
    try Galley.run(["coordinator", "--listen", "tcp://127.0.0.1:*", "--keys", keys]).expectFailure(
      1, "\(keys)/coordinator.key is a secret that others can get at; `chmod 600")
  }

  @Test func aSocketInADirectoryOfAllUsersIsReported() throws {
    chmod(scratch.directory, 0o777)
    let (coordinator, _) = try start([], at: "ipc://\(scratch.path("pool"))")
    defer { coordinator.end() }
    try eventually { coordinator.errorsSoFar.contains("every user can put another socket in the place of") }
  }
}
