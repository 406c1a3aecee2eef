/// Operators that people write in conditions and bindings, which have none, and how to say the same.
enum Operators {
  /// Bytes of an expression that is looked at; no field's name is as long.
  private static let maxLength = 200

  /// What to write in place of an expression with operators; nil for a field's name.
  ///
  /// - Parameter isCondition: whether it stands where a condition may, and not in a text or a property.
  static func remedy(for written: String, isCondition: Bool) -> String? {
    guard written.utf8.count <= maxLength else { return nil }
    let text = trimmed(written)
    if let question = range(of: "?", in: text), question.end < text.endIndex { return choice(text, question) }
    guard let condition = conditionRemedy(for: text) else { return nil }
    return isCondition ? condition : "{if: \(condition), then: …, else: …} without quotes around it"
  }

  private static func conditionRemedy(for text: String) -> String? {
    for (sign, key) in [("&&", "all"), ("||", "any")] {
      if let found = range(of: sign, in: text) {
        let left = trimmed(String(text[..<found.start]))
        let right = trimmed(String(text[found.end...]))
        return "{\(key): [\(condition(left)), \(condition(right))]}"
      }
    }
    for sign in ["!==", "===", "!=", "==", ">=", "<="] {
      if let found = range(of: sign, in: text) { return comparison(text, found, sign) }
    }
    // A field's name may have one of these signs in it, but hardly with spaces around it or before a number.
    for sign in [">", "<", "="] {
      guard let found = range(of: sign, in: text) else { continue }
      if range(of: " \(sign) ", in: text) != nil || Double(trimmed(String(text[found.end...]))) != nil {
        return comparison(text, found, sign)
      }
    }
    if text.hasPrefix("!") || text.hasPrefix("not ") {
      return "{not: \(condition(trimmed(String(text.drop { $0 != " " && $0 != "!" }.dropFirst()))))}"
    }
    return nil
  }

  private static func condition(_ text: String) -> String { conditionRemedy(for: text) ?? text }

  private static func comparison(_ text: String, _ sign: (start: String.Index, end: String.Index), _ name: String)
    -> String
  {
    let field = trimmed(String(text[..<sign.start]))
    let value = trimmed(String(text[sign.end...]))
    switch name {
    case ">=": return "{field: \(field), atLeast: \(value)}"
    case "<": return "{field: \(field), below: \(value)}"
    case ">":
      let next = Int(value).map { "\($0 + 1)" } ?? value
      return "{field: \(field), atLeast: \(next)}"
    case "<=":
      let next = Int(value).map { "\($0 + 1)" } ?? value
      return "{field: \(field), below: \(next)}"
    case "!=", "!==": return "{not: {field: \(field), equals: \(value)}}"
    default: return "{field: \(field), equals: \(value)}"
    }
  }

  /// `mine ? end : start`
  private static func choice(_ text: String, _ question: (start: String.Index, end: String.Index)) -> String? {
    let test = trimmed(String(text[..<question.start]))
    let rest = String(text[question.end...])
    guard let colon = range(of: ":", in: rest) else { return nil }
    let then = trimmed(String(rest[..<colon.start]))
    let otherwise = trimmed(String(rest[colon.end...]))
    return "{if: \(condition(test)), then: \(then), else: \(otherwise)} without quotes around it"
  }

  private static func range(of sign: String, in text: String) -> (start: String.Index, end: String.Index)? {
    var start = text.startIndex
    while start < text.endIndex {
      if text[start...].hasPrefix(sign) { return (start, text.index(start, offsetBy: sign.count)) }
      start = text.index(after: start)
    }
    return nil
  }

  private static func trimmed(_ text: String) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
