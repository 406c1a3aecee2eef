import Buffers
import LayoutEngine

/// A compiler of elements in cells files and inline layouts to templates.
struct TemplateCompiler: ~Copyable {
  /// The largest depth of elements inside each other.
  static let maxDepth = 256
  /// The largest depth of `forEach`es inside each other.
  static let maxLoops = 8

  var templates = Templates()
  let fonts: FontTable
  /// The generation of AsyncDisplayKit whose names and defaults the elements have.
  let generation: LayoutGeneration
  /// The keys of rows that templates use, by their slots; nil for an inline layout, which has one row.
  private(set) var slots: [ByteString]?
  /// The variables and indices of the `forEach`es around the element that is being compiled.
  var loopVariables: [ByteString] = []
  var openLoops: [Int32] = []
  /// The element that is being compiled.
  var currentElement = absent
  /// Whether mistakes are collected, so that all those of a cells file are found in one run. Otherwise the first
  /// mistake ends the compilation.
  private let notesMistakes: Bool
  private(set) var mistakes: [CellError] = []
  private var depth = 0

  init(fonts: FontTable, generation: LayoutGeneration, slots: [ByteString]?, notesMistakes: Bool = false) {
    self.fonts = fonts
    self.generation = generation
    self.slots = slots
    self.notesMistakes = notesMistakes
  }

  /// Removes everything that was compiled.
  mutating func removeAll() {
    templates.removeAll()
    loopVariables.removeAll()
    openLoops.removeAll()
    currentElement = absent
    depth = 0
  }

  /// Compiles one cell's `layout`. That of a row has neither a name nor a direction.
  mutating func compile(
    _ layout: JSONValue, named name: ByteString = .empty, _ direction: Patch? = nil
  ) throws(CellError) -> CellClass {
    let queries = templates.textQueries.count
    let root = try within("layout") { (compiler) throws(CellError) in
      try compiler.compileElement(layout, parent: absent, role: .layout, position: absent)
    }
    let added = templates.textQueries.count - queries
    if added > 0 { try resolveTextQueries(from: queries, in: root) }
    return CellClass(
      name: name, root: root, layoutDirection: direction,
      textQueries: BufferRange(first: Int32(queries), count: Int32(added)), readsConstraint: templates.readsConstraint)
  }

  /// Puts `component` in front of the paths of the mistakes that are found in `body`.
  mutating func within<Result>(
    _ component: @autoclosure () -> String, _ body: (inout Self) throws(CellError) -> Result
  ) throws(CellError) -> Result {
    let noted = mistakes.count
    defer { for index in noted..<mistakes.count { mistakes[index] = mistakes[index].within(component()) } }
    do throws(CellError) { return try body(&self) } catch { throw error.within(component()) }
  }

  /// Does what `within` does, but collects a mistake, so that the other parts are compiled too.
  mutating func attempt(
    _ component: @autoclosure () -> String, _ body: (inout Self) throws(CellError) -> Void
  ) throws(CellError) {
    do throws(CellError) { try within(component(), body) } catch { try note(error) }
  }

  /// Collects a mistake, or throws it if the first mistake ends the compilation.
  mutating func note(_ mistake: CellError) throws(CellError) {
    guard notesMistakes else { throw mistake }
    mistakes.append(mistake)
  }

  /// Removes the mistakes from an index on, because they were collected before.
  mutating func forgetMistakes(from first: Int) { mistakes.removeSubrange(first...) }

  mutating func fieldRoot(_ key: ByteString) -> FieldPath.Root {
    guard let known = slots else { return .field(key) }
    if let slot = known.firstIndex(of: key) { return .slot(Int32(slot)) }
    slots = known + [key]
    return .slot(Int32(known.count))
  }

  private mutating func compileElement(
    _ value: JSONValue, parent: Int32, role: Keyword, position: Int32
  ) throws(CellError) -> Int32 {
    guard value.isObject else { throw wrongType(value, "an element, such as {type: text, …}") }
    depth += 1
    let outer = currentElement
    defer {
      depth -= 1
      currentElement = outer
    }
    guard depth <= Self.maxDepth else {
      throw CellError("is nested more than \(Self.maxDepth) elements deep")
    }
    let type: ElementType
    do throws(CellError) { type = try elementType(value) } catch {
      try note(error)
      try compileElementsInside(value)
      return absent
    }
    let index = templates.elements.add(
      TemplateElement(element: .spec, type: type, parent: parent, role: role, position: position))
    currentElement = index
    let loop = try compileLoop(value, role: role)
    defer { if loop != absent { closeLoop() } }
    templates.elements.base[Int(index)].loop = loop

    let draft = try compileProperties(value, type, index)
    if type == .text { templates.elements.base[Int(index)].text = try compileText(draft.text, value) }
    if let images = value.member("images") {
      try attempt("images") { (compiler) throws(CellError) in try compiler.compileImages(images, of: index) }
    }
    switch type {
    case .button: try compileButton(value, at: index)
    case .scroll: try compileScrollContent(value, of: index)
    default: try compileContent(value, type, index)
    }
    templates.elements.base[Int(index)].end = Int32(templates.elements.count)
    return index
  }

  /// Compiles the elements inside an element of an unknown type, only to find the mistakes in them.
  private mutating func compileElementsInside(_ value: JSONValue) throws(CellError) {
    for key in Keyword.ofTypes.ofElements {
      if let content = value.member(key.bytes) { try compileElements(content, key, of: absent) }
    }
  }

  private func elementType(_ value: JSONValue) throws(CellError) -> ElementType {
    guard let type = value.member("type") else {
      if value.member("if") != nil {
        throw CellError("needs a type; elements are chosen with when: give each its condition")
      }
      if value.member("<<") != nil { throw CellError("needs a type; merge keys (<<) are not read: use a template") }
      if value.member("use") != nil { throw CellError("uses a template, but only cells files have templates") }
      throw CellError("needs a type, such as stack or text")
    }
    guard let name = type.string else { throw wrongType(type, "the name of an element type").within("type") }
    guard let known = ElementType.named(name) else { throw unknownType(name.string).within("type") }
    try checkGeneration(of: known)
    return known
  }

  private func unknownType(_ name: String) -> CellError {
    if name.contains("{") {
      return CellError(
        "is \"\(name.excerpt)\", but a type cannot depend on the row; give each element its condition with when:")
    }
    if let meant = ForeignNames.elementType(for: name) {
      return CellError("\"\(name)\" is not an element type; write \(meant)")
    }
    return CellError("\"\(name.excerpt)\" is not an element type\(didYouMean(name, among: ElementType.names))")
  }

  /// Compiles the images of a multiplex image: a list of {url, width, height}, or a field with one.
  private mutating func compileImages(_ images: JSONValue, of index: Int32) throws(CellError) {
    // It is no patch of the element's draft, because it changes no property.
    _ = try noteRowDependent(images)
    let dependent = templates.dependent(of: images)
    guard dependent != absent || images.kind == .array else {
      throw wrongType(images, "\(ImageList.expected), or a field with one")
    }
    try images.forEachBranch { (list) throws(CellError) in
      try list.forEachElement { (position, image) throws(CellError) in
        // What depends on the row is checked when it is bound.
        guard image.member("if") == nil, image.string.map(Self.isDynamic) != true else { return }
        try reader.within("\(position)") { () throws(CellError) in try checkImage(image) }
      }
    }
    let patch = Patch(.images, writtenAs: .images, value: images, dependent: dependent)
    templates.elements.base[Int(index)].images = templates.patches.add(patch)
  }

  private func checkImage(_ image: JSONValue) throws(CellError) {
    guard image.isObject else { throw wrongType(image, "an object {url, width, height}") }
    try image.forEachMember { (key, value) throws(CellError) in
      try reader.within(key.string) { () throws(CellError) in
        let known = ["url", "width", "height"]
        guard known.contains(key.string) else {
          throw CellError("is not a part of an image\(didYouMean(key.string, among: known))")
        }
        // What depends on the row is checked when it is bound.
        if value.member("if") != nil || value.string.map(Self.isDynamic) == true { return }
        if key.string == "url" { _ = try reader.string(value) } else { _ = try reader.count(value) }
      }
    }
    guard image.member("url") != nil else { throw CellError("needs a url") }
  }

  /// Compiles the layout of a scroll node, which is that of a node inside it: its content.
  private mutating func compileScrollContent(_ value: JSONValue, of scroll: Int32) throws(CellError) {
    var content = TemplateElement(element: .node, type: .node, parent: scroll)
    content.isSynthetic = true
    let index = templates.elements.add(content)
    try compileContent(value, .node, index)
    templates.elements.base[Int(index)].end = Int32(templates.elements.count)
  }

  /// Compiles the elements inside an element.
  private mutating func compileContent(_ value: JSONValue, _ type: ElementType, _ index: Int32) throws(CellError) {
    let readsConstraint = templates.readsConstraint
    templates.readsConstraint = false
    try compileChildren(value, type, index)
    if type == .node {
      // Inside a node, constrainedSize is the node's.
      templates.elements.base[Int(index)].layoutReadsConstraint = templates.readsConstraint
      templates.readsConstraint = readsConstraint
    } else if readsConstraint {
      templates.readsConstraint = true
    }
  }

  private mutating func compileChildren(
    _ value: JSONValue, _ type: ElementType, _ index: Int32
  ) throws(CellError) {
    for key in type.keys.ofElements {
      guard let content = value.member(key.bytes) else {
        if key == .children || key == .layout { continue }
        try note(CellError("needs \(key == .child ? "a child" : "an element as its \(key.name)")"))
        continue
      }
      try compileElements(content, key, of: index)
    }
  }

  /// Compiles the element or the list of elements that a key of an element has.
  private mutating func compileElements(_ content: JSONValue, _ key: Keyword, of parent: Int32) throws(CellError) {
    try attempt(key.name) { (compiler) throws(CellError) in
      if key == .children { return try compiler.compileList(content, parent) }
      _ = try compiler.compileElement(content, parent: parent, role: key, position: absent)
    }
  }

  private mutating func compileList(_ content: JSONValue, _ parent: Int32) throws(CellError) {
    guard content.kind == .array else { throw wrongType(content, "a list of elements") }
    try content.forEachElement { (position, child) throws(CellError) in
      try attempt("\(position)") { (compiler) throws(CellError) in
        _ = try compiler.compileElement(child, parent: parent, role: .children, position: Int32(position))
      }
    }
  }
}
