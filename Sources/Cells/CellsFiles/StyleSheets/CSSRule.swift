import Buffers
import Foundation

/// A rule of a style sheet.
struct CSSRule {
  var selectors: [String]
  var declarations: [(property: String, value: String)]
  /// What the rule cannot express, as comments before it.
  var comments: [String] = []

  /// The rule as text. It is empty without selectors or declarations.
  var text: String {
    let notes = comments.map { "/* \($0.replacingOccurrences(of: "*/", with: "* /", options: .literal)) */\n" }.joined()
    guard !selectors.isEmpty, !declarations.isEmpty else { return notes }
    let body = declarations.map { "  \($0.property): \($0.value);\n" }.joined()
    return notes + Self.lines(of: selectors) + " {\n" + body + "}\n"
  }

  private static let lineLength = 120

  /// Returns selectors in lines of at most `lineLength` characters.
  private static func lines(of selectors: [String]) -> String {
    var text = ""
    var length = 0
    for (index, selector) in selectors.enumerated() {
      let separator = index == 0 ? "" : length + selector.count + 3 > lineLength ? ",\n" : ", "
      length = separator == ",\n" ? selector.count : length + separator.count + selector.count
      text += separator + selector
    }
    return text
  }

  /// Returns the name of a class, which has no spaces in HTML.
  static func className(_ name: String) -> String {
    String(name.map { $0.isWhitespace ? "-" : $0 })
  }

  /// Returns a selector of a class.
  static func selector(ofClass name: String) -> String {
    var text = "."
    for (index, scalar) in name.unicodeScalars.enumerated() {
      let isDigit = ("0"..."9").contains(scalar)
      let isLetter = scalar.value >= 0x80 || scalar.properties.isAlphabetic || scalar == "_"
      if isLetter || (index > 0 && (isDigit || scalar == "-")) {
        text.unicodeScalars.append(scalar)
      } else {
        // A number ends with a space, so that what follows is no digit of it.
        text += "\\" + String(scalar.value, radix: 16) + " "
      }
    }
    return text
  }

  /// Returns a string with quotation marks.
  static func string(_ text: String) -> String {
    "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : $0.isNewline ? " " : String($0) }.joined() + "\""
  }

  /// Returns a length, which can be a sum, without the noise of binary fractions.
  static func pixels(_ length: Double) -> String {
    let rounded = (length * 1e6).rounded() / 1e6
    return rounded == 0 ? "0" : "\(shortText(rounded))px"
  }
}
