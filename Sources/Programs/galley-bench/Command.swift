import Foundation

/// A program that runs to its end.
enum Command {
  /// What it printed; nil if it cannot be started or fails.
  ///
  /// - Parameters:
  ///   - environment: what it has beside this program's.
  ///   - errors: where its standard error goes.
  @discardableResult
  static func run(
    _ program: URL, _ arguments: [String], environment: [String: String] = [:],
    errors: FileHandle = .standardError
  ) -> Data? {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardError = errors
    let output = Pipe()
    process.standardOutput = output
    guard (try? process.run()) != nil else { return nil }
    let printed = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? printed : nil
  }
}
