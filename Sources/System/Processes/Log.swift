import Glibc

/// A log for users, which is written to standard error line by line.
public struct Log: Sendable {
  /// The severity of a message, in ascending order.
  public enum Level: String, CaseIterable, Sendable, Comparable {
    case debug, info, warning, error

    /// Returns whether a level is less severe than another.
    public static func < (a: Level, b: Level) -> Bool { a.rank < b.rank }
    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  private let level: Level
  private let name: String

  /// Creates a log.
  ///
  /// - Parameters:
  ///   - level: The lowest level that is written.
  ///   - name: The name of the program or of its part, with which each line begins.
  public init(_ level: Level, name: String = "galley") {
    self.level = level
    self.name = name
  }

  /// Writes a message about normal operation.
  public func info(_ message: @autoclosure () -> String) { write(.info, message) }
  /// Writes a warning.
  public func warning(_ message: @autoclosure () -> String) { write(.warning, message) }
  /// Writes an error message.
  public func error(_ message: @autoclosure () -> String) { write(.error, message) }

  private func write(_ level: Level, _ message: () -> String) {
    guard level >= self.level else { return }
    let line = Array("\(name): \(message())\n".utf8)
    _ = Glibc.write(STDERR_FILENO, line, line.count)
  }
}
