import Foundation
import GalleyTestSupport
import Testing

/// Tests of commands whose coordinator is not there.
@Suite struct ConnectionTests {
  private let scratch = Scratch()
  private var endpoint: String { "ipc://\(scratch.path("pool"))" }

  private static let commands = [
    ["status"], ["worker"], ["cancel", "name"], ["fetch", "name", "--output", "tables"], ["loadtest"],
    ["submit", "rows.jsonl", "--cells", "cells.yaml", "--width", "390", "--output", "tables"],
  ]

  /// Runs a command in the directory of the test. The tests wait for coordinators unless they say otherwise.
  private func run(_ command: [String], at endpoint: String, wait: Bool = false) throws -> Galley.Outcome {
    _ = try scratch.file("cells.yaml", "version: 1\ncells: {A: {layout: {type: node, calculatedSize: [100, 50]}}}")
    _ = try scratch.file("rows.jsonl", "{}\n")
    let files = command.map { ["rows.jsonl", "cells.yaml", "tables"].contains($0) ? scratch.path($0) : $0 }
    return try Galley.run(files + ["--connect", endpoint], environment: ["GALLEY_WAIT": wait ? "1" : ""])
  }

  /// libzmq would try again without end, so that only a timeout of many seconds would show that nothing is there.
  @Test(arguments: commands)
  func anEndpointWithoutASocketIsAnError(command: [String]) throws {
    try run(command, at: endpoint).expectFailure(
      1, "no coordinator listens at \(endpoint): there is no such socket; start one")
    #expect(!FileManager.default.fileExists(atPath: scratch.path("tables")))
  }

  @Test(arguments: commands)
  func anEndpointInAnotherFormIsAUsageError(command: [String]) throws {
    try run(command, at: "localhost:5600").expectFailure(
      2,
      "\"localhost:5600\" is not an endpoint; an endpoint has the form ipc://PATH or tcp://HOST:PORT, "
        + "here perhaps tcp://localhost:5600")
  }

  @Test func aCoordinatorThatHasEndedIsAnError() throws {
    let coordinator = try Galley.start(["coordinator", "--listen", endpoint])
    try eventually { FileManager.default.fileExists(atPath: scratch.path("pool")) }
    coordinator.end(by: SIGKILL)
    try run(["status"], at: endpoint).expectFailure(1, "no process listens at the socket")
  }

  @Test func workersAndClientsWaitForACoordinatorIfTheyAreTold() throws {
    let worker = try Galley.start(["worker", "--connect", endpoint, "--wait", "--log-level", "info"])
    let status = try Galley.start(["status", "--connect", endpoint, "--wait"])
    try eventually {
      worker.errorsSoFar.contains("yet: there is no such socket; waiting for it")
        && status.errorsSoFar.contains("waiting for it")
    }
    let coordinator = try Galley.start(["coordinator", "--listen", endpoint])
    let outcome = status.wait()
    #expect(outcome.code == 0 && outcome.output.hasPrefix("coordinator "), "\(outcome.errors)")
    try eventually { worker.errorsSoFar.contains(": connected to the coordinator") }
    coordinator.end()
    let end = worker.wait()
    #expect(end.code == 0 && end.errors.contains("the worker ends: the coordinator has ended it"), "\(end.errors)")
  }

  /// A proxy accepts connections before it knows whether its coordinator is there, and then closes them.
  @Test func workersAndClientsWaitForACoordinatorBehindAProxy() throws {
    var proxy: ClosingListener? = ClosingListener()
    let endpoint = "tcp://127.0.0.1:\(proxy?.port ?? 0)"
    let reason = "it is a proxy before a coordinator that is not there, or it is no coordinator; see --keys"
    let worker = try Galley.start(["worker", "--connect", endpoint, "--wait", "--log-level", "info"])
    let status = try Galley.start(["status", "--connect", endpoint, "--wait"])
    try eventually { [worker, status].allSatisfy { $0.errorsSoFar.contains("\(reason); waiting for it") } }
    try run(["status"], at: endpoint).expectFailure(1, "\(reason)\n")
    withExtendedLifetime(proxy) {}
    proxy = nil
    let coordinator = try Galley.start(["coordinator", "--listen", endpoint])
    status.wait().expectSuccess()
    try eventually { worker.errorsSoFar.contains(": connected to the coordinator") }
    coordinator.end()
    worker.wait().expectSuccess()
    for process in [worker, status] {
      #expect(process.errorsSoFar.ranges(of: "waiting for it").count == 1, "\(process.errorsSoFar)")
    }
  }

  /// The system accepts connections for a coordinator that is stopped.
  @Test func aClientThatWaitsGoesOnUntilTheCoordinatorReplies() throws {
    let pool = try Pool(scratch)
    pool.coordinator.signal(SIGSTOP)
    let status = try pool.start(["status", "--connect", pool.endpoint, "--wait"])
    try eventually { status.errorsSoFar.contains("no coordinator replies at \(pool.endpoint) yet; waiting for it") }
    pool.coordinator.signal(SIGCONT)
    let outcome = status.wait()
    #expect(outcome.code == 0 && outcome.output.hasPrefix("coordinator "), "\(outcome.errors)")
  }

  @Test func aWorkerThatWaitsEndsWithASignal() throws {
    let worker = try Galley.start(["worker", "--connect", endpoint, "--wait"])
    try eventually { worker.errorsSoFar.contains("waiting for it") }
    #expect(worker.end().code == 0)
  }

  @Test func statusIsJSONWithNumbersAndZeros() throws {
    let coordinator = try Galley.start(["coordinator", "--listen", endpoint, "--workers", "1"])
    defer { coordinator.end() }
    var status: JSON?
    try eventually {
      status = try JSON(
        parsing: Data(Galley.run(["status", "--json", "--connect", endpoint, "--wait"]).output.utf8))
      return status?["workers"]?.array?.isEmpty == false
    }
    #expect(status?["pid"] == .number(Double(coordinator.process.processIdentifier)))
    #expect(status?["rowsPerSecond"] == .number(0))
    #expect(status?["batches"] == .array([]))
    let worker = try #require(status?["workers"]?.array?.first)
    for field in ["jobs", "rows", "cacheHitRate"] { #expect(worker[field] == .number(0)) }
    let metrics = try #require(status?["metrics"])
    for field in ["batchesAccepted", "batchesFailed", "jobsDone", "retries", "lostWorkers", "resultBytesSent"] {
      #expect(metrics[field] == .number(0), "\(field)")
    }
    #expect(metrics["queueTime"]?["count"] == .number(0))
  }
}
