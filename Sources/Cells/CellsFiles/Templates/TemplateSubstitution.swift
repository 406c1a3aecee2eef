import CellTemplates

/// The replacement of parameters by their values in the element of a template.
///
/// `"{size}"` becomes the value with its type. In other texts, and before a dot, the value must be a text, a number or a
/// binding: with `user: "{author}"`, `"{user.name}"` becomes `"{author.name}"`.
struct TemplateSubstitution {
  let values: [String: SourceNode]
  let use: SourceNode.Use
  /// The bytes of the texts so far into which parameters were put, and of the values whose names were read.
  var textBytes: Int
  var loops: LoopVariables

  /// The limit of the bytes of texts, for errors.
  static let textLimit = "\(SourceNode.maxTextBytes >> 20) MiB of texts"

  /// Returns the element of a template, or nil if it is in a list and its `when` is false.
  ///
  /// - Parameter stated: The properties of the use. Its `when` and `style` become properties of the element, inside of its loop.
  mutating func element(
    of template: CellTemplate, stated: [SourceNode.Member], isInList: Bool
  ) throws(CellError) -> SourceNode? {
    if let variable = template.layout.loopVariable {
      loops.enter(variable)
      for member in stated where ["when", "style"].contains(member.key) {
        loops.note(member.value, of: nil, bytes: &textBytes)
      }
      loops.leave()
    }
    let body = try element(template.layout, isInList: isInList)
    guard loops.rename() else { return body }
    // The texts count twice, as the work does.
    return try element(template.layout, isInList: isInList)
  }

  /// Returns an element or another value, or nil for an element of a list whose `when` is false. In another place an element may be
  /// required, so that it keeps a condition.
  private mutating func element(_ node: SourceNode, isInList: Bool = false) throws(CellError) -> SourceNode? {
    let position = node.position?.used(use)
    switch node {
    case .string(let text, _): return try value(text, position)
    case .literal(let text, _): return .literal(text, position)
    case .sequence(let elements, _):
      var replaced: [SourceNode] = []
      for element in elements {
        if let element = try self.element(element, isInList: true) { replaced.append(element) }
      }
      return .sequence(replaced, position)
    case .mapping(let members, _):
      if let isTrue = try constantCondition(of: node) {
        // Without a branch the property keeps its default.
        guard let branch = node[isTrue ? "then" : "else"] else { return nil }
        return try element(branch, isInList: isInList)
      }
      var replaced: [SourceNode.Member] = []
      let variable = node.loopVariable
      for member in members {
        // The array of a loop is outside of it.
        let inner = member.key == "forEach" ? nil : variable
        if let inner { loops.enter(inner) }
        defer { if inner != nil { loops.leave() } }
        if member.key == "with" {
          let parameters = try parameters(member.value)
          replaced.append(SourceNode.Member(key: "with", position: member.position?.used(use), value: parameters))
          continue
        }
        let isCondition = SourceNode.conditionKeys.contains(member.key)
        let written = member.key == "marks" ? marks(member.value) : member.value
        guard var value = isCondition ? try condition(written) : try element(written) else {
          if member.key == "text", Self.needsText(node, isInList: isInList) {
            replaced.append(SourceNode.Member(key: "text", position: nil, value: .string("", nil)))
          }
          continue
        }
        if member.key == "when", let holds = value.truth {
          if holds { continue }
          if isInList { return nil }
          value = .never
        }
        replaced.append(SourceNode.Member(key: member.key, position: member.position?.used(use), value: value.decided))
      }
      return .mapping(loops.named(replaced, variable), position)
    }
  }

  /// Returns the `with` of a use inside of the template. Its members are parameters, which can have the names of parts of conditions.
  private mutating func parameters(_ with: SourceNode) throws(CellError) -> SourceNode {
    guard case .mapping(let members, let position) = with else { return try element(with) ?? with }
    var replaced: [SourceNode.Member] = []
    for member in members {
      guard let value = try element(member.value) else { continue }
      replaced.append(SourceNode.Member(key: member.key, position: member.position?.used(use), value: value.decided))
    }
    return .mapping(replaced, position?.used(use))
  }

  /// Returns whether a text or a run needs its text, which is empty without a branch.
  private static func needsText(_ node: SourceNode, isInList: Bool) -> Bool {
    guard node["runs"] == nil, node["attachment"] == nil else { return false }
    return node["type"]?.text == "text" || isInList
  }

  /// Returns whether the condition of a value by condition holds, if it is a parameter that is true or false.
  private mutating func constantCondition(of node: SourceNode) throws(CellError) -> Bool? {
    try node["if"].flatMap { (test) throws(CellError) in try condition(test)?.truth }
  }

  /// Returns the marks of a text. A text without braces is the name of a field, or a parameter.
  private func marks(_ node: SourceNode) -> SourceNode {
    guard case .string(let text, let position) = node else { return node }
    let path = SourceNode.withoutBraces(text)
    let name = SourceNode.firstComponent(of: path)
    guard values[name] != nil, !loops.isOpen(name) else { return .string(loops.renamed(text), position) }
    return .string("{\(path)}", position)
  }

  /// Returns the value of a parameter, or nil for another name.
  private mutating func given(_ name: String) -> SourceNode? {
    guard let value = values[name], !loops.isOpen(name) else { return nil }
    loops.note(value, of: name, bytes: &textBytes)
    return value
  }

  /// Returns a condition. A text is the name of a field, or a parameter that is one, or that is true or false.
  private mutating func condition(_ node: SourceNode) throws(CellError) -> SourceNode? {
    switch node {
    case .string(let text, let position):
      let path = SourceNode.withoutBraces(text)
      let (name, rest) = Self.split(path)
      guard let value = given(name) else {
        let renamed = loops.renamed(path)
        return .string(renamed == path ? text : renamed, position?.used(use))
      }
      switch value {
      case .string(let binding, _): return .string(SourceNode.withoutBraces(binding) + rest, position?.used(use))
      case _ where rest.isEmpty && (value.truth != nil || value.isCondition): return value
      default:
        throw CellError("\(name) must be a field, a condition, true or false in a condition", path: ["with", name])
      }
    case .sequence(let elements, let position):
      var replaced: [SourceNode] = []
      for element in elements { if let condition = try condition(element) { replaced.append(condition) } }
      return .sequence(replaced, position?.used(use))
    default: return try element(node)?.decided
    }
  }

  /// Returns a text in which parameters are replaced.
  private mutating func value(_ text: String, _ position: SourceNode.Position?) throws(CellError) -> SourceNode {
    if text.first == "{", text.last == "}", text.dropFirst().dropLast().allSatisfy({ $0 != "{" && $0 != "}" }) {
      if let value = parameter(String(text.dropFirst().dropLast())) { return value }
    }
    // A character that combines with a brace, as a vowel sign of Bengali does, is no part of it.
    var rest = text.unicodeScalars[...]
    guard rest.contains("{") else { return .string(text, position) }
    var replaced = ""
    defer { textBytes += replaced.utf8.count }
    while let open = rest.firstIndex(of: "{") {
      replaced += String(rest[..<open])
      let afterOpen = rest.index(after: open)
      if afterOpen < rest.endIndex, rest[afterOpen] == "{" {
        replaced += "{{"
        rest = rest[rest.index(after: afterOpen)...]
        continue
      }
      guard let close = rest[afterOpen...].firstIndex(of: "}") else { break }
      replaced += try binding(String(rest[afterOpen..<close]))
      guard textBytes + replaced.utf8.count <= SourceNode.maxTextBytes else {
        throw CellError("makes more than \(Self.textLimit) with the other templates")
      }
      rest = rest[rest.index(after: close)...]
    }
    return .string(replaced + String(rest), position)
  }

  /// Returns the value of a parameter that is written between braces; nil if it is none. A binding with which an optional parameter is
  /// used is optional.
  private mutating func parameter(_ written: String) -> SourceNode? {
    let name = SourceNode.withoutBraces("{\(written)}")
    if name.hasPrefix("-"), case .literal(let text, let position)? = given(String(name.dropFirst())),
      Double(text) != nil
    {
      return .literal(Self.negated(text), position)
    }
    let value = given(name)
    guard written.last(where: { $0 != " " }) == "?", case .string(let binding, let position)? = value,
      binding.first == "{", binding.last == "}", !binding.dropFirst().dropLast().contains(where: { "{}".contains($0) })
    else { return value }
    return .string("{\(SourceNode.withoutBraces(binding))?}", position)
  }

  /// Returns the text for what is between braces.
  private mutating func binding(_ written: String) throws(CellError) -> String {
    if let value = parameter(written) {
      switch value {
      case .string(let text, _): return text
      case .literal(let text, _) where !value.isNull: return text
      default:
        let name = SourceNode.withoutBraces("{\(written)}")
        throw CellError(
          "\(name) is a part of a text in the template, and must be a text or a number", path: ["with", name])
      }
    }
    var replaced = ""
    var token = ""
    func flushed(before next: Unicode.Scalar?) throws(CellError) -> String {
      let sign = token.hasPrefix("-") ? "-" : ""
      let (name, rest) = Self.split(String(token.dropFirst(sign.count)))
      guard let value = given(name) else { return sign + loops.renamed(String(token.dropFirst(sign.count))) }
      let inner = value.text?.dropFirst().dropLast() ?? ""
      switch value {
      case .literal(let text, _) where rest.isEmpty && Double(text) != nil:
        return sign.isEmpty ? text : Self.negated(text)
      case .string(let binding, _)
      where binding.first == "{" && binding.last == "}" && !inner.contains(where: "{}".contains):
        if [" + ", " - ", " * ", " / "].contains(where: inner.contains) { return "\(sign)(\(inner))\(rest)" }
        let isOptional = binding.dropLast().last { $0 != " " } == "?" && next != "?"
        return sign + SourceNode.withoutBraces(binding) + rest + (isOptional ? "?" : "")
      default:
        throw CellError(
          "\(name) must be \(rest.isEmpty ? "a number or " : "")a field such as \"{author}\"", path: ["with", name])
      }
    }
    func isNumber(_ token: String) -> Bool {
      let name = token.hasPrefix("-") ? String(token.dropFirst()) : token
      return if case .literal? = values[name], !loops.isOpen(name) { true } else { false }
    }
    for character in written.unicodeScalars {
      if SourceNode.endsToken(character) {
        // A parameter with the name of a function does not replace it.
        replaced += character == "(" ? token : try flushed(before: character)
        // A number in the place of a parameter is never absent.
        if character != "?" || !isNumber(token) { replaced.unicodeScalars.append(character) }
        token = ""
      } else {
        token.unicodeScalars.append(character)
      }
    }
    replaced += try flushed(before: nil)
    // A sign alone makes no formula, but would be a part of the name of the field.
    let isSigned = written.hasPrefix("-") && !written.contains(" ") && replaced != written
    return isSigned ? "{(\(replaced))}" : "{\(replaced)}"
  }

  private static func negated(_ number: String) -> String {
    number.hasPrefix("-") ? String(number.dropFirst()) : "-" + number
  }

  /// Returns the first component of a path, and the rest with its dot.
  private static func split(_ path: String) -> (name: String, rest: String) {
    let name = SourceNode.firstComponent(of: path)
    return (name, String(path.dropFirst(name.count)))
  }
}
