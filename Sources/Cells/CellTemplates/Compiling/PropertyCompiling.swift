import Buffers
import LayoutEngine

/// The compilation of elements' properties: constants are read into a draft, and properties that depend on the row
/// become patches of the draft.
extension TemplateCompiler {
  var reader: ValueReader<WrittenValues> { WrittenValues.reader }

  /// Compiles all properties of an element, except those that contain elements, and returns the draft.
  mutating func compileProperties(
    _ value: JSONValue, _ type: ElementType, _ index: Int32
  ) throws(CellError) -> ElementDraft {
    var draft = ElementDraft(generation)
    var hasStyle = false
    let firstPatch = templates.patches.count
    try value.forEachMember { (key, property) throws(CellError) in
      try attempt(key.string) { (compiler) throws(CellError) in
        guard let keyword = Keyword.named(key), type.keys.all.contains(keyword) else {
          throw compiler.unknownProperty(key, type)
        }
        try compiler.checkGeneration(of: keyword, type.keys)
        if keyword == .style { hasStyle = true }
        try compiler.compileProperty(keyword, property, of: type, at: index, &draft, firstPatch)
      }
    }
    try checkCombination(value, type)
    finish(index, draft, of: type, firstPatch: firstPatch, hasStyle: hasStyle)
    return draft
  }

  /// Sets the patches, the values and the style of an element.
  mutating func finish(
    _ index: Int32, _ draft: ElementDraft, of type: ElementType, firstPatch: Int, hasStyle: Bool
  ) {
    let element = templates.elements.base + Int(index)
    let patches = templates.patches.count - firstPatch
    element.pointee.patches = BufferRange(first: Int32(firstPatch), count: Int32(patches))
    if patches > 0 { element.pointee.draft = templates.drafts.add(draft) }
    element.pointee.element = draft.element(of: type)
    if hasStyle { element.pointee.style = templates.styles.add(draft.finishedStyle(of: type)) }
  }

  private mutating func compileProperty(
    _ keyword: Keyword, _ property: JSONValue, of type: ElementType, at index: Int32, _ draft: inout ElementDraft,
    _ firstPatch: Int
  ) throws(CellError) {
    switch keyword {
    case .id: templates.elements.base[Int(index)].name = try elementName(property)
    case .when: templates.elements.base[Int(index)].when = try condition(property)
    case .url: templates.elements.base[Int(index)].url = try expression(of: property)
    case .posterUrl: templates.elements.base[Int(index)].poster = try expression(of: property)
    case .style: try compileStyle(property, &draft, firstPatch)
    // These are read where the text, its runs, the loop or the elements are compiled.
    case .type, .forEach, .as, .limit, .text, .runs, .marks, .title, .images: break
    case .child, .children, .overlay, .background, .corner, .layout: break
    // The other properties of a button are those of its parts.
    case _ where type == .button && keyword != .layoutDirection: break
    default: try compile(keyword, as: keyword, property, of: type, &draft, firstPatch: firstPatch)
    }
  }

  private func elementName(_ property: JSONValue) throws(CellError) -> ByteString {
    guard let name = property.string, !name.isEmpty else { throw wrongType(property, "a name") }
    guard !Self.isDynamic(name) else {
      throw CellError(
        "is \"\(name.excerpt)\", but an id is the same for all rows; inside forEach the item's number is added to it")
    }
    return name
  }

  private mutating func compileStyle(
    _ value: JSONValue, _ draft: inout ElementDraft, _ firstPatch: Int
  ) throws(CellError) {
    guard value.isObject else { throw wrongType(value, "an object such as {width: 40}") }
    if value.member("if") != nil {
      throw CellError("is not chosen as a whole; put the condition on each property: {width: {if: a, then: 40}}")
    }
    try value.forEachMember { (key, property) throws(CellError) in
      try attempt(key.string) { (compiler) throws(CellError) in
        guard let keyword = Keyword.named(key), Keyword.ofStyle.all.contains(keyword) else {
          throw compiler.unknown(key.string, "is not a style property", among: Keyword.ofStyle.all.map(\.name))
        }
        try compiler.checkGeneration(of: keyword, Keyword.ofStyle)
        try compiler.compile(keyword, as: keyword, property, of: .spec, &draft, firstPatch: firstPatch)
      }
    }
  }

  /// Reads a property into a draft. A value that depends on the row becomes a patch, and its constants are checked.
  ///
  /// - Parameter firstPatch: the first patch of the same draft.
  mutating func compile(
    _ keyword: Keyword, as written: Keyword, _ value: JSONValue, of type: ElementType, _ draft: inout ElementDraft,
    firstPatch: Int
  ) throws(CellError) {
    if keyword == .layoutDirection { templates.statesDirections = true }
    guard try noteRowDependent(value) else {
      try draft.read(keyword, of: type, value, reader, fonts: fonts, sizes: &templates.sizes)
      // If several properties set the same size, the last one counts. A constant after a patch is therefore a patch,
      // too.
      if let size = keyword.size,
        (firstPatch..<templates.patches.count).contains(where: { templates.patches[$0].keyword.size == size })
      {
        appendPatch(keyword, written, value)
      }
      return
    }
    appendPatch(keyword, written, value)
    // A mistake in a constant that the conditions can choose is an error of the cells file and not of each row.
    try value.forEachBranch { (branch) throws(CellError) in try checkConstantParts(keyword, branch, of: type) }
  }

  /// Compiles a property of a cell class. A constant has no row-dependent value.
  mutating func cellProperty(_ keyword: Keyword, _ value: JSONValue) throws(CellError) -> Patch {
    var draft = ElementDraft(generation)
    let count = templates.patches.count
    try compile(keyword, as: keyword, value, of: .node, &draft, firstPatch: count)
    templates.patches.truncate(to: count)
    return Patch(keyword, writtenAs: keyword, value: value, dependent: templates.dependent(of: value))
  }

  private mutating func appendPatch(_ keyword: Keyword, _ written: Keyword, _ value: JSONValue) {
    templates.patches.append(
      Patch(keyword, writtenAs: written, value: value, dependent: templates.dependent(of: value)))
  }

  /// Reads a property as if its bindings were absent: once with the values of every `then` in its parts, and once with
  /// those of every `else`.
  private func checkConstantParts(_ keyword: Keyword, _ value: JSONValue, of type: ElementType) throws(CellError) {
    let (fonts, generation) = (fonts, generation)
    for takesThen in [true, false] {
      let result = withUnsafePointer(to: templates) { templates in
        Result { () throws(CellError) in
          var draft = ElementDraft(generation)
          var sizes = FlatBuffer<Size>()
          let reader = ValueReader(source: ConstantParts(templates: templates, takesThen: takesThen))
          try draft.read(keyword, of: type, value, reader, fonts: fonts, sizes: &sizes)
        }
      }
      try result.get()
    }
  }

  /// Compiles the bindings and conditions of all values in `value`, and returns whether there are any.
  mutating func noteRowDependent(_ value: JSONValue) throws(CellError) -> Bool {
    if let text = value.string {
      guard Self.isDynamic(text) else { return false }
      templates.note(value, as: .expression(try expression(text)))
      return true
    }
    if value.member("if") != nil {
      templates.note(value, as: .choice(try choice(value)))
      return true
    }
    var depends = false
    try value.forEachElement { (position, element) throws(CellError) in
      try within("\(position)") { (compiler) throws(CellError) in
        if try compiler.noteRowDependent(element) { depends = true }
      }
    }
    try value.forEachMember { (key, member) throws(CellError) in
      try within(key.string) { (compiler) throws(CellError) in
        if try compiler.noteRowDependent(member) { depends = true }
      }
    }
    return depends
  }

  /// Compiles a value by condition: `{if: mine, then: end, else: start}`.
  private mutating func choice(_ value: JSONValue) throws(CellError) -> Choice {
    var choice = Choice(condition: absent, then: value, otherwise: nil)
    var hasThen = false
    try value.forEachMember { (key, member) throws(CellError) in
      try within(key.string) { (compiler) throws(CellError) in
        switch key {
        case ByteString("if"): choice.condition = try compiler.condition(member)
        case ByteString("then"):
          hasThen = true
          choice.then = member
          _ = try compiler.noteRowDependent(member)
        case ByteString("else"):
          choice.otherwise = member
          _ = try compiler.noteRowDependent(member)
        default:
          throw CellError(
            "is not a part of a value by condition\(didYouMean(key.string, among: ["if", "then", "else"]))"
              + "; it has if, then and else")
        }
      }
    }
    guard hasThen else { throw CellError("needs then: {if: mine, then: end, else: start}") }
    return choice
  }

  /// Throws an error for properties that exclude each other.
  private mutating func checkCombination(_ value: JSONValue, _ type: ElementType) throws(CellError) {
    if type == .node, value.member("layout") != nil, value.member("calculatedSize") != nil {
      try note(
        CellError("has both layout and calculatedSize, but a node's size comes from one of them; leave one out")
          .within("calculatedSize"))
    }
    if type == .ratio, value.member("ratio") == nil { try note(CellError("needs a ratio (height over width)")) }
  }

  private func unknownProperty(_ key: ByteString, _ type: ElementType) -> CellError {
    if let keyword = Keyword.named(key), Keyword.ofStyle.all.contains(keyword) {
      return CellError("belongs in the style: style: {\(keyword.name): …}")
    }
    return unknown(key.string, "is not a property of \(type.name)", among: type.keys.all.map(\.name))
  }

  /// Returns the error for an unknown property. Advice on a name of another framework takes precedence over a similar
  /// spelling.
  private func unknown(_ name: String, _ message: String, among known: [String]) -> CellError {
    if name == "aspectRatio" && known.contains("ratio") { return CellError("\(message); write ratio") }
    if let remedy = ForeignNames.properties[name] { return CellError("\(message); \(remedy)") }
    return CellError(message + didYouMean(name, among: known))
  }
}

extension JSONValue {
  /// Calls `body` with the branches of a value by condition and of those inside it, or with another value itself.
  func forEachBranch(_ body: (JSONValue) throws(CellError) -> Void) throws(CellError) {
    guard member("if") != nil else { return try body(self) }
    for (key, branch) in [("then", member("then")), ("else", member("else"))] {
      guard let branch else { continue }
      do throws(CellError) { try branch.forEachBranch(body) } catch { throw error.within(key) }
    }
  }
}

/// The values of a template without a row. A binding is absent.
private struct ConstantParts: ValueSource {
  static var ignoresNullMembers: Bool { false }

  let templates: UnsafePointer<Templates>
  let takesThen: Bool

  func resolve(_ written: JSONValue) throws(CellError) -> JSONValue? {
    let dependent = templates.pointee.dependent(of: written)
    guard dependent != absent else { return written }
    switch templates.pointee.dependents[Int(dependent)] {
    case .expression: return nil
    case .choice(let choice):
      guard let branch = takesThen ? choice.then : choice.otherwise else { return nil }
      return try resolve(branch)
    }
  }
}
