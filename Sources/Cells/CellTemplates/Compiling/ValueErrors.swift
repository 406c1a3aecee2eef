import Buffers

/// Returns the error of a value of another type than the property has.
func wrongType(_ value: JSONValue, _ expected: String) -> CellError {
  var given = value.kindName
  var hint = ""
  if let text = value.string {
    given = "the string \"\(text.excerpt)\""
    hint = arithmeticHint(text.string)
  }
  // YAML reads {caption} without quotes as an object with a null.
  value.forEachMember { name, member in
    if member.isNull { hint = "; for the field write quotes: \"{\(name.excerpt)}\"" }
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
    : "; nothing is calculated outside of braces: write \"{\(text.excerpt)}\""
}

/// Returns the error of a key of an object that has other ones.
func unknownKey(_ name: String, _ kind: String, among known: [String]) -> CellError {
  CellError("is not \(kind)\(didYouMean(name, among: known)); these are \(known.joined(separator: ", "))")
}

/// Returns the error of a name that is not among those of a property.
func unknownChoice(_ name: String, _ choices: [String]) -> CellError {
  CellError("is \"\(name.excerpt)\"\(didYouMean(name, among: choices)); it can be \(choices.joined(separator: ", "))")
}

extension String {
  /// The largest number of characters of a text that an error quotes.
  private static let maxQuoted = 80

  /// The text as errors quote it: the beginning of a long one, in one line, because each error begins a line. Unicode's characters
  /// are counted, because a letter can have any number of marks.
  package var excerpt: String {
    var quoted = ""
    for scalar in unicodeScalars.prefix(Self.maxQuoted) { quoted += scalar == "\n" ? "\\n" : String(scalar) }
    return unicodeScalars.count > Self.maxQuoted ? quoted + "…" : quoted
  }
}

extension ByteString {
  /// The text as errors quote it.
  var excerpt: String { string.excerpt }
}
