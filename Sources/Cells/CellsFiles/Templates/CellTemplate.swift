import CellTemplates

/// An element with parameters, as it is under `templates:`.
struct CellTemplate {
  let name: String
  /// The names of the parameters, with the values that they have where a use gives none.
  let parameters: [(name: String, standard: SourceNode?)]
  let layout: SourceNode

  /// - Throws: `CellError` with the path within the template.
  init(_ name: String, _ written: SourceNode) throws(CellError) {
    guard case .mapping(let members, _) = written else {
      throw CellError("must be a mapping such as {parameters: {size: 40}, layout: {type: …}}")
    }
    let known = ["parameters", "layout"]
    for member in members where !known.contains(member.key) {
      throw CellError("is not a part of a template\(didYouMean(member.key, among: known))").within(member.key)
    }
    guard let layout = written["layout"], case .mapping = layout else {
      throw CellError("needs a layout: {parameters: {size: 40}, layout: {type: …}}")
    }
    self.name = name
    self.layout = layout
    switch written["parameters"] {
    case nil: parameters = []
    case .mapping(let members, _)?:
      parameters = members.map { ($0.key, $0.value.isNull ? nil : $0.value) }
    case .sequence(let names, _)? where names.allSatisfy(\.isString):
      parameters = names.compactMap { $0.text.map { ($0, nil) } }
    default: throw CellError("must be names with default values, {size: 40}, or a list of names").within("parameters")
    }
    for (name, _) in parameters
    where name.contains(where: { !$0.isLetter && !$0.isNumber && $0 != "_" }) || name.first?.isNumber ?? true {
      throw CellError("is \"\(name)\", but the name of a parameter has letters, digits and _, and begins with no digit")
        .within("parameters")
    }
  }

  /// The parameters that the element does not have, also not as a part of another word.
  var idleParameters: [String] { parameters.map(\.name).filter { !layout.mentions($0) } }

  /// Returns the values of all parameters for a use.
  ///
  /// - Parameter given: The members of `with`.
  func values(_ given: [SourceNode.Member]) throws(CellError) -> [String: SourceNode] {
    var values: [String: SourceNode] = [:]
    for (name, standard) in parameters { values[name] = standard }
    let names = parameters.map(\.name)
    for member in given {
      guard names.contains(member.key) else {
        throw CellError(
          "is not a parameter of template \"\(name)\"\(didYouMean(member.key, among: names)); it has "
            + (names.isEmpty ? "none" : names.joined(separator: ", "))
        ).within(member.key)
      }
      values[member.key] = member.value
    }
    if let missing = names.first(where: { values[$0] == nil }) {
      throw CellError("needs \(missing), a parameter of template \"\(name)\" without a default")
    }
    return values
  }
}

extension SourceNode {
  fileprivate var isString: Bool { if case .string = self { true } else { false } }

  /// Returns whether a text in the value contains a name.
  fileprivate func mentions(_ name: String) -> Bool {
    switch self {
    case .string(let text, _): text.contains(name)
    case .literal: false
    case .sequence(let elements, _): elements.contains { $0.mentions(name) }
    case .mapping(let members, _): members.contains { $0.value.mentions(name) }
    }
  }

  var isNull: Bool { if case .literal("null", _) = self { true } else { false } }
}
