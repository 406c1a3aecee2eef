import Buffers

/// Fields of CSV beside the numbers, which are as in JSON.
extension JSONText {
  /// Appends a literal and a field of CSV, in quotes if it has a comma, a quote or a line break (RFC 4180).
  mutating func append(_ separator: StaticString, csv field: UnsafeRawBufferPointer) {
    append(separator)
    let quote = UInt8(ascii: "\"")
    let needsQuotes = field.contains { byte in
      byte == quote || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
    guard needsQuotes else { return append(literal: field) }
    append("\"")
    for part in field.split(separator: quote, omittingEmptySubsequences: false).enumerated() {
      if part.offset > 0 { append("\"\"") }
      append(literal: UnsafeRawBufferPointer(rebasing: part.element))
    }
    append("\"")
  }

  mutating func append(_ separator: StaticString, csv field: String) {
    var field = field
    field.withUTF8 { append(separator, csv: UnsafeRawBufferPointer($0)) }
  }
}
