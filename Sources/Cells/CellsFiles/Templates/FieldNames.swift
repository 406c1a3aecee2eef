/// The names of fields and loop variables in values as they are written.
extension SourceNode {
  /// The keys whose texts name fields without braces.
  static let conditionKeys: Set = ["when", "if", "not", "field", "forEach", "all", "any"]

  /// The variable of the loop that repeats an element or a run, or nil if it is not repeated.
  var loopVariable: String? { self["forEach"] == nil ? nil : self["as"]?.text ?? "item" }

  /// Adds the first components of the paths that the value names, without the variables of its own loops.
  ///
  /// - Parameters:
  ///   - isPath: Whether a text without braces is a path.
  ///   - bytes: The number of bytes and values that were read is added to it.
  func addNames(to names: inout Set<String>, isPath: Bool = true, bytes: inout Int) {
    bytes += 1
    switch self {
    case .literal: break
    case .string(let text, _):
      bytes += text.utf8.count
      guard text.unicodeScalars.contains("{") else {
        if isPath { names.insert(Self.firstComponent(of: Self.withoutBraces(text))) }
        return
      }
      // A character that combines with a brace, as a vowel sign of Bengali does, is no part of it.
      for binding in text.unicodeScalars.split(separator: "{", omittingEmptySubsequences: false).dropFirst() {
        for token in binding.prefix(while: { $0 != "}" }).split(whereSeparator: { Self.endsToken($0) }) {
          names.insert(Self.firstComponent(of: String(String(token).drop { $0 == "-" })))
        }
      }
    case .sequence(let elements, _):
      for element in elements { element.addNames(to: &names, isPath: isPath, bytes: &bytes) }
    case .mapping(let members, _):
      var inner: Set<String> = []
      for member in members where member.key != "forEach" {
        let isPath = Self.conditionKeys.contains(member.key) || member.key == "marks"
        member.value.addNames(to: &inner, isPath: isPath, bytes: &bytes)
      }
      if let loopVariable { inner.remove(loopVariable) }
      names.formUnion(inner)
      self["forEach"]?.addNames(to: &names, bytes: &bytes)
    }
  }

  /// Returns whether a character ends a number or a field in a formula.
  static func endsToken(_ character: Unicode.Scalar) -> Bool { " +*/(),?".unicodeScalars.contains(character) }

  static func firstComponent(of path: String) -> String { String(path.prefix { $0 != "." }) }

  /// Returns a path without braces, blanks and the mark of an optional binding.
  static func withoutBraces(_ text: String) -> String {
    var inner = text[...]
    if inner.first == "{", inner.last == "}" { inner = inner.dropFirst().dropLast() }
    while inner.first == " " { inner = inner.dropFirst() }
    while inner.last == " " || inner.last == "?" { inner = inner.dropLast() }
    return String(inner)
  }
}
