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
    let text = trimmed(written[...])
    if let (first, other) = sides(of: "??", in: text) {
      return "{if: \(first), then: \"{\(first)}\", else: \"{\(other)}\"} without quotes around it"
    }
    if let (test, branches) = sides(of: "?", in: text), !branches.isEmpty { return choice(test, branches) }
    guard let condition = conditionRemedy(for: text) else {
      return sides(of: "|", in: text).map { "{\($0.left)}, and the field as it is to be shown" }
    }
    return isCondition ? condition : "{if: \(condition), then: …, else: …} without quotes around it"
  }

  private static func conditionRemedy(for text: String) -> String? {
    for (sign, key) in [("&&", "all"), ("||", "any")] {
      if let (left, right) = sides(of: sign, in: text) {
        return "{\(key): [\(condition(left)), \(condition(right))]}"
      }
    }
    for sign in ["!==", "===", "!=", "==", ">=", "<="] {
      if let (field, value) = sides(of: sign, in: text) { return comparison(field, sign, value) }
    }
    // The name of a field may contain one of these signs, but hardly with spaces around it or before a number.
    for sign in [">", "<", "="] {
      guard let (field, value) = sides(of: sign, in: text) else { continue }
      if text.contains(" \(sign) ") || Double(value) != nil { return comparison(field, sign, value) }
    }
    if text.hasPrefix("!") || text.hasPrefix("not ") {
      return "{not: \(condition(trimmed(text.drop { $0 != " " && $0 != "!" }.dropFirst())))}"
    }
    return nil
  }

  private static func condition(_ text: String) -> String { conditionRemedy(for: text) ?? text }

  private static func comparison(_ field: String, _ sign: String, _ value: String) -> String {
    // The largest integer has no next one.
    let next = Int(value).flatMap { $0 < .max ? "\($0 + 1)" : nil } ?? value
    switch sign {
    case ">=": return "{field: \(field), atLeast: \(value)}"
    case "<": return "{field: \(field), below: \(value)}"
    case ">": return "{field: \(field), atLeast: \(next)}"
    case "<=": return "{field: \(field), below: \(next)}"
    case "!=", "!==": return "{not: {field: \(field), equals: \(value)}}"
    default: return "{field: \(field), equals: \(value)}"
    }
  }

  /// Returns the value by condition that is meant by `mine ? end : start`, or nil.
  private static func choice(_ test: String, _ branches: String) -> String? {
    sides(of: ":", in: branches).map { then, otherwise in
      "{if: \(condition(test)), then: \(then), else: \(otherwise)} without quotes around it"
    }
  }

  /// Returns what stands before and behind the first occurrence of a sign, or nil if the text does not have it.
  private static func sides(of sign: String, in text: String) -> (left: String, right: String)? {
    text.firstRange(of: sign).map { (trimmed(text[..<$0.lowerBound]), trimmed(text[$0.upperBound...])) }
  }

  private static func trimmed(_ text: Substring) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
