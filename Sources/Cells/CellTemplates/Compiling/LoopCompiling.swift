import Buffers

/// The compilation of `forEach`, `as` and `limit`, which repeat an element or a run for each item of an array.
extension TemplateCompiler {
  /// Opens the loop of an element or a run, and returns the loop's index, or `absent` for an element without a loop.
  mutating func compileLoop(_ value: JSONValue, role: Keyword) throws(CellError) -> Int32 {
    guard let each = value.member("forEach") else {
      guard value.member("as") == nil else { throw CellError("belongs to a forEach").within("as") }
      guard value.member("limit") == nil else { throw CellError("belongs to a forEach").within("limit") }
      return absent
    }
    guard role == .children || role == .runs else {
      throw CellError(
        "repeats an element, but here is room for one (\(role.name)); put it into the children of a stack, absolute, "
          + "static or wrapper"
      ).within("forEach")
    }
    guard let field = each.string else { throw wrongType(each, "the name of an array field").within("forEach") }
    let variable = try loopVariable(value)
    let limit = try reader.member("limit", of: value, reader.count) ?? .max
    return try within("forEach") { (compiler) throws(CellError) in
      try compiler.openLoop(over: field, variable, limit: limit)
    }
  }

  /// Opens a loop over an array field, and returns its index.
  mutating func openLoop(
    over field: ByteString, _ variable: ByteString, limit: Int32 = .max, isRequired: Bool = false
  ) throws(CellError) -> Int32 {
    guard loopVariables.count < Self.maxLoops else { throw CellError("is nested more than \(Self.maxLoops) deep") }
    let path = try path(field.withoutBraces)
    let loop = templates.loops.add(
      Loop(path: path, variable: variable, limit: limit, outer: openLoops.last ?? absent, isRequired: isRequired))
    loopVariables.append(variable)
    openLoops.append(loop)
    return loop
  }

  mutating func closeLoop() {
    loopVariables.removeLast()
    openLoops.removeLast()
  }

  private func loopVariable(_ value: JSONValue) throws(CellError) -> ByteString {
    guard let name = value.member("as") else { return ByteString("item") }
    guard let given = name.string, !given.isEmpty else { throw wrongType(name, "a name").within("as") }
    guard !given.contains(UInt8(ascii: ".")), !Self.isDynamic(given) else {
      throw CellError("is \"\(given.excerpt)\", but a name has neither dots nor braces").within("as")
    }
    return given
  }
}
