import Buffers

/// The errors for fields that a row lacks, and for values that are no texts.
extension RowValues {
  /// Returns the error of a row that lacks a field. It names the item of a `forEach` or the field that the author may
  /// have meant.
  func missingField(_ index: Int32) -> CellError {
    let path = templates.pointee.paths[Int(index)]
    let name = path.written.string
    if let meant = fieldOfItem(name, around: path) {
      return CellError("field \"\(name.excerpt)\" is missing, but the item has it; write {\(meant.excerpt)}")
    }
    let near = nearestField(to: name, path).map { " (did you mean \"\($0.excerpt)\"?)" } ?? ""
    return CellError("field \"\(name.excerpt)\" is missing\(near); write {\(name.excerpt)?} where it may be")
  }

  /// Returns the error of a value in a text that is an object, an array or null.
  ///
  /// - Parameter path: The path of its field, or nil for a value that is chosen by a condition.
  func noText(_ value: JSONValue, _ path: Int32?) -> CellError {
    guard let path else { return CellError("then or else is \(value.kindName), which is no text") }
    let name = templates.pointee.paths[Int(path)].written.excerpt
    let remedy = value.isNull ? "; write {\(name)?} where it may be null" : ""
    return CellError("field \"\(name)\" is \(value.kindName), which is no text\(remedy)")
  }

  /// Returns the field of a `forEach` item that the author may have meant: `reaction.emoji` for `emoji`, or `r.emoji`
  /// for `reaction.emoji` where the item is called r.
  private func fieldOfItem(_ name: String, around path: FieldPath) -> String? {
    if case .item = path.root { return nil }
    let parts = name.split(separator: ".").map(String.init)
    for (depth, loop) in templates.pointee.loops(from: path.loop).enumerated().reversed() {
      let variable = templates.pointee.loops[Int(loop)].variable.string
      if items[depth].member(named: parts[0]) != nil { return "\(variable).\(name)" }
      if parts.count > 1, items[depth].member(named: parts[1]) != nil {
        return ([variable] + parts.dropFirst()).joined(separator: ".")
      }
    }
    return nil
  }

  /// Returns the path with the component that the row lacks replaced by the most similar key at that level of the row.
  private func nearestField(to name: String, _ path: FieldPath) -> String? {
    let parts = name.split(separator: ".").map(String.init)
    var value = row
    var known = 0
    if case .item(let depth) = path.root {
      value = items[Int(depth)]
      known = 1
    }
    while known < parts.count, let next = value.member(named: parts[known]) {
      value = next
      known += 1
    }
    guard known < parts.count else { return nil }
    var keys: [String] = []
    value.forEachMember { key, _ in keys.append(key.string) }
    return suggestion(for: parts[known], among: keys).map {
      (parts.prefix(known) + [$0] + parts.dropFirst(known + 1)).joined(separator: ".")
    }
  }
}
