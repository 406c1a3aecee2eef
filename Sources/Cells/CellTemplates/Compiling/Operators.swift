/// Advice on operators in conditions and bindings, where the format has none.
enum Operators {
  /// The largest number of bytes of an expression that is examined. Names of fields are shorter.
  private static let maxLength = 200
  /// Each operator has one of these characters.
  private static let signs = Array("?|&!=<> ".utf8)

  /// Returns what to write instead of an expression with operators, or nil for the name of a field.
  ///
  /// - Parameter isCondition: whether the expression is a condition, and not part of a text or a property.
  static func remedy(for written: String, isCondition: Bool) -> String? {
    guard written.utf8.count <= maxLength, written.utf8.contains(where: signs.contains) else { return nil }
    let text = trimmed(written)
    if let alternative = text.firstRange(of: "??") {
      let first = trimmed(String(text[..<alternative.lowerBound]))
      let other = trimmed(String(text[alternative.upperBound...]))
      return "{if: \(first), then: \"{\(first)}\", else: \"{\(other)}\"} without quotes around it"
    }
    if let question = text.firstRange(of: "?"), question.upperBound < text.endIndex { return choice(text, question) }
    guard let condition = conditionRemedy(for: text) else {
      guard let filter = text.firstRange(of: "|") else { return nil }
      return "{\(trimmed(String(text[..<filter.lowerBound])))}, and the field as it is to be shown"
    }
    return isCondition ? condition : "{if: \(condition), then: …, else: …} without quotes around it"
  }

  private static func conditionRemedy(for text: String) -> String? {
    for (sign, key) in [("&&", "all"), ("||", "any")] {
      if let found = text.firstRange(of: sign) {
        let left = trimmed(String(text[..<found.lowerBound]))
        let right = trimmed(String(text[found.upperBound...]))
        return "{\(key): [\(condition(left)), \(condition(right))]}"
      }
    }
    for sign in ["!==", "===", "!=", "==", ">=", "<="] {
      if let found = text.firstRange(of: sign) { return comparison(text, found, sign) }
    }
    // The name of a field may contain one of these signs, but hardly with spaces around it or before a number.
    for sign in [">", "<", "="] {
      guard let found = text.firstRange(of: sign) else { continue }
      if text.firstRange(of: " \(sign) ") != nil || Double(trimmed(String(text[found.upperBound...]))) != nil {
        return comparison(text, found, sign)
      }
    }
    if text.hasPrefix("!") || text.hasPrefix("not ") {
      return "{not: \(condition(trimmed(String(text.drop { $0 != " " && $0 != "!" }.dropFirst()))))}"
    }
    return nil
  }

  private static func condition(_ text: String) -> String { conditionRemedy(for: text) ?? text }

  private static func comparison(_ text: String, _ sign: Range<String.Index>, _ name: String) -> String {
    let field = trimmed(String(text[..<sign.lowerBound]))
    let value = trimmed(String(text[sign.upperBound...]))
    // The largest integer has no next one.
    let next = Int(value).flatMap { $0 < .max ? "\($0 + 1)" : nil } ?? value
    switch name {
    case ">=": return "{field: \(field), atLeast: \(value)}"
    case "<": return "{field: \(field), below: \(value)}"
    case ">": return "{field: \(field), atLeast: \(next)}"
    case "<=": return "{field: \(field), below: \(next)}"
    case "!=", "!==": return "{not: {field: \(field), equals: \(value)}}"
    default: return "{field: \(field), equals: \(value)}"
    }
  }

  /// Returns the value by condition that is meant by `mine ? end : start`, or nil.
  private static func choice(_ text: String, _ question: Range<String.Index>) -> String? {
    let test = trimmed(String(text[..<question.lowerBound]))
    let rest = String(text[question.upperBound...])
    guard let colon = rest.firstRange(of: ":") else { return nil }
    let then = trimmed(String(rest[..<colon.lowerBound]))
    let otherwise = trimmed(String(rest[colon.upperBound...]))
    return "{if: \(condition(test)), then: \(then), else: \(otherwise)} without quotes around it"
  }

  private static func trimmed(_ text: String) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
