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
  private let status: CoordinatorClient
  private var others: [Galley.Running] = []

  /// - Parameters:
  ///   - scratch: The directory for the coordinator's socket, unless there is another endpoint.
  ///   - arguments: Further arguments of the coordinator.
  init(_ scratch: Scratch, _ arguments: [String] = [], at endpoint: String? = nil) throws {
    coordinator = try Galley.start(
      ["coordinator", "--listen", endpoint ?? "ipc://\(scratch.path("pool"))", "--log-level", "info"] + arguments)
    self.endpoint = try Self.endpoint(of: coordinator)
    status = try CoordinatorClient(try Context(), endpoint: self.endpoint)
  }

  /// Returns the first endpoint that the coordinator logs.
  private static func endpoint(of coordinator: Galley.Running) throws -> String {
    var endpoint: Substring?
    try eventually {
      let line = coordinator.errorsSoFar.split(separator: "\n").first { $0.contains("listening at ") }
      endpoint = line?.split(separator: "listening at ").last?.split(separator: ",").first
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
  func state() throws -> PoolStatus { try status.status() }

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
