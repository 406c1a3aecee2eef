/// The evaluation of compiled conditions for one row.
extension RowValues {
  /// Returns whether a condition holds for the row. A field that the row lacks passes no test.
  func holds(_ index: Int32) -> Bool {
    let condition = templates.pointee.conditions[Int(index)]
    switch condition.test {
    case .holds: return value(at: condition.path).map(\.isSomething) ?? false
    case .equals(let other): return value(at: condition.path).map { $0.equals(other) } ?? false
    case .atLeast(let least): return value(at: condition.path)?.isLess(than: least) == false
    case .below(let limit): return value(at: condition.path)?.isLess(than: limit) == true
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
}

extension JSONValue {
  /// Whether a condition that only names the field holds: the value is not null, false, "" or [].
  fileprivate var isSomething: Bool {
    switch kind {
    case .null: false
    case .boolean: boolean == true
    case .string: string?.isEmpty == false
    case .array: !isEmptyArray
    case .object, .integer, .unsigned, .double: true
    }
  }

  /// Returns whether two values are equal. Numbers are equal if their values are, whatever their kinds.
  fileprivate func equals(_ other: JSONValue) -> Bool {
    if let a = exactInteger, let b = other.exactInteger { return a == b }
    if let a = number, let b = other.number { return a == b }
    if let a = string, let b = other.string { return a == b }
    if let a = boolean, let b = other.boolean { return a == b }
    return isNull && other.isNull
  }

  /// Returns whether a number is less than another one, or nil if one of the values is no number.
  fileprivate func isLess(than other: JSONValue) -> Bool? {
    if let a = exactInteger, let b = other.exactInteger { return a < b }
    guard let a = number ?? largeNumber, let b = other.number else { return nil }
    return a < b
  }

  /// The value of an integer. Floating point numbers have fewer digits, so that different integers are equal as such.
  private var exactInteger: Int128? {
    switch kind {
    case .integer: Int128(Int64(bitPattern: unsigned))
    case .unsigned: Int128(unsigned)
    default: nil
    }
  }

  /// The value of an integer that is too large for 64 bits. The parser keeps its digits as a string.
  private var largeNumber: Double? {
    guard let digits = string?.string, RepairedJSON.isTooLarge(digits) else { return nil }
    return Double(digits)
  }
}
