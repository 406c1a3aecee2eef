import ArgumentParser
import Glibc
import Processes

/// The results of a command on standard output.
enum Results {
  /// Prints a text.
  ///
  /// - Throws: `RunFailure` if it cannot be written; `ExitCode` if the reader of a pipe has ended, which is no error.
  static func print(_ text: String, terminator: String = "\n") throws {
    switch StandardStream.output.write(text + terminator) {
    case 0: break
    case EPIPE: throw ExitCode(ExitStatus.outputClosed)
    case let code: throw RunFailure(message: "standard output cannot be written: \(String(cString: strerror(code)))")
    }
  }
}
