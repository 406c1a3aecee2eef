/// Ideographs, kana and Hangul syllables: characters of one unit that have no direction but left to right, no marks of their own and no
/// halves that are trimmed.
enum Ideographs {
  static let first: UInt16 = 0x3041
  /// The number of units from the first to the last of the characters.
  static let count = 0xd7a4 - Int(first)

  /// Returns the number of one of the characters, from 0.
  @inline(__always)
  static func number(of unit: UInt16) -> Int { Int(unit &- first) }

  /// Returns whether a unit is one of the characters.
  @inline(__always)
  static func contains(_ unit: UInt16) -> Bool {
    (unit >= 0x3400 && unit < 0xa000) || (unit >= first && unit < 0x3097) || (unit >= 0x30a1 && unit < 0x30fb)
      || (unit >= 0xac00 && unit < 0xd7a4)
  }

  /// Returns whether a unit is Han, hangul or a kana that is not small. Lines break between any two of these, whatever is around them
  /// (UAX #14: ID, H2 and H3).
  @inline(__always)
  static func allowsBreaks(_ unit: UInt16) -> Bool {
    // The hexagrams, U+4DC0 to U+4DFF, break like letters (AL).
    contains(unit) && !(unit >= 0x4dc0 && unit < 0x4e00) && !isSmallKana(unit)
  }

  /// Returns whether a unit is a small kana (UAX #14: CJ).
  @inline(__always)
  private static func isSmallKana(_ unit: UInt16) -> Bool {
    // Katakana have the order of hiragana, and begin 0x60 units later.
    switch unit >= 0x30a1 ? unit &- 0x60 : unit {
    case 0x3041, 0x3043, 0x3045, 0x3047, 0x3049, 0x3063, 0x3083, 0x3085, 0x3087, 0x308e, 0x3095, 0x3096: true
    default: false
    }
  }

  /// Returns whether a unit is certainly no mark of the character before it.
  @inline(__always)
  static func isNoMark(_ unit: UInt16) -> Bool { unit < 0x300 || contains(unit) || isKana(unit) }

  /// Returns whether a unit is a kana, or the punctuation of Japanese.
  @inline(__always)
  static func isKana(_ unit: UInt16) -> Bool {
    (unit >= first && unit < 0x3097) || (unit >= 0x30a1 && unit < 0x30fd) || (unit >= 0x3001 && unit < 0x3012)
  }
}
