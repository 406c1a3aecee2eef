extension String {
  /// The text for people, in which characters that control a terminal or change the order of the text around them are escaped, such as
  /// `\u{1b}`. Ends of lines and tabs stay, because texts of several lines are written too.
  public var escapedForTerminal: String {
    var text = ""
    for scalar in unicodeScalars {
      if scalar != "\n", scalar != "\t", let escape = scalar.terminalEscape {
        text += escape
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension Unicode.Scalar {
  /// Whether the character may end the line, control a terminal or change the order of the text around it. Of the characters that
  /// format a text, those stay that join letters and emoji or divide words: the joiners, the soft hyphen and the tags of flags.
  var isEscaped: Bool {
    switch self {
    case "\u{ad}", "\u{200c}", "\u{200d}", "\u{e0020}"..."\u{e007f}": return false
    default: break
    }
    return switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
    default: false
    }
  }

  /// What stands for the character in a text, or nil if it is written itself.
  var terminalEscape: String? {
    guard isEscaped else { return nil }
    return self == "\n" ? "\\n" : "\\u{\(String(value, radix: 16))}"
  }
}
