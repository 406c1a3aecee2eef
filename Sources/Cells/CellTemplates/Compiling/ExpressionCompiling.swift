import Buffers

/// The compilation of strings with bindings: `"{caption}"`, `"{likes} likes"`, `"{photo.size?}"`, `"{width / 2}"`, with `{{` and
/// `}}` for braces.
extension TemplateCompiler {
  /// Returns whether a string has bindings or escaped braces, so that it is evaluated for each row.
  static func isDynamic(_ text: ByteString) -> Bool {
    text.contains(UInt8(ascii: "{")) || text.contains(UInt8(ascii: "}"))
  }

  /// Compiles a text, which is a string or a value by condition, and returns the index of its expression.
  mutating func expression(of value: JSONValue) throws(CellError) -> Int32 {
    if let text = value.string { return try expression(text) }
    guard value.member("if") != nil else { throw wrongType(value, "a string") }
    _ = try noteRowDependent(value)
    try value.forEachBranch { (text) throws(CellError) in
      if text.string == nil { throw wrongType(text, "a string") }
    }
    return templates.expressions.add(Expression(choice: value))
  }

  /// Compiles a string, also one without bindings, and returns the index of its expression.
  mutating func expression(_ text: ByteString) throws(CellError) -> Int32 {
    var pieces = BufferRange(first: Int32(templates.pieces.count))
    var index = 0
    var literalStart = 0
    while index < text.count {
      let byte = text[index]
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") {
        if index + 1 < text.count && text[index + 1] == byte {
          // The brace is doubled: one of the two is kept.
          appendLiteral(text.slice(literalStart, index + 1))
          index += 2
          literalStart = index
          continue
        }
        guard byte == UInt8(ascii: "{") else {
          throw CellError("has a } without a {; write }} for a brace")
        }
        appendLiteral(text.slice(literalStart, index))
        guard let close = text.slice(index, text.count).bytes.firstIndex(of: UInt8(ascii: "}")) else {
          throw CellError("has a { without a }; write {{ for a brace")
        }
        templates.pieces.append(try binding(text.slice(index + 1, index + close)))
        index += close + 1
        literalStart = index
      } else {
        index += 1
      }
    }
    appendLiteral(text.slice(literalStart, text.count))
    pieces.count = Int32(templates.pieces.count) - pieces.first
    let isWhole = pieces.count == 1 && !templates.pieces[Int(pieces.first)].isLiteral
    return templates.expressions.add(Expression(pieces: pieces, isWholeBinding: isWhole))
  }

  private mutating func appendLiteral(_ text: ByteString) {
    if !text.isEmpty { templates.pieces.append(Piece(literal: text, path: absent, isOptional: false)) }
  }

  private mutating func binding(_ written: ByteString) throws(CellError) -> Piece {
    var inner = written.trimmed
    _ = try textQuery(inner, isCondition: false)
    if Self.isFormula(inner), slots == nil || Operators.remedy(for: inner.string, isCondition: false) == nil {
      return Piece(literal: .empty, path: absent, isOptional: false, formula: try formula(inner))
    }
    let isOptional = inner.hasSuffix(UInt8(ascii: "?"))
    if isOptional { inner = inner.slice(0, inner.count - 1).trimmed }
    return Piece(literal: .empty, path: try path(inner), isOptional: isOptional)
  }

  /// Compiles a field path such as `photo.size` or, inside a `forEach`, `comment.text`, and returns its index.
  mutating func path(_ written: ByteString, isCondition: Bool = false) throws(CellError) -> Int32 {
    if let query = try textQuery(written, isCondition: isCondition) { return addPath(query, BufferRange(), written) }
    if isCondition && Self.isFormula(written) {
      throw CellError(
        "\"\(written.excerpt)\" is a formula, but a condition tests a field; add its result to the rows as a field")
    }
    // The layout of a row is compiled for every row, so that this check would be too slow.
    if slots != nil, let remedy = Operators.remedy(for: written.string, isCondition: isCondition) {
      throw CellError("\"\(written.excerpt)\" is not a field; there are no operators: write \(remedy)")
    }
    guard !Self.isDynamic(written) else {
      throw CellError("\"\(written.excerpt)\" is not the name of a field, which has no braces")
    }
    var first: ByteString?
    var rest = BufferRange(first: Int32(templates.components.count))
    var start = 0
    for index in 0...written.count where index == written.count || written[index] == UInt8(ascii: ".") {
      guard index > start else {
        throw CellError("\"{\(written.excerpt)}\" is not a binding: a binding is a field such as {photo.size}")
      }
      let component = written.slice(start, index)
      if first == nil {
        first = component
      } else {
        templates.components.append(PathComponent(key: component, index: Int(component.string) ?? -1))
        rest.count += 1
      }
      start = index + 1
    }
    let key = first ?? written
    let root: FieldPath.Root
    if let depth = loopVariables.lastIndex(of: key) {
      root = .item(Int32(depth))
    } else if key == ByteString("constrainedSize") {
      root = .constraint(try constraint(written))
      templates.readsConstraint = true
      rest.count = 0
    } else {
      root = fieldRoot(key)
    }
    return addPath(root, rest, written)
  }

  private mutating func addPath(_ root: FieldPath.Root, _ components: BufferRange, _ written: ByteString) -> Int32 {
    templates.paths.add(
      FieldPath(
        root: root, components: components, written: written, element: currentElement, loop: openLoops.last ?? absent))
  }

  private func constraint(_ written: ByteString) throws(CellError) -> Int32 {
    switch written.string {
    case "constrainedSize.min.width": return 0
    case "constrainedSize.min.height": return 1
    case "constrainedSize.max.width": return 2
    case "constrainedSize.max.height": return 3
    default:
      throw CellError(
        "\"{\(written.excerpt)}\" is not part of the constrained size; write {constrainedSize.max.width} or min, "
          + "height")
    }
  }
}

extension ByteString {
  /// The text without spaces at its beginning and end.
  var trimmed: ByteString {
    var first = 0
    var end = count
    while first < end && self[first] == UInt8(ascii: " ") { first += 1 }
    while end > first && self[end - 1] == UInt8(ascii: " ") { end -= 1 }
    return slice(first, end)
  }
}
