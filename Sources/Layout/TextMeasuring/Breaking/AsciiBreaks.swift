import Buffers

/// The break opportunities between printable ASCII characters in a browser (text-rules 2 and 3). They are not those of UAX
/// #14, so that URLs do not break at slashes in Chromium.
///
/// The tables live as long as the process.
struct AsciiBreaks: BitwiseCopyable, Sendable {
  /// The characters before which a line can begin: a row for each character from `!` to `~` at the end of a line.
  private let rows: ByteString

  /// A bit for each character from `!` to `~`.
  private typealias Row = (UInt64, UInt64)

  /// Returns whether a line can end between `before` and `after`, both of which are from `!` to `~`.
  ///
  /// - Parameter beforeThat: the unit before `before`, or 0.
  @inline(__always)
  func allows(_ beforeThat: UInt16, _ before: UInt16, _ after: UInt16) -> Bool {
    // Most pairs begin with a letter or digit.
    if Self.isAlphanumeric(before) { return false }
    guard Self.bit(row(of: before), after &- 33) else { return false }
    return before != 0x2d || !Self.isDigit(after) || Self.isAlphanumeric(beforeThat)
  }

  @inline(__always)
  static func isAlphanumeric(_ unit: UInt16) -> Bool { isLetter(unit) || isDigit(unit) }

  @inline(__always)
  static func isLetter(_ unit: UInt16) -> Bool { (unit | 0x20) &- 0x61 < 26 }

  @inline(__always)
  static func isDigit(_ unit: UInt16) -> Bool { unit &- 0x30 < 10 }

  @inline(__always)
  private func row(of character: UInt16) -> Row {
    UnsafeRawPointer(rows.start).load(fromByteOffset: Int(character &- 33) * MemoryLayout<Row>.stride, as: Row.self)
  }

  @inline(__always)
  private static func bit(_ row: Row, _ index: UInt16) -> Bool {
    (index < 64 ? row.0 >> UInt64(index) : row.1 >> UInt64(index - 64)) & 1 != 0
  }

  // MARK: Making tables

  /// The characters before which a line can begin.
  private enum Followers {
    case only(String)
    case allBut(String)

    var row: Row {
      switch self {
      case .only(let characters): return AsciiBreaks.row(of: characters)
      case .allBut(let characters):
        let none = AsciiBreaks.row(of: characters)
        return (~none.0, ~none.1 & (1 << 30 - 1))
      }
    }
  }

  /// Creates a table of the followers that each of some characters has. All others have none.
  private init(_ followers: KeyValuePairs<String, Followers>) {
    let rows = UnsafeMutablePointer<Row>.allocate(capacity: 94)
    rows.initialize(repeating: (0, 0), count: 94)
    for (characters, followers) in followers {
      for byte in characters.utf8 { rows[Int(byte - 33)] = followers.row }
    }
    self.rows = ByteString(UnsafeRawBufferPointer(start: rows, count: 94 * MemoryLayout<Row>.stride))
  }

  private static func row(of characters: String) -> Row {
    var row: Row = (0, 0)
    for byte in characters.utf8 {
      let index = UInt64(byte - 33)
      if index < 64 { row.0 |= 1 << index } else { row.1 |= 1 << (index - 64) }
    }
    return row
  }

  /// The characters after which Chromium and WebKit break only before brackets that open.
  private static let weak = ##"!"#%&)*+,.:;=>\]|}~"##

  static let chromium = AsciiBreaks([
    weak: .only("(<[{"), "-": .allBut("!$),./:;?]}"), "?": .allBut(#"!"'),./:;?]}"#),
  ])

  static let webKit = AsciiBreaks([
    weak: .only("(<[{"), "-": .allBut(",."), "?": .allBut(#"!"'),./:;?]}"#),
  ])

  /// The pairs of UAX #14 (text-rules 22).
  static let firefox = AsciiBreaks([
    "!?|": .allBut(#"!"'),-./:;?]|}"#), #"$%+\"#: .only(#"$%+\"#), ")]": .only("([{"), ",.:;": .only(#"$%(+[\{"#),
    "-/": .allBut(#"!"'),-./0123456789:;?]|}"#), "}": .allBut(#"!"$%')+,-./:;?\]|}"#),
  ])
}
