import ArgumentParser
import Foundation
import GalleyWorker
import Processes
import Synchronization

/// The messages for the user on standard error. They are lines for people, or those of the log where a command has one:
/// with `--log-format json`, and in processes that run without a user.
enum Messages {
  private static let log = Mutex<Log?>(nil)
  private static let writesErrorsOnly = Atomic(false)

  /// Writes messages to a log from now on.
  static func write(to log: Log) { Self.log.withLock { $0 = log } }

  /// Writes neither notes nor warnings from now on.
  static func writeErrorsOnly() { writesErrorsOnly.store(true, ordering: .relaxed) }

  /// Whether notes and warnings are written.
  static var haveWarnings: Bool { !writesErrorsOnly.load(ordering: .relaxed) }

  /// Whether messages are lines of a log.
  static var areLogged: Bool { log.withLock { $0 != nil } }

  /// Whether a line that changes can be shown: on a terminal, unless messages are lines of a log.
  static var canShowProgress: Bool { StandardStream.error.isTerminal && !areLogged }

  /// Writes the errors of arguments that cannot be parsed as lines of the log if these arguments ask for that, or else the
  /// environment. The verb may be unknown, or have no such option.
  static func writeUsageErrors(
    of arguments: [String], environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    let option = "--log-format"
    let values =
      zip(arguments, arguments.dropFirst()).filter { $0.0 == option }.map(\.1)
      + arguments.filter { $0.hasPrefix("\(option)=") }.map { String($0.dropFirst(option.count + 1)) }
    guard values.isEmpty ? environment["GALLEY_LOG_FORMAT"] == "json" : values.contains("json") else { return }
    let verb = arguments.prefix(1).filter { !$0.hasPrefix("-") }
    write(to: Log(.warning, format: .json, name: (["galley"] + verb).joined(separator: " ")))
  }

  /// Writes a note about what the run does.
  static func note(_ text: String) { if haveWarnings { write(.info, text) } }

  /// Writes a warning.
  ///
  /// - Parameter details: Further lines.
  static func warning(_ text: String, details: [String] = []) {
    if haveWarnings { write(.warning, text, details) }
  }

  /// Writes the error that has ended the run, or the errors of bad rows.
  ///
  /// - Parameter details: Further lines.
  static func error(_ text: String, details: [String] = []) { write(.error, text, details) }

  private static func write(_ level: Log.Level, _ text: String, _ details: [String] = []) {
    if let current = log.withLock({ $0 }) { return ([text] + details).forEach { current.write(level, $0) } }
    let name = TextStyle.bold.applied(to: "galley:", on: .error)
    let lines = details.map { "  \($0.escapedForTerminal)\n" }.joined()
    StandardStream.error.write("\(name) \(level.colored(text.escapedForTerminal))\n\(lines)")
  }
}

/// A command with the options of a log.
protocol LoggingCommand: ParsableCommand {
  var log: LogOptions { get }
  /// Whether the command runs without a user, so that its messages belong into the log.
  static var isService: Bool { get }
}

extension LoggingCommand {
  static var isService: Bool { false }

  func makeLog() -> Log { log.log("galley \(Self._commandName)") }

  /// Writes the messages for the user to the log if they belong there.
  func directMessages() {
    if Self.isService || log.logFormat == .json { Messages.write(to: makeLog()) }
    if log.quiet || log.logLevel == .error { Messages.writeErrorsOnly() }
  }
}
