import ArgumentParser
import Glibc
import PoolSecurity
import Processes
import ZeroMQ

/// The option that makes a worker or a client wait for a coordinator that is not there yet.
public struct WaitOption: ParsableArguments {
  /// Whether to wait until there is a coordinator, without end.
  @Flag(help: "If there is no coordinator yet, wait for it without end instead of failing.")
  public var wait = false

  /// Creates an option that does not wait.
  public init() {}

  /// The time in nanoseconds within which a coordinator that is just being started is not reported as missing.
  private static let grace: UInt64 = 500_000_000
  /// The time in microseconds between attempts.
  private static let interval: UInt32 = 50_000

  /// Waits until a coordinator can be reached, or until SIGINT or SIGTERM.
  ///
  /// - Parameter report: A function that receives a message once if there is no coordinator yet.
  /// - Throws: `ZeroMQError` if there is no coordinator and ``wait`` is not set, or if waiting is of no use.
  package func waitForCoordinator(at text: String, report: (String) -> Void) throws {
    guard let endpoint = Endpoint(text) else { return }
    let deadline = Clock.monotonic() + Self.grace
    var isReported = false
    while !Interruption.isRequested, let obstacle = endpoint.obstacle() {
      if !obstacle.isTemporary { throw ZeroMQError(operation: "cannot connect to \(text)", reason: obstacle.reason) }
      if Clock.monotonic() >= deadline {
        guard wait else {
          throw ZeroMQError(
            operation: "no coordinator listens at \(text)",
            reason: "\(obstacle.reason); start one there (galley coordinator --listen), or wait for it with --wait")
        }
        if !isReported { report("no coordinator listens at \(text) yet: \(obstacle.reason); waiting for it") }
        isReported = true
      }
      usleep(Self.interval)
    }
  }

  /// Throws a `ValidationError` if a text is not an endpoint to which a worker or a client can connect.
  package static func check(endpoint text: String) throws {
    if let endpoint = Endpoint(text), !text.hasSuffix(":*"), endpoint != .ipc(path: "") { return }
    let likely = text.contains("://") ? nil : (text.contains("/") ? "ipc://" : "tcp://") + text
    let example = likely.flatMap { Endpoint($0) == nil ? nil : $0 }
    throw ValidationError(
      "\"\(text)\" is not an endpoint; an endpoint has the form ipc://PATH or tcp://HOST:PORT"
        + (example.map { ", here perhaps \($0)" } ?? ""))
  }
}
