import CICU

/// The hyphens after which lines break (text-rules 6).
extension BreakFinder {
  /// Returns whether a line can begin with a character after the hyphen at an index (UAX #14 of Unicode 17, LB20a and LB21a), or nil
  /// where ICU decides.
  static func allowsAfterHyphen(_ units: UnsafePointer<UInt16>, _ hyphen: Int, _ scalar: UInt32) -> Bool? {
    guard hyphen > 0 else { return galley_joins_hyphen(scalar) ? false : nil }
    var base = hyphen - 1
    while base > 0 && lineClass(units[base]) == galley_line_mark { base -= 1 }
    if isHebrew(units[base]) { return galley_line_break(scalar) == galley_line_hebrew ? true : nil }
    return beginsWords(after: units[hyphen - 1]) && galley_joins_hyphen(scalar) ? false : nil
  }

  /// Returns whether a hyphen after a unit begins a word.
  private static func beginsWords(after unit: UInt16) -> Bool {
    switch lineClass(unit) {
    case galley_line_hard_break, galley_line_space, galley_line_zero_width_space, galley_line_glue, galley_line_object:
      true
    default: false
    }
  }

  static func lineClass(_ unit: UInt16) -> galley_line_class { galley_line_break(UInt32(unit)) }

  /// Returns whether a unit is a hyphen or a dash that a line can end with (Line_Break is HY or HH in Unicode 17).
  static func isHyphen(_ unit: UInt16) -> Bool {
    switch unit {
    case 0x2d, 0x058a, 0x05be, 0x1400, 0x2010, 0x2012, 0x2013, 0x2e17, 0x2e40, 0x2e5d: true
    default: false
    }
  }

  /// Returns whether a unit is a letter of Hebrew or Yiddish.
  static func isHebrew(_ unit: UInt16) -> Bool { unit >= 0x05d0 && unit <= 0x05f2 }
}
