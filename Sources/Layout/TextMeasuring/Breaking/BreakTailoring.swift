import CICU

/// The differences of WebKit and Firefox from the breaks of ICU (text-rules 21 and 22).
///
/// Each function returns whether a line can begin at a unit, or nil where the rules that all browsers have decide.
enum BreakTailoring {
  /// The units around a place between two units of a text.
  struct Place {
    /// The unit before `before`, or 0.
    let beforeThat: UInt16
    let before: UInt16
    let after: UInt16
    /// Whether ICU breaks there. Where ICU does not search, it is true between ideographs, and false between ASCII characters far
    /// from others.
    let isFound: Bool
  }

  /// WebKit asks ICU only beside characters that are not ASCII, and before a letter that follows a mark other than `-` after a
  /// character beyond Latin-1, such as `漢/a`.
  @inline(__always)
  static func webKit(_ place: Place) -> Bool? {
    let (beforeThat, before, after) = (place.beforeThat, place.before, place.after)
    if HangingSpaces.isBlank(before) || HangingSpaces.isBlank(after) { return nil }
    if before < 0x20 || after < 0x20 {
      return max(beforeThat, before, after) >= 0x7f && (place.isFound || endsLine(before))
    }
    if before < 0x7f && after < 0x7f {
      let asks = beforeThat > 0xff && AsciiBreaks.isLetter(after) && before != 0x7d && before != 0x2d
      return asks ? place.isFound : nil
    }
    if before == 0x2d && isLatin1Letter(after) { return false }
    return BreakFinder.isHyphen(before) ? place.isFound : nil
  }

  /// Firefox does not break numbers with their signs and brackets, as UAX #14 had it in LB25 up to Unicode 15, and breaks
  /// after a hyphen that begins a word.
  @inline(__always)
  static func firefox(_ place: Place) -> Bool? {
    let (before, after) = (place.before, place.after)
    if HangingSpaces.isBlank(before) || HangingSpaces.isBlank(after) { return nil }
    if before < 0x20 || after < 0x20 { return place.isFound || endsLine(before) }
    if before == 0x2d && BreakFinder.isHebrew(place.beforeThat) { return false }
    if before < 0x7f && after < 0x7f { return nil }
    if BreakFinder.isHyphen(before) {
      let beginsWord = (before == 0x2d || before & 0xfff0 == 0x2010) && !BreakFinder.isHebrew(place.beforeThat)
      return place.isFound || (beginsWord && isAlphabetic(after))
    }
    return place.isFound && isInNumber(before, after) ? false : nil
  }

  private static func isAlphabetic(_ unit: UInt16) -> Bool {
    let line = galley_line_break(UInt32(unit))
    return line == galley_line_letter || line == galley_line_hebrew
  }

  /// Returns whether a line ends after a control character in UAX #14.
  private static func endsLine(_ unit: UInt16) -> Bool { unit >= 0x0b && unit <= 0x0d }

  /// Returns whether a unit is a Latin-1 character other than ASCII that lines break around as around letters.
  private static func isLatin1Letter(_ unit: UInt16) -> Bool {
    switch unit {
    case 0xab, 0xad, 0xb0, 0xb1, 0xb4, 0xbb, 0xbf: false
    default: unit >= 0xa6 && unit <= 0xff
    }
  }

  /// Returns whether two units are a bracket and a sign of a number, such as `）￥` or `℃「`.
  private static func isInNumber(_ before: UInt16, _ after: UInt16) -> Bool {
    switch (galley_line_break(UInt32(before)), galley_line_break(UInt32(after))) {
    case (galley_line_closing_bracket, galley_line_number_sign), (galley_line_number_sign, galley_line_opening): true
    default: false
    }
  }
}
