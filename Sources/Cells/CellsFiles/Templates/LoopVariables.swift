/// The loop variables around a value in the element of a template, and their names in the expanded file (a capture-avoiding
/// renaming). A variable that a value of the use names is not that of the template, whose variable then gets another name.
/// The text of the template
///
///     Comment: {parameters: {of: null}, layout: {type: text, forEach: replies, text: "{item.name} to {of.name}"}}
///
/// with a use inside a loop, whose `item` is another one,
///
///     {type: stack, forEach: comments, children: [{use: Comment, with: {of: "{item}"}}]}
///
/// becomes
///
///     {type: stack, forEach: comments, children: [
///       {type: text, forEach: replies, as: item', text: "{item'.name} to {item.name}"}]}
struct LoopVariables {
  /// The key of a use inside a template, for the loop variables around it that have other names.
  static let key = "\0loops"

  /// The variables of the loops around the use.
  private let outer: Set<String>
  /// The names of variables that loops of an outer template have, which a template can name without a parameter.
  private let inherited: [String: String]
  /// The open loops of the template, the outermost first.
  private var open: [(variable: String, name: String)] = []
  /// The other names of variables of the template.
  private var names: [String: String] = [:]
  /// The variables of the template that values of the use name where they are used.
  private var captured: Set<String> = []
  /// The names in the values that are used inside loops, and those of each parameter.
  private var taken: Set<String> = []
  private var namesInParameters: [String: Set<String>] = [:]

  init(around use: SourceNode, outer: Set<String>) {
    self.outer = use.loopVariable.map { outer.union([$0]) } ?? outer
    inherited = use.members(of: Self.key).reduce(into: [:]) { $0[$1.key] = $1.value.text }
  }

  /// Gives other names to the variables that values of the use name. Returns whether there are any.
  mutating func rename() -> Bool {
    for variable in captured {
      var name = variable + "'"
      while taken.contains(name) { name += "'" }
      names[variable] = name
    }
    return !captured.isEmpty
  }

  /// Opens the loop of an element or a run.
  mutating func enter(_ variable: String) { open.append((variable, names[variable] ?? variable)) }

  mutating func leave() { open.removeLast() }

  /// Returns whether a name is that of an open loop's variable, which hides a parameter of this name.
  func isOpen(_ name: String) -> Bool { open.contains { $0.variable == name } }

  /// Returns a path with the name that its variable has in the expanded file.
  func renamed(_ path: String) -> String {
    let variable = SourceNode.firstComponent(of: path)
    guard let name = open.last(where: { $0.variable == variable })?.name ?? inherited[variable] else { return path }
    return name + path.dropFirst(variable.count)
  }

  /// Returns the members of a mapping in the expanded file with the other names that a loop and a use in it have.
  ///
  /// - Parameter variable: The variable of the loop that the mapping is, or nil.
  mutating func named(_ members: [SourceNode.Member], _ variable: String?) -> [SourceNode.Member] {
    if let variable { enter(variable) }
    defer { if variable != nil { leave() } }
    var members = members
    if let variable, renamed(variable) != variable {
      members.removeAll { $0.key == "as" }
      members.append(SourceNode.Member(key: "as", position: nil, value: .string(renamed(variable), nil)))
    }
    guard members.contains(where: { $0.key == "use" }) else { return members }
    let others = Set(open.map(\.variable) + inherited.keys).filter { renamed($0) != $0 }.sorted().map {
      SourceNode.Member(key: $0, position: nil, value: .string(renamed($0), nil))
    }
    if !others.isEmpty {
      members.append(SourceNode.Member(key: Self.key, position: nil, value: .mapping(others, nil)))
    }
    return members
  }

  /// Notes that a value of the use is put into the open loops.
  ///
  /// - Parameters:
  ///   - parameter: The parameter with the value, or nil for a property of the use.
  ///   - bytes: The number of bytes that were read is added to it.
  mutating func note(_ value: SourceNode, of parameter: String?, bytes: inout Int) {
    guard !open.isEmpty else { return }
    var found: Set<String> = []
    if let known = parameter.flatMap({ namesInParameters[$0] }) {
      found = known
    } else {
      value.addNames(to: &found, bytes: &bytes)
      // An element may name the variable of the template on purpose, unless the use is in a loop with that variable.
      if case .string = value {} else { found.formIntersection(outer) }
      if let parameter { namesInParameters[parameter] = found }
      taken.formUnion(found)
    }
    for loop in open where found.contains(loop.name) { captured.insert(loop.variable) }
  }
}
