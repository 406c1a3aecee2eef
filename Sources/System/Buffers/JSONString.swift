/// How a JSON string has the control characters that JSON has letters for: line feed, carriage return and tab.
package enum JSONControls {
  /// As `\n`, `\r` and `\t`.
  case letters
  /// As `\u000a`, `\u000d` and `\u0009`, like all other control characters. Programs have this form, because their hashes depend
  /// on it.
  case numbers
}

extension FlatBuffer where Element == UInt8 {
  /// Appends a string of UTF-8 in quotation marks, as JSON has it.
  package mutating func append(json string: UnsafeRawBufferPointer, _ controls: JSONControls = .letters) {
    append(UInt8(ascii: "\""))
    var plain = 0
    for (index, byte) in string.enumerated()
    where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
      append(contentsOf: UnsafeRawBufferPointer(rebasing: string[plain..<index]).bindMemory(to: UInt8.self))
      plain = index + 1
      append(escaped: byte, controls)
    }
    append(contentsOf: UnsafeRawBufferPointer(rebasing: string[plain...]).bindMemory(to: UInt8.self))
    append(UInt8(ascii: "\""))
  }

  package mutating func append(json string: String, _ controls: JSONControls = .letters) {
    var string = string
    string.withUTF8 { append(json: UnsafeRawBufferPointer($0), controls) }
  }

  private mutating func append(escaped byte: UInt8, _ controls: JSONControls) {
    append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
    case UInt8(ascii: "\n") where controls == .letters: append(UInt8(ascii: "n"))
    case UInt8(ascii: "\r") where controls == .letters: append(UInt8(ascii: "r"))
    case UInt8(ascii: "\t") where controls == .letters: append(UInt8(ascii: "t"))
    default:
      append(UInt8(ascii: "u"))
      for digit in [0, 0, byte >> 4, byte & 15] {
        append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
      }
    }
  }
}
