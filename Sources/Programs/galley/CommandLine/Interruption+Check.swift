import ArgumentParser
import Processes

extension Interruption {
  /// Throws the exit code if the user has interrupted the run. What was written to temporary files is then removed.
  static func check() throws {
    if isRequested { throw ExitCode(exitCode) }
  }
}
