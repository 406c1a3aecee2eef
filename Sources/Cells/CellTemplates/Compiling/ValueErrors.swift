/// Returns the error of a value of another type than the property has.
func wrongType(_ value: JSONValue, _ expected: String) -> CellError {
  var given = value.kindName
  var hint = ""
  if let text = value.string {
    given = "the string \"\(text.string.prefix(40))\""
    hint = arithmeticHint(text.string)
  }
  // YAML reads {caption} without quotes as an object with a null.
  value.forEachMember { name, member in
    if member.isNull { hint = "; for the field write quotes: \"{\(name.string)}\"" }
  }
  return CellError("is \(given), but must be \(expected)\(hint)")
}

/// Returns advice for texts with arithmetic outside of braces, such as `390.0 * 0.75` and `50% - 8`.
func arithmeticHint(_ text: String) -> String {
  let isArithmetic =
    ["*", "/", "+", "-"].contains { text.contains(" \($0) ") } && text.contains { $0.isNumber }
  guard isArithmetic else { return "" }
  return text.contains("%")
    ? "; nothing is calculated with percentages: put the element into an inset, or use {constrainedSize.max.width}"
    : "; nothing is calculated outside of braces: write \"{\(text)}\""
}

/// Returns the error of a key of an object that has other ones.
func unknownKey(_ name: String, _ kind: String, among known: [String]) -> CellError {
  CellError("is not \(kind)\(didYouMean(name, among: known)); these are \(known.joined(separator: ", "))")
}

/// Returns the error of a name that is not among those of a property.
func unknownChoice(_ name: String, _ choices: [String]) -> CellError {
  CellError("is \"\(name)\"\(didYouMean(name, among: choices)); it can be \(choices.joined(separator: ", "))")
}
