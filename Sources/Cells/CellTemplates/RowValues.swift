import Buffers

/// The values of one row as templates see them: bindings, conditions, loops.
struct RowValues: ValueSource {
  /// The templates being bound; they outlive the binding.
  let templates: UnsafePointer<Templates>
  let row: JSONValue
  /// Value of each slot of the program, nil where the row lacks the field.
  let slots: UnsafePointer<JSONValue?>
  /// Item of each open `forEach`.
  let items: UnsafePointer<JSONValue>
  /// A tape with the four numbers of the constrained size.
  let constraints: UnsafePointer<UInt64>
  let arena: UnsafeMutablePointer<ByteArena>

  /// What the row has at a path; nil when it has nothing there.
  func value(at path: Int32) -> JSONValue? {
    let path = templates.pointee.paths.base + Int(path)
    var value: JSONValue
    switch path.pointee.root {
    case .slot(let slot):
      guard let noted = slots[Int(slot)] else { return nil }
      value = noted
    case .field(let key):
      guard let found = row.member(key) else { return nil }
      value = found
    case .item(let depth): value = items[Int(depth)]
    case .constraint(let number):
      return JSONValue(tape: constraints, strings: row.strings, index: Int(number) * 2)
    }
    for component in path.pointee.components.range {
      let component = templates.pointee.components.base + component
      let next =
        value.isObject
        ? value.member(component.pointee.key)
        : component.pointee.index >= 0 ? value.element(component.pointee.index) : nil
      guard let next else { return nil }
      value = next
    }
    return value
  }

  /// What a binding stands for: nil if it is optional and the field absent or null.
  private func bound(_ piece: Piece) throws(CellError) -> JSONValue? {
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

  /// What a value that depends on the row stands for; nil if it is an optional binding to an absent field.
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

  /// The text of an expression: absent optional fields are empty.
  func text(_ index: Int32) throws(CellError) -> ByteString {
    let expression = templates.pointee.expressions[Int(index)]
    if let choice = expression.choice {
      guard let value = try resolve(choice) else { return .empty }
      if let string = value.string { return string }
      try append(value, named: "then or else")
      return arena.pointee.finish()
    }
    if expression.pieces.count == 1 {
      let piece = templates.pointee.pieces[Int(expression.pieces.first)]
      if piece.path == absent { return piece.literal }
      guard let value = try bound(piece) else { return .empty }
      if let string = value.string { return string }
    }
    return try interpolate(expression)
  }

  private func interpolate(_ expression: Expression) throws(CellError) -> ByteString {
    for index in expression.pieces.range {
      let piece = templates.pointee.pieces[index]
      if piece.path == absent {
        arena.pointee.append(piece.literal.bytes)
      } else if let value = try bound(piece) {
        try append(value, named: "field \"\(templates.pointee.paths[Int(piece.path)].written.string)\"")
      }
    }
    return arena.pointee.finish()
  }

  private func append(_ value: JSONValue, named name: @autoclosure () -> String) throws(CellError) {
    switch value.kind {
    case .string: if let string = value.string { arena.pointee.append(string.bytes) }
    case .integer: arena.pointee.append(value.integer ?? 0)
    case .unsigned: arena.pointee.append(value.unsigned)
    case .double: arena.pointee.append("\(value.number ?? 0)")
    case .boolean: arena.pointee.append(value.boolean == true ? "true" : "false")
    case .object, .array, .null:
      _ = arena.pointee.finish()
      throw CellError("\(name()) is \(value.kindName), which is no text")
    }
  }

  func holds(_ index: Int32) -> Bool {
    let condition = templates.pointee.conditions[Int(index)]
    switch condition.test {
    case .holds: return value(at: condition.path).map(\.isSomething) ?? false
    case .equals(let other): return value(at: condition.path).map { $0.equals(other) } ?? false
    case .atLeast(let least): return value(at: condition.path)?.number.map { $0 >= least } ?? false
    case .below(let limit): return value(at: condition.path)?.number.map { $0 < limit } ?? false
    case .not: return !holds(index + 1)
    case .all, .any:
      var wanted = true
      if case .any = condition.test { wanted = false }
      var inner = index + 1
      while inner < condition.end {
        if holds(inner) != wanted { return !wanted }
        inner = templates.pointee.conditions[Int(inner)].end
      }
      return wanted
    }
  }

  // One word, `"` with offset 0: the string at the start of its strings. Never changed after it is made.
  nonisolated(unsafe) private static let stringTape: UnsafePointer<UInt64> = {
    let word = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
    word.initialize(to: UInt64(UInt8(ascii: "\"")) << 56)
    return UnsafePointer(word)
  }()
}

extension JSONValue {
  /// Whether a condition that only names the field holds: not null, false, "" or [].
  fileprivate var isSomething: Bool {
    switch kind {
    case .null: false
    case .boolean: boolean == true
    case .string: string?.isEmpty == false
    case .array: !isEmptyArray
    case .object, .integer, .unsigned, .double: true
    }
  }

  fileprivate func equals(_ other: JSONValue) -> Bool {
    if let a = number, let b = other.number { return a == b }
    if let a = string, let b = other.string { return a == b }
    if let a = boolean, let b = other.boolean { return a == b }
    return isNull && other.isNull
  }
}
