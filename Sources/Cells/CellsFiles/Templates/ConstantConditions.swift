/// The evaluation of conditions that have true or false as a part. Parameters of templates put these values into conditions.
extension SourceNode {
  /// A condition that never holds.
  static let never = SourceNode.mapping([Member(key: "any", position: nil, value: .sequence([], nil))], nil)

  /// Whether the value is true or false; nil for another value.
  var truth: Bool? {
    guard case .literal(let text, _) = self, ["true", "false"].contains(text) else { return nil }
    return text == "true"
  }

  /// Whether the value is a condition of parts or of a field with tests.
  var isCondition: Bool { ["not", "all", "any", "field"].contains { self[$0] != nil } }

  /// The condition without the parts that are true or false, or true or false if they decide it; another value as it is.
  var decided: SourceNode {
    guard case .mapping(let members, let position) = self, let first = members.first else { return self }
    if let value = self["field"]?.truth {
      let tests = members.filter { $0.key != "field" }
      guard tests.allSatisfy({ ["equals", "atLeast", "below"].contains($0.key) }) else { return self }
      let holds = tests.isEmpty ? value : tests.allSatisfy { $0.key == "equals" && $0.value.truth == value }
      return .literal("\(holds)", position)
    }
    guard members.count == 1 else { return self }
    if first.key == "not", let truth = first.value.truth { return .literal("\(!truth)", position) }
    guard ["all", "any"].contains(first.key), case .sequence(let parts, let list) = first.value else { return self }
    // With this value a part changes nothing; with the other one it decides.
    let neutral = first.key == "all"
    if parts.contains(where: { $0.truth == !neutral }) { return .literal("\(!neutral)", position) }
    let rest = parts.filter { $0.truth == nil }
    guard rest.count < parts.count else { return self }
    if rest.isEmpty { return .literal("\(neutral)", position) }
    return .mapping([Member(key: first.key, position: first.position, value: .sequence(rest, list))], position)
  }
}
