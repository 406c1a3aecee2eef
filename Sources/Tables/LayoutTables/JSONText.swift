import Buffers

/// Text in JSON that is written piece by piece.
struct JSONText: ~Copyable {
  private static let hexadecimal = Array("0123456789abcdef".utf8)

  private var bytes = FlatBuffer<UInt8>(capacity: 16 << 10)

  mutating func removeAll() { bytes.removeAll() }

  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result { try body(bytes.bytes) }

  /// Appends text as it is.
  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }

  /// Appends a number, or `null` if it is infinite or NaN, which JSON lacks.
  mutating func append(_ number: Float) {
    guard number.isFinite else { return append("null") }
    append(Int32(exactly: number).map { "\($0)" } ?? "\(number)")
  }

  /// Appends a string with its quotation marks.
  mutating func append(string text: String) {
    var text = text
    text.withUTF8 { append(utf8: $0) }
  }

  /// Appends a string with its quotation marks.
  mutating func append(string text: ByteString) {
    append(utf8: UnsafeBufferPointer(start: text.start, count: text.count))
  }

  private mutating func append(utf8 text: UnsafeBufferPointer<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    var plain = 0
    for (index, byte) in text.enumerated() where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    {
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[plain..<index]))
      plain = index + 1
      switch byte {
      case UInt8(ascii: "\n"): append("\\n")
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      default:
        append("\\u00")
        bytes.append(Self.hexadecimal[Int(byte >> 4)])
        bytes.append(Self.hexadecimal[Int(byte & 15)])
      }
    }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[plain...]))
    bytes.append(UInt8(ascii: "\""))
  }
}
