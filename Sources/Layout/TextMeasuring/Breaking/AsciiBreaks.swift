/// The break opportunities between printable ASCII characters in Chromium (text-rules 2 and 3). They are not those of UAX
/// #14, so that URLs do not break at slashes.
enum AsciiBreaks {
  /// Returns whether a line can end between `before` and `after`, both of which are from `!` to `~`.
  ///
  /// - Parameter beforeThat: the character before `before`, or 0.
  @inline(__always)
  static func allows(_ beforeThat: UInt8, _ before: UInt8, _ after: UInt8) -> Bool {
    // Most pairs begin with a letter or digit.
    if isAlphanumeric(before) { return false }
    if before == UInt8(ascii: "-") && isDigit(after) { return isAlphanumeric(beforeThat) }
    return bit(table[Int(before &- 33)], after &- 33)
  }

  @inline(__always)
  static func isAlphanumeric(_ byte: UInt8) -> Bool {
    isDigit(byte) || isLetter(byte)
  }

  @inline(__always)
  static func isLetter(_ unit: some UnsignedInteger) -> Bool { unit | 0x20 >= 0x61 && unit | 0x20 <= 0x7a }

  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

  /// A bit for each character from `!` to `~`.
  private typealias Row = (UInt64, UInt64)

  @inline(__always)
  private static func bit(_ row: Row, _ index: UInt8) -> Bool {
    (index < 64 ? row.0 >> UInt64(index) : row.1 >> UInt64(index - 64)) & 1 != 0
  }

  /// The characters before which a line can begin, for each character from `!` to `~` at the end of a line.
  private static let table: [Row] = {
    var rows = [Row](repeating: (0, 0), count: 94)
    for byte in ##"!"#%&)*+,.:;=>\]|}~"##.utf8 { rows[Int(byte - 33)] = row(of: "(<[{") }
    rows[Int(UInt8(ascii: "-") - 33)] = row(ofAllBut: "!$),./0123456789:;?]}")
    rows[Int(UInt8(ascii: "?") - 33)] = row(ofAllBut: #"!"'),./:;?]}"#)
    return rows
  }()

  private static func row(of characters: String) -> Row {
    var row: Row = (0, 0)
    for byte in characters.utf8 {
      let index = UInt64(byte - 33)
      if index < 64 { row.0 |= 1 << index } else { row.1 |= 1 << (index - 64) }
    }
    return row
  }

  private static func row(ofAllBut characters: String) -> Row {
    let none = row(of: characters)
    return (~none.0, ~none.1 & (1 << 30 - 1))
  }
}
