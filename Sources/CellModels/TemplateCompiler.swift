import Buffers
import LayoutEngine
import TextMeasurement

/// Compiles elements, as cells files and inline layouts have them, to templates.
struct TemplateCompiler: ~Copyable {
  /// Elements within elements.
  static let maxDepth = 256
  /// `forEach` within `forEach`.
  static let maxLoops = 8

  var templates: Templates
  let fonts: FontTable
  /// Keys of the row that templates use, each with a slot; nil for an inline layout, whose row is at hand.
  var slots: FieldSlots?
  var loopVariables: [ByteString] = []
  private var depth = 0

  init(templates: consuming Templates, fonts: FontTable, slots: FieldSlots?) {
    self.templates = templates
    self.fonts = fonts
    self.slots = slots
  }

  /// Forgets what was compiled.
  mutating func removeAll() {
    templates.removeAll()
    loopVariables.removeAll()
    depth = 0
  }

  /// Compiles one cell's `layout`; answers the index of its root element.
  mutating func compile(_ layout: JSONValue) throws(CellError) -> Int32 {
    do throws(CellError) {
      return try compileElement(layout, parent: absent, role: .layout, position: absent)
    } catch {
      throw error.within("layout")
    }
  }

  /// Adds `component` to the path of what goes wrong in `body`.
  mutating func within<Result>(
    _ component: String, _ body: (inout Self) throws(CellError) -> Result
  ) throws(CellError) -> Result {
    do throws(CellError) { return try body(&self) } catch { throw error.within(component) }
  }

  mutating func fieldRoot(_ key: ByteString) -> FieldPath.Root {
    guard slots != nil else { return .field(key) }
    return .slot(slots!.slot(for: key))
  }

  private mutating func compileElement(
    _ value: JSONValue, parent: Int32, role: Keyword, position: Int32
  ) throws(CellError) -> Int32 {
    guard value.isObject else { throw wrongType(value, "an element, such as {type: text, …}") }
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maxDepth else {
      throw CellError("is nested more than \(Self.maxDepth) elements deep")
    }
    let type = try elementType(value)
    let index = Int32(templates.elements.count)
    templates.elements.append(
      TemplateElement(element: .spec, type: type, parent: parent, role: role, position: position))

    let loop = try compileLoop(value)
    defer { if loop != absent { loopVariables.removeLast() } }

    let content = try readProperties(value, type, index)
    templates.elements.base[Int(index)].loop = loop
    try compileContent(content, of: type, at: index, value)
    if type == .button {
      try compileButton(value, at: index)
    } else {
      let readsConstraint = templates.readsConstraint
      templates.readsConstraint = false
      try compileChildren(value, type, index)
      if type == .node {
        // Within a node, constrainedSize is the node's.
        templates.elements.base[Int(index)].layoutReadsConstraint = templates.readsConstraint
        templates.readsConstraint = readsConstraint
      } else if readsConstraint {
        templates.readsConstraint = true
      }
    }
    templates.elements.base[Int(index)].end = Int32(templates.elements.count)
    return index
  }

  private func elementType(_ value: JSONValue) throws(CellError) -> ElementType {
    guard let type = value.member("type") else { throw CellError("needs a type, such as stack or text") }
    guard let name = type.string else { throw wrongType(type, "the name of an element type").within("type") }
    guard let known = ElementType.named(name) else {
      throw CellError(
        "\"\(name.string)\" is not an element type\(didYouMean(name.string, among: ElementType.names))"
      ).within("type")
    }
    return known
  }

  private mutating func compileLoop(_ value: JSONValue) throws(CellError) -> Int32 {
    guard let each = value.member("forEach") else {
      guard value.member("as") == nil else { throw CellError("belongs to a forEach").within("as") }
      guard value.member("limit") == nil else { throw CellError("belongs to a forEach").within("limit") }
      return absent
    }
    guard let field = each.string else { throw wrongType(each, "the name of an array field").within("forEach") }
    guard loopVariables.count < Self.maxLoops else {
      throw CellError("is nested more than \(Self.maxLoops) deep").within("forEach")
    }
    let path = try within("forEach") { (compiler) throws(CellError) in
      try compiler.path(field.withoutBraces)
    }
    var variable = ByteString("item")
    if let name = value.member("as") {
      guard let given = name.string else { throw wrongType(name, "a name").within("as") }
      variable = given
    }
    var limit = Int32.max
    if let most = value.member("limit") {
      guard let count = most.integer.flatMap({ Int32(exactly: $0) }), count >= 0 else {
        throw wrongType(most, "a whole number from 0").within("limit")
      }
      limit = count
    }
    templates.loops.append(Loop(path: path, variable: variable, limit: limit))
    loopVariables.append(variable)
    return Int32(templates.loops.count - 1)
  }

  /// Reads what does not contain elements, and keeps as patches what depends on the row.
  private mutating func readProperties(
    _ value: JSONValue, _ type: ElementType, _ index: Int32
  ) throws(CellError) -> ElementDraft {
    var draft = ElementDraft()
    var given = false
    let firstPatch = templates.patches.count
    try value.forEachMember { (key, property) throws(CellError) in
      guard let keyword = Keyword.named(key), type.keys.contains(keyword) else { throw unknownProperty(key, type) }
      do throws(CellError) {
        switch keyword {
        case .id:
          guard let name = property.string, !name.isEmpty else { throw wrongType(property, "a name") }
          templates.elements.base[Int(index)].name = name
        case .when: templates.elements.base[Int(index)].when = try condition(property)
        case .url:
          guard let url = property.string else { throw wrongType(property, "a string") }
          templates.elements.base[Int(index)].url = try expression(url)
        case .style:
          given = true
          try readStyle(property, &draft)
        case .type, .forEach, .as, .limit, .text, .runs, .title: break
        case .child, .children, .overlay, .background, .corner, .layout: break
        default:
          if try noteDynamic(property) {
            if type == .button { throw CellError("of a button cannot depend on the row; its title can") }
            templates.patches.append(Patch(keyword: keyword, inStyle: false, value: property))
          } else if !(type == .button && Self.shapesButton(keyword)) {
            try draft.read(keyword, of: type, property, reader, fonts: fonts, sizes: &templates.sizes)
          }
        }
      } catch {
        throw error.within(key.string)
      }
    }
    let patches = templates.patches.count - firstPatch
    templates.elements.base[Int(index)].patches = Span(first: Int32(firstPatch), count: Int32(patches))
    if patches > 0 {
      templates.drafts.append(draft)
      templates.elements.base[Int(index)].draft = Int32(templates.drafts.count - 1)
    }
    templates.elements.base[Int(index)].element = draft.element(of: type)
    if given {
      templates.styles.append(draft.finishedStyle)
      templates.elements.base[Int(index)].style = Int32(templates.styles.count - 1)
    }
    return draft
  }

  private mutating func readStyle(_ value: JSONValue, _ draft: inout ElementDraft) throws(CellError) {
    guard value.isObject else { throw wrongType(value, "an object such as {width: 40}") }
    try value.forEachMember { (key, property) throws(CellError) in
      guard let keyword = Keyword.named(key), Keyword.ofStyle.contains(keyword) else {
        throw CellError(
          "is not a style property\(didYouMean(key.string, among: Keyword.ofStyle.map(\.name)))"
        ).within(key.string)
      }
      do throws(CellError) {
        if try noteDynamic(property) {
          templates.patches.append(Patch(keyword: keyword, inStyle: true, value: property))
        } else {
          try draft.readStyle(keyword, property, reader)
        }
      } catch {
        throw error.within(key.string)
      }
    }
  }

  var reader: ValueReader<WrittenValues> { ValueReader(source: WrittenValues()) }

  /// Compiles the expressions of all strings in `value` that have bindings; whether there are any.
  private mutating func noteDynamic(_ value: JSONValue) throws(CellError) -> Bool {
    if let text = value.string {
      guard Self.isDynamic(text) else { return false }
      templates.dynamicStrings[value.index] = try expression(text)
      return true
    }
    var dynamic = false
    try value.forEachElement { (position, element) throws(CellError) in
      do throws(CellError) { if try noteDynamic(element) { dynamic = true } } catch {
        throw error.within("\(position)")
      }
    }
    try value.forEachMember { (key, member) throws(CellError) in
      do throws(CellError) { if try noteDynamic(member) { dynamic = true } } catch { throw error.within(key.string) }
    }
    return dynamic
  }

  private mutating func compileChildren(
    _ value: JSONValue, _ type: ElementType, _ index: Int32
  ) throws(CellError) {
    for key in type.childKeys {
      guard let content = value.member(key.bytes) else {
        if key == .children || key == .layout { continue }
        throw CellError("needs \(key == .child ? "a child" : "an element as its \(key.name)")")
      }
      guard key == .children else {
        _ = try within(key.name) { (compiler) throws(CellError) in
          try compiler.compileElement(content, parent: index, role: key, position: absent)
        }
        continue
      }
      guard content.kind == .array else { throw wrongType(content, "a list of elements").within(key.name) }
      try content.forEachElement { (position, child) throws(CellError) in
        do throws(CellError) {
          _ = try compileElement(child, parent: index, role: key, position: Int32(position))
        } catch {
          throw error.within("\(position)").within(key.name)
        }
      }
    }
  }

  func unknownProperty(_ key: ByteString, _ type: ElementType) -> CellError {
    let name = key.string
    if Keyword.named(key).map({ Keyword.ofStyle.contains($0) }) == true {
      return CellError("belongs in the style: style: {\(name): …}").within(name)
    }
    return CellError(
      "is not a property of \(type.name)\(didYouMean(name, among: type.keys.map(\.name)))"
    ).within(name)
  }
}
