import Glibc

/// Lines for people, on standard error.
public struct Log: Sendable {
  public enum Level: String, CaseIterable, Sendable, Comparable {
    case debug, info, warning, error

    public static func < (a: Level, b: Level) -> Bool { a.rank < b.rank }
    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  private let level: Level
  private let name: String

  /// - Parameter name: what speaks, at the start of each line.
  public init(_ level: Level, name: String = "galley") {
    self.level = level
    self.name = name
  }

  public func info(_ message: @autoclosure () -> String) { write(.info, message) }
  public func warning(_ message: @autoclosure () -> String) { write(.warning, message) }
  public func error(_ message: @autoclosure () -> String) { write(.error, message) }

  private func write(_ level: Level, _ message: () -> String) {
    guard level >= self.level else { return }
    let line = Array("\(name): \(message())\n".utf8)
    _ = Glibc.write(STDERR_FILENO, line, line.count)
  }
}
