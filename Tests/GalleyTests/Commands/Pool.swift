import Foundation
import GalleyTestSupport
import Glibc
import PoolClient
import PoolProtocol
import Testing
import ZeroMQ

/// A coordinator and the other processes of a test. They are killed at the end of the test.
final class Pool {
  let coordinator: Galley.Running
  let endpoint: String
  /// The client of `state`. It connects when that is first asked for, because a coordinator with keys refuses it.
  private var status: CoordinatorClient?
  private var others: [Galley.Running] = []

  /// - Parameters:
  ///   - scratch: The directory for the coordinator's socket, unless there is another endpoint.
  ///   - arguments: Further arguments of the coordinator.
  init(_ scratch: Scratch, _ arguments: [String] = [], at endpoint: String? = nil) throws {
    let stated = endpoint ?? "ipc://\(scratch.path("pool"))"
    coordinator = try Galley.start(["coordinator", "--listen", stated, "--log-level", "info"] + arguments)
    self.endpoint = try Self.endpoint(of: coordinator, transport: stated.prefix { $0 != ":" })
  }

  /// Returns the first endpoint of a transport that the coordinator logs. Its own workers have one of ipc.
  private static func endpoint(of coordinator: Galley.Running, transport: Substring) throws -> String {
    var endpoint: Substring?
    try eventually {
      let line = coordinator.errorsSoFar.split(separator: "\n").first { $0.contains("listening at ") }
      let endpoints = line?.split(separator: "listening at ").last?.split(separator: ", ")
      endpoint = endpoints?.first { $0.hasPrefix(transport) }
      return endpoint != nil
    }
    return String(try #require(endpoint))
  }

  deinit {
    for process in others + [coordinator] where process.process.isRunning {
      // The children are found before the parent ends, and killed after it, because it could start others.
      let children = process.children
      process.signal(SIGKILL)
      for child in children { kill(child, SIGKILL) }
      _ = process.wait()
    }
  }

  /// Starts a process that is killed at the end of the test.
  @discardableResult
  func start(_ arguments: [String], executable: String = Galley.program.path) throws -> Galley.Running {
    let process = try Galley.start(arguments, executable: executable)
    others.append(process)
    return process
  }

  /// Starts a worker that has SlowCell and the other cell classes of `custom-worker`.
  @discardableResult
  func startWorker(at endpoint: String? = nil) throws -> Galley.Running {
    try start(["--connect", endpoint ?? self.endpoint], executable: Galley.customWorker)
  }

  /// Starts a client that submits a batch.
  func submit(_ batch: SlowBatch, _ output: String) throws -> Galley.Running {
    try start(["submit"] + batch.arguments(output) + ["--connect", endpoint])
  }

  /// Returns the status of the coordinator.
  func state() throws -> PoolStatus {
    let client = try status ?? CoordinatorClient(try Context(), endpoint: endpoint)
    status = client
    return try client.status()
  }

  /// Waits until some rows of the only batch are complete and others are assigned.
  func waitUntilPartlyDone() throws {
    try eventually { try state().batches.contains { $0.rowsDone > 0 && $0.running > 0 } }
  }
}

extension Galley.Running {
  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Ends the process by a signal, and waits for its end.
  @discardableResult
  func end(by number: Int32 = SIGTERM) -> Galley.Outcome {
    if process.isRunning { signal(number) }
    return wait()
  }
}
