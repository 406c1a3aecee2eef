import ArgumentParser
import LogLevels
import Processes

/// The options for log lines on standard error.
public struct LogOptions: ParsableArguments {
  /// Whether only errors are written. This takes precedence over ``logLevel``.
  @Flag(help: "Print nothing but errors.")
  public var quiet = false

  /// The lowest level that is written.
  @Option(help: "The lowest level of the lines on standard error: info, warning or error.")
  public var logLevel = Log.Level.warning

  /// The form of the lines.
  @Option(help: "The form of the lines on standard error: text for people, or json for programs.")
  public var logFormat = Log.Format.text

  /// Creates options that write warnings and errors as text.
  public init() {}

  /// Returns a log that writes lines of the chosen level and above to standard error.
  ///
  /// - Parameter name: The name of the process in each line.
  public func log(_ name: String = "galley") -> Log { Log(quiet ? .error : logLevel, format: logFormat, name: name) }

  /// The arguments that give another process the same options.
  package var arguments: [String] {
    ["--log-level", logLevel.rawValue, "--log-format", logFormat.rawValue] + (quiet ? ["--quiet"] : [])
  }
}

extension Log.Level: ExpressibleByArgument {}
extension Log.Format: ExpressibleByArgument {}
