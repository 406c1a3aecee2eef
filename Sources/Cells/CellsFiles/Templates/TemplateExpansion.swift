import CellTemplates

/// The expansion of elements such as `{use: Avatar, with: {size: 24}}` by the elements under `templates:`. The rest of the
/// program reads a cells file without templates.
///
/// A value keeps the position of the template in which it is written, and the line of the use, so that an error names both.
struct TemplateExpansion {
  /// The depth of uses inside each other, which limits templates that use each other.
  private static let maxDepth = 32

  private var templates: [String: Result<CellTemplate, CellError>] = [:]
  private var used: Set<String> = []
  /// The mistakes in uses and templates, with their paths as they are written. Inside of a template, the path is that of the use, and
  /// behind it that in the element of the template.
  private(set) var mistakes: [CellError] = []
  /// The positions of the mistakes in uses inside of templates, whose paths the file as it is written does not have.
  private(set) var positions: [[String]: SourceNode.Position] = [:]
  private var values = 0
  /// The bytes of the texts so far, and of those that parameters were put into.
  private var textBytes = 0
  private var isTooLarge = false

  /// Returns a cells file without templates. Elements with mistakes are left out.
  mutating func expanded(_ file: SourceNode) -> SourceNode {
    guard case .mapping(let members, let position) = file else { return file }
    readTemplates(file["templates"])
    let rest = members.compactMap { member -> SourceNode.Member? in
      if member.key == "templates" { return nil }
      guard member.key == "cells" else { return member }
      return SourceNode.Member(
        key: member.key, position: member.position, value: expand(member.value, ["cells"], [], []) ?? .mapping([], nil))
    }
    return .mapping(rest, position)
  }

  /// Warnings about the templates that no element uses, and about parameters without an effect.
  var warnings: [CellError] {
    templates.keys.sorted().flatMap { name -> [CellError] in
      guard used.contains(name) else {
        return [CellError("is used by no element, so that its layout is not checked", path: ["templates", name])]
      }
      guard case .success(let template)? = templates[name] else { return [] }
      return template.idleParameters.map {
        CellError(
          "has no effect: the layout of the template does not mention it", path: ["templates", name, "parameters", $0])
      }
    }
  }

  private mutating func readTemplates(_ written: SourceNode?) {
    guard let written else { return }
    guard case .mapping(let members, _) = written else {
      return mistakes.append(CellError("must be templates by name", path: ["templates"]))
    }
    for member in members {
      let template = Result { () throws(CellError) in try CellTemplate(member.key, member.value) }
      templates[member.key] = template
      if case .failure(let error) = template { mistakes.append(error.within(member.key).within("templates")) }
    }
  }

  /// Returns a value in which templates are expanded, or nil if it is an element with a mistake.
  ///
  /// - Parameters:
  ///   - path: The path of the value, as that of a mistake.
  ///   - open: The templates around the value.
  ///   - loops: The variables of the loops around the value.
  private mutating func expand(
    _ node: SourceNode, _ path: [String], _ open: [String], _ loops: Set<String>, isInList: Bool = false
  ) -> SourceNode? {
    values += 1
    guard path.count <= SourceNode.maxDepth else {
      mistakes.append(CellError("is nested more than \(SourceNode.maxDepth) levels deep with its templates"))
      return nil
    }
    if case .string(let text, _) = node { textBytes += text.utf8.count }
    guard values <= SourceNode.maxNodes, textBytes <= SourceNode.maxTextBytes else {
      let limit = values > SourceNode.maxNodes ? "\(SourceNode.maxNodes) values" : TemplateSubstitution.textLimit
      if !isTooLarge { mistakes.append(CellError("has more than \(limit) with its templates", path: path)) }
      isTooLarge = true
      return nil
    }
    switch node {
    case .mapping(let members, let position):
      if let name = node["use"]?.text {
        do throws(CellError) { return try use(name, node, path, open, loops, isInList) } catch {
          mistakes.append(CellError(error.message, path: path + error.path))
          if !open.isEmpty { positions[path + error.path] = node.position(of: error.path) }
          return nil
        }
      }
      let loops = node.loopVariable.map { loops.union([$0]) } ?? loops
      return .mapping(
        members.compactMap { member in
          expand(member.value, path + [member.key], open, loops).map {
            SourceNode.Member(key: member.key, position: member.position, value: $0)
          }
        }, position)
    case .sequence(let elements, let position):
      return .sequence(
        elements.enumerated().compactMap { expand($0.element, path + ["\($0.offset)"], open, loops, isInList: true) },
        position)
    default: return node
    }
  }

  /// The keys that an element with `use` can have. Those of the element itself take the place of the template's.
  private static let ownKeys = ["id", "when", "forEach", "as", "limit", "style"]

  private mutating func use(
    _ name: String, _ node: SourceNode, _ path: [String], _ open: [String], _ loops: Set<String>, _ isInList: Bool
  ) throws(CellError) -> SourceNode? {
    guard let read = templates[name] else {
      throw CellError(
        "\"\(name)\" is not in templates\(didYouMean(name, among: templates.keys.sorted()))", path: ["use"])
    }
    used.insert(name)
    // The mistake of a template is stated where it is written.
    guard case .success(let template) = read else { return nil }
    let isOpen = open.contains(name)
    guard !isOpen, open.count < Self.maxDepth else {
      let mistake = isOpen ? "template \"\(name)\" uses itself" : "is inside more than \(Self.maxDepth) templates"
      throw CellError("\(mistake): \((open + [name]).joined(separator: " uses "))", path: ["use"])
    }
    guard case .mapping(let members, let position) = node else { return nil }
    let known = ["use", "with"] + Self.ownKeys
    for member in members where !known.contains(member.key) && member.key != LoopVariables.key {
      throw CellError(
        "is not a property of an element with use\(didYouMean(member.key, among: known)); it has with, "
          + Self.ownKeys.joined(separator: ", "), path: [member.key])
    }
    var given: [SourceNode.Member] = []
    if let with = node["with"] {
      guard case .mapping(let members, _) = with else { throw CellError("must be parameters by name", path: ["with"]) }
      let inner = node.loopVariable.map { loops.union([$0]) } ?? loops
      // An element among them can use this template too.
      for member in members {
        guard let value = expand(member.value, path + ["with", member.key], open, inner) else { return nil }
        given.append(SourceNode.Member(key: member.key, position: member.position, value: value))
      }
    }
    var substitution: TemplateSubstitution
    do throws(CellError) {
      substitution = TemplateSubstitution(
        values: try template.values(given), use: SourceNode.Use(template: name, line: position?.line),
        textBytes: textBytes, loops: LoopVariables(around: node, outer: loops))
    } catch { throw error.within("with") }
    defer { textBytes = substitution.textBytes }
    guard let body = try substitution.element(of: template, stated: members, isInList: isInList) else { return nil }
    return expand(try Self.completed(body, members), path, open + [name], loops, isInList: isInList)
  }

  /// Returns the element of a template with the properties that its use states.
  private static func completed(
    _ body: SourceNode, _ stated: [SourceNode.Member]
  ) throws(CellError) -> SourceNode {
    guard case .mapping(var members, let position) = body else { return body }
    for member in stated where ownKeys.contains(member.key) {
      if member.key == "as", !stated.contains(where: { $0.key == "forEach" }) {
        throw CellError("belongs to a forEach of the same element", path: ["as"])
      }
      guard let index = members.firstIndex(where: { $0.key == member.key }) else {
        members.append(member)
        continue
      }
      switch (member.key, members[index].value, member.value) {
      case ("style", .mapping(let own, let at), .mapping(let given, _)):
        let kept = own.filter { property in !given.contains { $0.key == property.key } }
        members[index].value = .mapping(kept + given, at)
      case ("when", let own, let given):
        let both = SourceNode.Member(key: "all", position: nil, value: .sequence([given, own], nil))
        members[index].value = .mapping([both], member.position)
      case ("forEach", _, _):
        throw CellError(
          "repeats a template whose element is repeated itself; put the element into a stack", path: ["forEach"])
      default: members[index] = member
      }
    }
    return .mapping(members, position)
  }
}
