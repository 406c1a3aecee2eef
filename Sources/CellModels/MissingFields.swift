import Buffers

/// What is said of fields that a row does not have.
extension RowValues {
  /// The mistake of a row that lacks a field; it names the item of a `forEach` or the field that may be meant.
  func missingField(_ index: Int32) -> CellError {
    let path = templates.pointee.paths[Int(index)]
    let name = path.written.string
    if let variable = loopVariable(with: name, around: path) {
      return CellError("field \"\(name)\" is missing, but the item has it; write {\(variable).\(name)}")
    }
    var known: [String] = []
    row.forEachMember { key, _ in known.append(key.string) }
    if let near = suggestion(for: name, among: known) {
      return CellError("field \"\(name)\" is missing (did you mean \"\(near)\"?); write {\(name)?} where it may be")
    }
    return CellError("field \"\(name)\" is missing; write {\(name)?} where it may be")
  }

  /// The variable of the innermost `forEach` around a path whose present item has a field of this name.
  private func loopVariable(with name: String, around path: FieldPath) -> String? {
    if case .item = path.root { return nil }
    var loops: [Int32] = []
    var loop = path.loop
    while loop != absent {
      loops.append(loop)
      loop = templates.pointee.loops[Int(loop)].outer
    }
    let first = name.prefix { $0 != "." }
    for (nesting, loop) in loops.enumerated() {
      var hasField = false
      items[loops.count - 1 - nesting].forEachMember { key, _ in if key.string == first { hasField = true } }
      if hasField { return templates.pointee.loops[Int(loop)].variable.string }
    }
    return nil
  }
}
