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
