import LogLevels

/// A style of text on terminals (ECMA-48, SGR).
public enum TextStyle: Int, Sendable {
  case bold = 1
  case red = 31
  case yellow = 33

  /// Returns a text in this style, or the text itself for a stream without colors.
  public func applied(to text: String, on stream: StandardStream) -> String {
    stream.isColored ? "\u{1b}[\(rawValue)m\(text)\u{1b}[0m" : text
  }
}

extension LogLevel {
  /// Returns a text for standard error in the color of the level, which is none for `info`.
  public func colored(_ text: String) -> String {
    switch self {
    case .info: text
    case .warning: TextStyle.yellow.applied(to: text, on: .error)
    case .error: TextStyle.red.applied(to: text, on: .error)
    }
  }
}
