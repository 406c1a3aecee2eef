import Foundation

/// A function that runs another program.
enum Command {
  /// Runs a program until it ends. Returns its standard output, or nil if it cannot be started or fails.
  ///
  /// - Parameters:
  ///   - environment: The variables that are added to the environment of this program.
  ///   - errors: The file for standard error.
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
