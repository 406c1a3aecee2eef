import Buffers

/// The compilation of conditions: a path, `{field, equals | atLeast | below}`, `{not: …}`, `{all: […]}` or `{any:
/// […]}`.
extension TemplateCompiler {
  mutating func condition(_ value: JSONValue) throws(CellError) -> Int32 {
    let index = templates.conditions.count
    if let text = value.string {
      let path = try path(text.withoutBraces, isCondition: true)
      try checkTests([], of: path, text)
      templates.conditions.append(Condition(test: .holds, path: path))
    } else if value.isObject {
      try conditionObject(value)
    } else {
      throw wrongType(value, "a field or a condition such as {field: likes, atLeast: 1}")
    }
    templates.conditions.base[index].end = Int32(templates.conditions.count)
    return Int32(index)
  }

  /// Checks that the number of a text's lines is compared, and that whether a text is truncated is not compared with a number.
  private func checkTests(_ tests: [Condition.Test], of path: Int32, _ name: ByteString) throws(CellError) {
    guard case .text(let query) = templates.paths[Int(path)].root else { return }
    let name = name.excerpt
    let isNumber = templates.textQueries[Int(query)].kind == .lineCount
    if isNumber && tests.isEmpty {
      throw CellError("\(name) is a number; compare it: {field: \(name), atLeast: 3}")
    }
    let comparesNumbers = tests.contains {
      switch $0 {
      case .atLeast, .below: true
      default: false
      }
    }
    if !isNumber && comparesNumbers {
      throw CellError("\(name) is true or false; write \(name) or {not: \(name)}")
    }
  }

  private mutating func conditionObject(_ value: JSONValue) throws(CellError) {
    if let inner = value.member("not") {
      try checkKeys(of: value, ["not"])
      templates.conditions.append(Condition(test: .not))
      _ = try within("not") { (compiler) throws(CellError) in try compiler.condition(inner) }
      return
    }
    for (name, test) in [("all", Condition.Test.all), ("any", Condition.Test.any)] {
      guard let inner = value.member(ByteString(name == "all" ? "all" : "any")) else { continue }
      try checkKeys(of: value, [name])
      guard inner.kind == .array else { throw wrongType(inner, "a list of conditions").within(name) }
      templates.conditions.append(Condition(test: test))
      try inner.forEachElement { (position, element) throws(CellError) in
        do throws(CellError) { _ = try condition(element) } catch { throw error.within("\(position)").within(name) }
      }
      return
    }
    guard let field = value.member("field") else { throw Self.conditionWithoutField(value) }
    guard let name = field.string else { throw wrongType(field, "the name of a field").within("field") }
    let path = try path(name.withoutBraces, isCondition: true)
    var tests: [Condition.Test] = []
    try value.forEachMember { (key, operand) throws(CellError) in
      switch key {
      case ByteString("field"): return
      case ByteString("equals"): tests.append(.equals(try constant(operand)))
      case ByteString("atLeast"): tests.append(.atLeast(try threshold(operand, key)))
      case ByteString("below"): tests.append(.below(try threshold(operand, key)))
      default:
        throw CellError(
          "\"\(key.excerpt)\" is not a test\(didYouMean(key.string, among: ["equals", "atLeast", "below"])); "
            + "there are equals, atLeast and below")
      }
    }
    try checkTests(tests, of: path, name)
    guard tests.count > 1 else {
      templates.conditions.append(Condition(test: tests.first ?? .holds, path: path))
      return
    }
    templates.conditions.append(Condition(test: .all))
    for test in tests {
      templates.conditions.append(Condition(test: test, path: path, end: Int32(templates.conditions.count + 1)))
    }
  }

  /// Returns an error that shows the right form for conditions such as `{mine: false}`.
  private static func conditionWithoutField(_ value: JSONValue) -> CellError {
    var message = "needs a field, not, all or any"
    value.forEachMember { key, operand in
      let name = key.excerpt
      switch operand.kind {
      case .boolean: message += operand.boolean == true ? "; write \(name)" : "; write {not: \(name)}"
      case .string: message += "; write {field: \(name), equals: \(operand.string?.excerpt ?? "")}"
      case .integer, .unsigned, .double: message += "; write {field: \(name), equals: \(operand.number ?? 0)}"
      default: break
      }
    }
    return CellError(message)
  }

  private func checkKeys(of value: JSONValue, _ known: [String]) throws(CellError) {
    try value.forEachMember { (key, _) throws(CellError) in
      guard known.contains(key.string) else {
        throw CellError("stands beside \(known[0]) in one condition; put both into {all: […]}").within(key.string)
      }
    }
  }

  /// Checks and returns the constant that a field is compared with.
  private func constant(_ operand: JSONValue) throws(CellError) -> JSONValue {
    if operand.isObject || operand.kind == .array {
      throw wrongType(operand, "a string, a number, true, false or null").within("equals")
    }
    if let text = operand.string, Self.isDynamic(text) {
      throw CellError("is \"\(text.excerpt)\", but a field is compared with a constant, not with another field")
        .within("equals")
    }
    return operand
  }

  private func threshold(_ operand: JSONValue, _ key: ByteString) throws(CellError) -> JSONValue {
    guard operand.number != nil else { throw wrongType(operand, "a number").within(key.string) }
    return operand
  }
}

extension ByteString {
  /// The field's name alone, for `field`, `{field}` and `field?`: conditions and loops accept all three, with the same
  /// meaning.
  var withoutBraces: ByteString {
    var inner = trimmed
    if inner.count >= 2 && inner[0] == UInt8(ascii: "{") && inner.hasSuffix(UInt8(ascii: "}")) {
      inner = inner.slice(1, inner.count - 1).trimmed
    }
    return inner.hasSuffix(UInt8(ascii: "?")) ? inner.slice(0, inner.count - 1).trimmed : inner
  }
}
