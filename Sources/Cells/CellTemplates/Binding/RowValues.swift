import Buffers

/// The values of one row, to which the bindings, conditions and loops of templates refer.
struct RowValues: ValueSource {
  static var ignoresNullMembers: Bool { true }

  /// The templates that are bound. They outlive the binding.
  let templates: UnsafePointer<Templates>
  let row: JSONValue
  /// The value of each slot of the program, or nil if the row lacks the field.
  let slots: UnsafePointer<JSONValue?>
  /// The current item of each open `forEach`.
  let items: UnsafePointer<JSONValue>
  /// The values that are not of the row.
  let layout: UnsafePointer<LayoutValues>
  let arena: UnsafeMutablePointer<ByteArena>

  /// Returns the row's value at a path, or nil if there is none.
  func value(at path: Int32) -> JSONValue? {
    let path = templates.pointee.paths.base + Int(path)
    let value: JSONValue
    switch path.pointee.root {
    case .slot(let slot):
      guard let noted = slots[Int(slot)] else { return nil }
      value = noted
    case .field(let key):
      guard let found = row.member(key) else { return nil }
      value = found
    case .item(let depth): value = items[Int(depth)]
    case .constraint(let number): return layout.pointee.constraint(number, row.strings)
    case .text(let query):
      return layout.pointee.result(of: templates.pointee.textQueries[Int(query)], row.strings)
    }
    return templates.pointee.value(at: path.pointee.components, within: value)
  }

  /// Returns the value of a binding, or nil if the binding is optional and the field absent or null.
  @inline(__always)
  private func bound(_ piece: Piece) throws(CellError) -> JSONValue? {
    if piece.formula.count > 0 { return try calculated(piece.formula) }
    let found = value(at: piece.path)
    if let found, !(piece.isOptional && found.isNull) { return found }
    if piece.isOptional { return nil }
    throw missingField(piece.path)
  }

  @inline(__always)
  func resolve(_ written: JSONValue) throws(CellError) -> JSONValue? {
    let dependent = templates.pointee.dependent(of: written)
    return dependent == absent ? written : try value(of: dependent)
  }

  /// Returns the row's own value for a value that depends on the row, or nil for an optional binding to an absent
  /// field.
  func value(of dependent: Int32) throws(CellError) -> JSONValue? {
    switch templates.pointee.dependents[Int(dependent)] {
    case .choice(let choice):
      guard let branch = holds(choice.condition) ? choice.then : choice.otherwise else { return nil }
      return try resolve(branch)
    case .expression(let index):
      let expression = templates.pointee.expressions[Int(index)]
      if expression.isWholeBinding { return try bound(templates.pointee.pieces[Int(expression.pieces.first)]) }
      let text = try interpolate(expression)
      withUnsafeBytes(of: UInt32(text.count)) { arena.pointee.append($0.assumingMemoryBound(to: UInt8.self)) }
      arena.pointee.append(text.bytes)
      return JSONValue(tape: Self.stringTape, strings: arena.pointee.finish().start, index: 0)
    }
  }

  /// Returns the text of an expression. Absent optional fields are empty.
  func text(_ index: Int32) throws(CellError) -> ByteString {
    let expression = templates.pointee.expressions[Int(index)]
    if let choice = expression.choice {
      guard let value = try resolve(choice) else { return .empty }
      if let string = value.string { return string }
      try append(value, of: nil)
      return arena.pointee.finish()
    }
    if expression.pieces.count == 1 {
      let piece = templates.pointee.pieces[Int(expression.pieces.first)]
      if piece.isLiteral { return piece.literal }
      guard let value = try bound(piece) else { return .empty }
      if let string = value.string { return string }
    }
    return try interpolate(expression)
  }

  private func interpolate(_ expression: Expression) throws(CellError) -> ByteString {
    for index in expression.pieces.range {
      let piece = templates.pointee.pieces[index]
      if piece.isLiteral {
        try append(piece.literal)
      } else if let value = try bound(piece) {
        try append(value, of: piece.path)
      }
    }
    return arena.pointee.finish()
  }

  /// Appends the text of a value.
  ///
  /// - Parameter path: The path of its field, or nil for a value that is chosen by a condition.
  private func append(_ value: JSONValue, of path: Int32?) throws(CellError) {
    switch value.kind {
    case .string: if let string = value.string { try append(string) }
    case .integer: arena.pointee.append(value.integer ?? 0)
    case .unsigned: arena.pointee.append(value.unsigned)
    case .double: arena.pointee.append("\(value.number ?? 0)")
    case .boolean: arena.pointee.append(value.boolean == true ? "true" : "false")
    case .object, .array, .null:
      _ = arena.pointee.finish()
      throw noText(value, path)
    }
  }

  /// Appends a string to the one that is composed, unless the strings of the row are then longer than all of them may be.
  @inline(__always)
  private func append(_ string: ByteString) throws(CellError) {
    guard arena.pointee.size + string.count <= RowBinder.maxStringBytes else {
      _ = arena.pointee.finish()
      throw RowBinder.tooManyStringBytes
    }
    arena.pointee.append(string.bytes)
  }

  // A tape of one word, `"` with the offset 0: the string at the start of the strings. It is never changed.
  nonisolated(unsafe) private static let stringTape: UnsafePointer<UInt64> = {
    let word = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
    word.initialize(to: UInt64(UInt8(ascii: "\"")) << 56)
    return UnsafePointer(word)
  }()
}
