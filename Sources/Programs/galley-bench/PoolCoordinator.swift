import Foundation
import PoolCoordinator
import Processes
import ZeroMQ

/// A coordinator in a separate process, with a given target duration of jobs.
struct PoolCoordinator {
  private static let flag = "--run-coordinator"
  let process: Process

  /// - Parameters:
  ///   - jobDuration: The target duration of jobs in nanoseconds.
  ///   - spool: The directory in which the coordinator stores batches, or nil if it stores none.
  init(_ endpoint: String, jobDuration: UInt64, spool: String?) throws {
    process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe")
    process.arguments = [Self.flag, endpoint, String(jobDuration)] + (spool.map { [$0] } ?? [])
    try process.run()
  }

  /// Terminates the coordinator.
  func end() {
    process.terminate()
    process.waitUntilExit()
  }

  /// Runs the coordinator until it is terminated if the arguments request it. Returns whether they do.
  static func run(_ arguments: [String]) throws -> Bool {
    guard arguments.count >= 3, arguments[0] == flag, let jobDuration = UInt64(arguments[2]) else { return false }
    Interruption.catchSignals()
    var options = Coordinator.Options()
    options.core.jobDuration = jobDuration
    options.spool = try arguments.dropFirst(3).first.map { try Spool($0) }
    let coordinator = try Coordinator(try Context(), endpoints: [arguments[1]], options, log: Log(.error))
    try coordinator.run(drains: true) { Interruption.isRequested }
    return true
  }
}
