/// The severity of a message of a log, in ascending order.
public enum LogLevel: String, CaseIterable, Sendable, Comparable {
  case info, warning, error

  /// Returns whether a level is less severe than another.
  public static func < (a: LogLevel, b: LogLevel) -> Bool { a.rank < b.rank }
  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
