import Buffers

/// A copy of a document without what is JSON but no value of the parser: an escape of an unpaired surrogate becomes that of
/// U+FFFD, because no text can contain it, and a number that 64 bits cannot hold becomes a string with its digits.
package struct RepairedJSON: ~Copyable {
  private var buffer = FlatBuffer<UInt8>()
  private var isRepaired = false

  /// The copy, behind which the padding of the parser is readable.
  var bytes: ByteString { ByteString(start: buffer.base, count: buffer.count - JSONParser.padding) }

  /// Copies a document. Returns whether the copy differs from it.
  mutating func repair(_ source: ByteString) -> Bool {
    buffer.removeAll()
    isRepaired = false
    var isInString = false
    var index = 0
    while index < source.count {
      let byte = source[index]
      if isInString && byte == UInt8(ascii: "\\") {
        index += appendEscape(source, index)
      } else if !isInString && Self.isOfNumber(byte) {
        index += appendNumber(source, index)
      } else {
        if byte == UInt8(ascii: "\"") { isInString.toggle() }
        buffer.append(byte)
        index += 1
      }
    }
    for _ in 0..<JSONParser.padding { buffer.append(0) }
    return isRepaired
  }

  /// Appends the escape at an index of a string, and returns its length.
  private mutating func appendEscape(_ source: ByteString, _ index: Int) -> Int {
    if Self.escapedPair(source, index) != nil {
      buffer.append(contentsOf: source.slice(index, index + 12).bytes)
      return 12
    }
    if let unit = Self.escapedUnit(source, index), (0xd800..<0xe000).contains(unit) {
      for byte in #"\ufffd"#.utf8 { buffer.append(byte) }
      isRepaired = true
      return 6
    }
    let length = min(2, source.count - index)
    buffer.append(contentsOf: source.slice(index, index + length).bytes)
    return length
  }

  /// Appends the number at an index, and returns its length.
  private mutating func appendNumber(_ source: ByteString, _ index: Int) -> Int {
    let length = source.bytes[index...].prefix(while: Self.isOfNumber).count
    let number = source.slice(index, index + length)
    let isTooLarge = Self.isTooLarge(number.string)
    if isTooLarge { buffer.append(UInt8(ascii: "\"")) }
    buffer.append(contentsOf: number.bytes)
    if isTooLarge { buffer.append(UInt8(ascii: "\"")) }
    isRepaired = isRepaired || isTooLarge
    return length
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
  }

  /// Returns whether a text is a number of JSON that neither an integer nor a floating point number of 64 bits can hold.
  package static func isTooLarge(_ text: String) -> Bool {
    guard let value = Double(text), value.magnitude > 9e18,
      let number = text.wholeMatch(of: #/-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/#)
    else { return false }
    return number.1 == nil && number.2 == nil ? Int64(text) == nil && UInt64(text) == nil : value.isInfinite
  }

  /// Returns the character whose escape of two surrogates is at `index`, such as `\ud83d\ude00`, or nil if there is none.
  package static func escapedPair(_ bytes: ByteString, _ index: Int) -> Unicode.Scalar? {
    guard let high = escapedUnit(bytes, index), high & 0xfc00 == 0xd800,
      let low = escapedUnit(bytes, index + 6), low & 0xfc00 == 0xdc00
    else { return nil }
    return Unicode.Scalar((high - 0xd7c0) << 10 + (low - 0xdc00))
  }

  /// Returns the number of the `\uXXXX` escape at `index`, or nil if there is none.
  private static func escapedUnit(_ bytes: ByteString, _ index: Int) -> UInt32? {
    guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u") else {
      return nil
    }
    return UInt32(bytes.slice(index + 2, index + 6).string, radix: 16)
  }
}
