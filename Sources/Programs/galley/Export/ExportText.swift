import Buffers

/// Texts of numbers and strings as exports have them.
extension FlatBuffer where Element == UInt8 {
  mutating func append(_ bytes: [UInt8]) { bytes.withUnsafeBufferPointer { append(contentsOf: $0) } }

  // MARK: Numbers

  /// Appends the shortest decimal number that is read back as this one, or `null` for one that is not finite.
  mutating func append(_ number: Float) {
    if number.magnitude < 4096, let eighths = Int(exactly: number * 8) { return append(eighths: eighths) }
    append(description: number.description, isFinite: number.isFinite)
  }

  /// Appends the shortest decimal number that is read back as this one, or `null` for one that is not finite.
  mutating func append(_ number: Double) {
    if number.magnitude < 1e12, let eighths = Int(exactly: number * 8) { return append(eighths: eighths) }
    append(description: number.description, isFinite: number.isFinite)
  }

  /// Appends a multiple of 1/8, as most lengths are. Its exact decimal is also the shortest, as long as the number has
  /// bits for 1/1000.
  private mutating func append(eighths: Int) {
    if eighths < 0 { append(UInt8(ascii: "-")) }
    let magnitude = Int(eighths.magnitude)
    append(decimal: magnitude >> 3)
    switch magnitude & 7 {
    case 1: append(".125")
    case 2: append(".25")
    case 3: append(".375")
    case 4: append(".5")
    case 5: append(".625")
    case 6: append(".75")
    case 7: append(".875")
    default: break
    }
  }

  /// Appends Swift's description of a number, which is the shortest, without the fraction of an integer.
  private mutating func append(description: String, isFinite: Bool) {
    guard isFinite else { return append("null") }
    append(description)
    if count >= 2, base[count - 2] == UInt8(ascii: "."), base[count - 1] == UInt8(ascii: "0") {
      truncate(to: count - 2)
    }
  }

  // MARK: Strings

  /// Appends a string of JSON. Bytes that are not UTF-8 become the replacement character.
  mutating func append(lossyJSON string: UnsafeRawBufferPointer) {
    if string.allSatisfy({ $0 < 0x80 }) {
      append(json: string)
    } else {
      append(json: String(decoding: string, as: UTF8.self))
    }
  }

  /// Appends a field of CSV, in quotes if it has a comma, a quote or a line break (RFC 4180).
  mutating func append(csv field: UnsafeRawBufferPointer) {
    let quote = UInt8(ascii: "\"")
    let bytes = field.bindMemory(to: UInt8.self)
    let needsQuotes = bytes.contains { byte in
      byte == quote || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
    guard needsQuotes else { return append(contentsOf: bytes) }
    append(quote)
    for byte in bytes {
      if byte == quote { append(quote) }
      append(byte)
    }
    append(quote)
  }

  mutating func append(csv field: String) {
    var field = field
    field.withUTF8 { append(csv: UnsafeRawBufferPointer($0)) }
  }
}
