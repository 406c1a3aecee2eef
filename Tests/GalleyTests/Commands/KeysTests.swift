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

  /// Starts a coordinator at a free port.
  private func start(_ arguments: [String], at endpoint: String = "tcp://127.0.0.1:*") throws -> Pool {
    try Pool(scratch, arguments, at: endpoint)
  }

  private func keys(_ name: String, add key: String? = nil, role: String = "worker") throws -> String {
    try Galley.run(["keys", scratch.path(name)] + (key.map { ["--add", $0, "--role", role] } ?? [])).expectSuccess()
    return scratch.path(name)
  }

  private func status(_ endpoint: String, _ arguments: [String] = []) throws -> Galley.Outcome {
    // A client that waits is only warned of a coordinator that ends each connection.
    try Galley.run(["status", "--connect", endpoint] + arguments, environment: ["GALLEY_WAIT": ""])
  }

  private func submit(_ endpoint: String, _ arguments: [String], isDetached: Bool = false) throws -> Galley.Outcome {
    try Galley.run(["examples", scratch.path("examples")])
    let output = isDetached ? ["--detach"] : ["--output", scratch.path("tables")]
    return try Galley.run(
      [
        "submit", scratch.path("examples/posts.jsonl"), "--cells", scratch.path("examples/posts.yaml"), "--width",
        "390", "--connect", endpoint,
      ] + output + arguments)
  }

  @Test func aPoolOverTCPAcceptsAllowedKeys() throws {
    let keys = try keys("keys")
    _ = try self.keys("keys", add: "farm")
    let pool = try start(["--keys", keys])
    try pool.start(["worker", "--connect", pool.endpoint, "--keys", keys + "/farm"])
    let outcome = try submit(pool.endpoint, ["--keys", keys]).expectSuccess()
    #expect(outcome.output.contains("5 rows"))
    #expect(try status(pool.endpoint, ["--keys", keys]).output.contains("1 workers, 0 batches"))
  }

  @Test func theCoordinatorsOwnWorkersNeedNoKeys() throws {
    let keys = try keys("keys")
    let pool = try start(["--keys", keys, "--workers", "1"])
    #expect(try submit(pool.endpoint, ["--keys", keys]).code == 0)
  }

  /// Each is refused with a message that names its role.
  @Test func keysAreGoodForTheirRolesOnly() throws {
    let keys = try keys("keys")
    for (name, role) in [("farm", "worker"), ("ann", "client"), ("bob", "client"), ("admin", "operator")] {
      _ = try self.keys("keys", add: name, role: role)
    }
    let pool = try start(["--keys", keys, "--spool", scratch.path("spool")])
    try Galley.run(["worker", "--connect", pool.endpoint, "--keys", keys + "/ann"]).expectFailure(
      1, "ann is the key of a client, which may not lay out jobs")
    for outcome in [
      try submit(pool.endpoint, ["--keys", keys + "/farm"]),
      try Galley.run(["loadtest", "--connect", pool.endpoint, "--keys", keys + "/farm"]),
    ] {
      outcome.expectFailure(1, "farm is the key of a worker, which may not use batches")
      #expect(outcome.output.isEmpty)
    }
    let detached = try submit(pool.endpoint, ["--keys", keys + "/ann"], isDetached: true).expectSuccess()
    let name = detached.output.trimmingCharacters(in: .whitespacesAndNewlines)
    for (key, isVisible) in [("/ann", true), ("/bob", false), ("/farm", false), ("/admin", true), ("", true)] {
      #expect(try status(pool.endpoint, ["--keys", keys + key]).output.contains(name) == isVisible, "\(key)")
    }
    try Galley.run(["cancel", name, "--connect", pool.endpoint, "--keys", keys + "/bob"]).expectFailure(
      1, "the coordinator has no batch \(name) that was submitted with the key bob")
    #expect(try Galley.run(["cancel", name, "--connect", pool.endpoint, "--keys", keys + "/admin"]).code == 0)
  }

  @Test func aClientWithoutKeysIsRefused() throws {
    let pool = try start(["--keys", try keys("keys")])
    let outcome = try status(pool.endpoint)
    #expect(outcome.code == 1)
    // Either side can detect the difference first.
    let reasons = [
      "one side uses keys and the other does not; see --keys",
      "the other side ends each connection: it uses keys and this side does not, it is a proxy before a coordinator that is not "
        + "there, or it is no coordinator; see --keys",
    ]
    #expect(
      reasons.map { "galley: cannot connect to \(pool.endpoint): \($0)\n" }.contains(outcome.errors),
      "\(outcome.errors)")
  }

  private func gateway(of pool: Pool, _ arguments: [String] = []) throws -> Galley.Running {
    try Galley.run(["examples", scratch.path("examples")])
    let cells = "posts=\(scratch.path("examples/posts.yaml"))"
    return try pool.start(
      ["gateway", "--connect", pool.endpoint, "--listen", "127.0.0.1:0", "--log-level", "info", "--cells", cells]
        + arguments)
  }

  @Test func aGatewayLogsWhyItIsRefused() throws {
    let pool = try start(["--keys", try keys("keys")])
    let gateway = try gateway(of: pool)
    try eventually { gateway.errorsSoFar.contains("cannot connect to \(pool.endpoint): ") }
  }

  @Test func aGatewayLogsThatACoordinatorWithOtherKeysReplacedItsOwn() throws {
    let keys = try keys("keys")
    let pool = try start(["--keys", keys])
    let gateway = try gateway(of: pool, ["--keys", keys])
    try eventually { gateway.errorsSoFar.contains("found the coordinator") }
    pool.coordinator.end(by: SIGKILL)
    let other = try start(["--keys", try self.keys("others")], at: pool.endpoint)
    try eventually { gateway.errorsSoFar.contains("its key is not that of coordinator.pub here") }
    _ = other
  }

  @Test func aGatewayLogsThatItsKeyIsThatOfAWorker() throws {
    let keys = try keys("keys")
    _ = try self.keys("keys", add: "farm")
    let pool = try start(["--keys", keys, "--workers", "1"])
    let gateway = try gateway(of: pool, ["--keys", keys + "/farm"])
    try eventually { gateway.errorsSoFar.contains("The key of the gateway has the role worker") }
  }

  @Test func aClientWithKeysFailsAtACoordinatorWithoutKeys() throws {
    let pool = try start([])
    let outcome = try status(pool.endpoint, ["--keys", try keys("keys")])
    #expect(outcome.code == 1)
    let reasons = [
      "one side uses keys and the other does not; see --keys",
      "the other side ends each connection: it uses no keys, its key is not that of coordinator.pub here, it is a proxy "
        + "before a coordinator that is not there, or it is no coordinator; see --keys",
    ]
    #expect(reasons.contains { outcome.errors.contains($0) }, "\(outcome.errors)")
    #expect(try status(pool.endpoint).code == 0)
  }

  @Test func anUnknownKeyIsRefusedAndLoggedOnce() throws {
    let keys = try keys("keys")
    let unknown = try self.keys("unknown")
    _ = try scratch.file(
      "unknown/coordinator.pub", String(contentsOfFile: keys + "/coordinator.pub", encoding: .utf8))
    let pool = try start(["--keys", keys])
    for outcome in [
      try status(pool.endpoint, ["--keys", unknown]), try submit(pool.endpoint, ["--keys", unknown]),
      try Galley.run(["worker", "--connect", pool.endpoint, "--keys", unknown]),
    ] {
      outcome.expectFailure(1, "this key is not allowed there")
    }
    let key = try String(contentsOfFile: unknown + "/allowed/local.operator.pub", encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let refusals = pool.coordinator.errorsSoFar.split(separator: "\n").filter { $0.contains("was refused") }
    #expect(refusals.count == 1)
    #expect(refusals.first?.contains("127.0.0.1 was refused: its key \(key) is not in \(keys)/allowed") == true)
  }

  @Test func aCoordinatorWithAnotherKeyIsRefused() throws {
    let pool = try start(["--keys", try keys("keys")])
    try status(pool.endpoint, ["--keys", try keys("other")]).expectFailure(
      1, "its key is not that of coordinator.pub here")
  }

  @Test func aRevokedKeyIsDisconnectedAndRefused() throws {
    let keys = try keys("keys")
    _ = try self.keys("keys", add: "farm")
    let pool = try start(["--keys", keys])
    let worker = try pool.start(["worker", "--connect", pool.endpoint, "--keys", keys + "/farm"])
    try eventually { pool.coordinator.errorsSoFar.contains("joined") }
    try FileManager.default.removeItem(atPath: keys + "/allowed/farm.worker.pub")
    pool.coordinator.signal(SIGHUP)
    try eventually { !worker.process.isRunning }
    #expect(pool.coordinator.errorsSoFar.contains("1 keys are allowed; removed: farm (worker)"))
    worker.wait().expectFailure(1, "this key is not allowed there")
    #expect(try status(pool.endpoint, ["--keys", keys + "/farm"]).errors.contains("this key is not allowed there"))
    try eventually { try status(pool.endpoint, ["--keys", keys]).output.contains("0 workers") }
  }

  @Test func aGatewayWarnsThatItReadsNothingAgain() throws {
    let pool = try start([])
    let gateway = try gateway(of: pool)
    try eventually { gateway.errorsSoFar.contains("listening at ") }
    gateway.signal(SIGHUP)
    try eventually { gateway.errorsSoFar.contains("warning galley gateway") && gateway.errorsSoFar.contains("SIGHUP") }
  }

  /// Also where the connection has the file descriptor of an earlier one with the same key.
  @Test func aPeerThatChoosesItsRoutingIDIsDisconnected() throws {
    let directory = try self.keys("keys")
    let pool = try start(["--keys", directory])
    let clientKeys = try KeyDirectory(directory).clientKeys()
    for routingID in [nil, "own", nil, "own", "own"] {
      let socket = try Socket(.dealer, try Context())
      if let routingID { try socket.set(ZMQ_ROUTING_ID, routingID) }
      try socket.connect(pool.endpoint, clientKeys)
      _ = try socket.send([ClientMessage.status.encoded()])
      #expect(try socket.wait(milliseconds: routingID == nil ? 30_000 : 500) == (routingID == nil))
    }
    #expect(pool.coordinator.errorsSoFar.contains("with keys, a peer may not choose its routing ID"))
  }

  @Test func anAddedKeyIsAcceptedAfterAReload() throws {
    let keys = try keys("keys")
    let pool = try start(["--keys", keys])
    _ = try self.keys("keys", add: "late", role: "client")
    #expect(try status(pool.endpoint, ["--keys", keys + "/late"]).code == 1)
    pool.coordinator.signal(SIGHUP)
    try eventually { try status(pool.endpoint, ["--keys", keys + "/late"]).code == 0 }
    #expect(pool.coordinator.errorsSoFar.contains("2 keys are allowed; added: late (client)"))
  }

  @Test func aReloadWithFilesThatCannotBeUsedStillRevokesKeys() throws {
    let keys = try keys("keys")
    _ = try self.keys("keys", add: "farm", role: "client")
    let pool = try start(["--keys", keys])
    #expect(try status(pool.endpoint, ["--keys", keys + "/farm"]).code == 0)
    try FileManager.default.removeItem(atPath: keys + "/allowed/farm.client.pub")
    _ = try scratch.file("keys/allowed/odd.pub", "no key")
    #expect(mkfifo(keys + "/allowed/fifo.pub", 0o600) == 0)
    pool.coordinator.signal(SIGHUP)
    try eventually { pool.coordinator.errorsSoFar.contains("1 keys are allowed") }
    for line in ["odd.pub holds no key", "fifo.pub is not a regular file"] {
      #expect(pool.coordinator.errorsSoFar.contains(line), "\(pool.coordinator.errorsSoFar)")
    }
    #expect(try status(pool.endpoint, ["--keys", keys + "/farm"]).code == 1)
    #expect(try status(pool.endpoint, ["--keys", keys]).code == 0)
  }

  @Test func aReloadOfADirectoryThatCannotBeReadAllowsNobody() throws {
    let keys = try keys("keys")
    let pool = try start(["--keys", keys])
    #expect(rename(keys + "/allowed", keys + "/gone") == 0)
    pool.coordinator.signal(SIGHUP)
    try eventually { pool.coordinator.errorsSoFar.contains("no key is allowed until it can be read") }
    #expect(try status(pool.endpoint, ["--keys", keys]).code == 1)
  }

  /// Its socket has no file, so no permissions keep other users out.
  @Test func anAbstractEndpointNeedsKeysOrInsecure() throws {
    let endpoint = "ipc://@galley-test-\(UUID().uuidString)"
    try Galley.run(["coordinator", "--listen", endpoint]).expectFailure(
      2, "every user of this machine can connect to \(endpoint)")
    let keys = try keys("keys")
    let pool = try start(["--keys", keys], at: endpoint)
    #expect(try status(pool.endpoint, ["--keys", keys]).code == 0)
    #expect(try status(pool.endpoint).code == 1)
    let insecure = try start(["--insecure"], at: endpoint + "2")
    #expect(try status(insecure.endpoint).code == 0)
  }

  @Test func workersReconnectToARestartedCoordinator() throws {
    let keys = try keys("keys")
    let first = try start(["--keys", keys])
    try first.start(["worker", "--connect", first.endpoint, "--keys", keys])
    try eventually { first.coordinator.errorsSoFar.contains("joined") }
    first.coordinator.end(by: SIGKILL)
    let second = try start(["--keys", keys], at: first.endpoint)
    #expect(try submit(second.endpoint, ["--keys", keys]).code == 0)
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
    let pool = try start(["--insecure"], at: "tcp://0.0.0.0:*")
    #expect(try status(pool.endpoint.replacingOccurrences(of: "0.0.0.0", with: "127.0.0.1")).code == 0)
    #expect(try Galley.run(["coordinator", "--listen", pool.endpoint, "--insecure", "--keys", "keys"]).code == 2)
  }

  @Test func localhostIsAValidHost() throws {
    let pool = try start([], at: "tcp://localhost:*")
    #expect(try status(pool.endpoint.replacingOccurrences(of: "127.0.0.1", with: "localhost")).code == 0)
  }

  @Test func aCoordinatorRefusesASecretThatOthersCanRead() throws {
    let keys = try keys("keys")
    chmod(keys + "/coordinator.key", 0o644)
    try Galley.run(["coordinator", "--listen", "tcp://127.0.0.1:*", "--keys", keys]).expectFailure(
      1, "\(keys)/coordinator.key is a secret that others can get at; `chmod 600")
  }

  @Test func aSocketInADirectoryOfAllUsersIsReported() throws {
    chmod(scratch.directory, 0o777)
    let pool = try Pool(scratch)
    try eventually { pool.coordinator.errorsSoFar.contains("every user can put another socket in the place of") }
  }
}
