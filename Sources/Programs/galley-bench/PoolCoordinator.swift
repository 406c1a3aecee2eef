import Foundation
import PoolCoordinator
import Processes
import ZeroMQ

/// A coordinator in a process of its own, for which jobs of a given duration are as long as they should be.
struct PoolCoordinator {
  private static let flag = "--run-coordinator"
  let process: Process

  /// - Parameters:
  ///   - jobDuration: nanoseconds.
  ///   - spool: where it keeps batches, if it does.
  init(_ endpoint: String, jobDuration: UInt64, spool: String?) throws {
    process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe")
    process.arguments = [Self.flag, endpoint, String(jobDuration)] + (spool.map { [$0] } ?? [])
    try process.run()
  }

  func end() {
    process.terminate()
    process.waitUntilExit()
  }

  /// Is one until it is terminated, if the arguments are those of one.
  static func run(_ arguments: [String]) throws -> Bool {
    guard arguments.count >= 3, arguments[0] == flag, let jobDuration = UInt64(arguments[2]) else { return false }
    Interruption.catchSignals()
    var options = Coordinator.Options()
    options.jobDuration = jobDuration
    options.spool = try arguments.dropFirst(3).first.map { try Spool($0) }
    let coordinator = try Coordinator(try Context(), endpoints: [arguments[1]], options, log: Log(.error))
    try coordinator.run(drains: true) { Interruption.isRequested }
    return true
  }
}
