import Glibc
import LogLevels
import Synchronization

/// A log for operators, which is written to standard error with one line for each event.
///
/// A flood of similar messages becomes one line a second with their number, whatever peers do.
public struct Log: Sendable {
  public typealias Level = LogLevel

  /// The form of lines.
  public enum Format: String, CaseIterable, Sendable {
    /// Lines for people, such as `2026-11-23T03:15:56.123Z warning galley worker[4711]: …`.
    case text
    /// JSON objects.
    case json
  }

  private let level: Level
  private let lines: Lines

  /// The lines of a log and of its copies.
  private final class Lines: Sendable {
    let format: Format
    let name: String
    let limit = Mutex(LogLimit())

    init(_ format: Format, _ name: String) { (self.format, self.name) = (format, name) }

    func write(_ lines: [LogLimit.Line]) {
      for line in lines { StandardStream.error.write(LogLine(line, name: name).text(format)) }
    }

    deinit { write(limit.withLock { $0.takeAll() }) }
  }

  /// Creates a log.
  ///
  /// - Parameters:
  ///   - level: The lowest level that is written.
  ///   - format: The form of lines.
  ///   - name: The name of the program or of its part.
  public init(_ level: Level, format: Format = .text, name: String = "galley") {
    self.level = level
    lines = Lines(format, name)
  }

  /// Writes a message about normal operation.
  public func info(_ message: @autoclosure () -> String) { write(.info, message) }
  /// Writes a warning.
  public func warning(_ message: @autoclosure () -> String) { write(.warning, message) }
  /// Writes an error message.
  public func error(_ message: @autoclosure () -> String) { write(.error, message) }

  /// Writes the numbers of messages that were left out for a second. A process that may be idle for long calls it now
  /// and then.
  public func flush() { lines.write(lines.limit.withLock { $0.takeDue(at: Clock.monotonic()) }) }

  /// Writes a message of a level.
  public func write(_ level: Level, _ message: @autoclosure () -> String) { write(level, message) }

  private func write(_ level: Level, _ message: () -> String) {
    guard level >= self.level else { return }
    lines.write(lines.limit.withLock { $0.add(level, message(), at: Clock.monotonic()) })
  }
}
