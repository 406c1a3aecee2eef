import CICU

/// The rules of line breaking that ICU 77, which is in Flutter's engine, has changed since ICU 72. Source: UAX #14 of Unicode
/// 16, LB15a to LB15c, LB20a and LB21a.
struct FlutterBreakRules {
  private let units: UnsafePointer<UInt16>
  private let count: Int
  /// The index of the last unit before the place that is looked at which is not a space.
  private var last = 0
  private let hasHebrew: Bool

  init(_ units: UnsafePointer<UInt16>, count: Int) {
    self.units = units
    self.count = count
    hasHebrew = UnsafeBufferPointer(start: units, count: count).contains { Self.isHebrew($0) }
  }

  /// Returns whether a line can begin at a unit inside of the text, or nil where ICU decides. Each unit must be passed, from
  /// the start on.
  mutating func allows(_ index: Int) -> Bool? {
    let (before, after) = (units[index - 1], units[index])
    if before != 0x20 { last = index - 1 }
    if hasHebrew, joinsHebrew(index) { return true }
    guard Self.mayDiffer(before, after) else { return nil }
    let lastClass = lineClass(last)
    if lastClass == galley_line_zero_width_space || lastClass == galley_line_hard_break { return nil }
    if lastClass == galley_line_quotation && Self.isInitialQuote(units[last]) && startsQuote(last) { return false }
    if Self.isFinalQuote(after) && endsQuote(index) { return false }
    if before == 0x20 {
      let afterClass = lineClass(index)
      if lastClass == galley_line_quotation && afterClass == galley_line_opening { return true }
      let isDecimal =
        afterClass == galley_line_separator && index + 1 < count && lineClass(index + 1) == galley_line_digit
      return isDecimal && lastClass != galley_line_opening ? true : nil
    }
    return allowsAfterHyphen(index)
  }

  /// Returns whether one of the rules can concern a place between two units.
  private static func mayDiffer(_ before: UInt16, _ after: UInt16) -> Bool {
    if after >= 0x61 && after <= 0x7a && before != 0x20 && before < 0x80 && !isHyphen(before) { return false }
    return before == 0x20 || isInitialQuote(before) || isFinalQuote(after) || isHyphen(before)
  }

  /// Returns whether a unit is a Hebrew letter that follows another one and a hyphen, or another mark or space that a line can end
  /// with between letters.
  private func joinsHebrew(_ index: Int) -> Bool {
    guard index > 1, lineClass(index) == galley_line_hebrew else { return false }
    let hyphen = lastBase(at: index - 1)
    return hyphen > 0 && lineClass(hyphen) == galley_line_break_after
      && lineClass(lastBase(at: hyphen - 1)) == galley_line_hebrew
  }

  /// Returns the index of the last unit up to an index that is no mark.
  private func lastBase(at index: Int) -> Int {
    var index = index
    while index > 0 && lineClass(index) == galley_line_mark { index -= 1 }
    return index
  }

  /// Returns whether a line can begin after a hyphen: not after one that begins a word.
  private func allowsAfterHyphen(_ index: Int) -> Bool? {
    guard index > 1, Self.isHyphen(units[index - 1]) else { return nil }
    if units[index - 1] == 0x3000 {
      return lineClass(lastBase(at: index - 2)) == galley_line_hebrew ? allowsAfterWideSpace(index) : nil
    }
    return lineClass(index - 2) == galley_line_glue && lineClass(index) == galley_line_letter ? false : nil
  }

  /// Returns whether a line can begin after an ideographic space that follows a Hebrew letter.
  private func allowsAfterWideSpace(_ index: Int) -> Bool? {
    switch lineClass(index) {
    case galley_line_letter, galley_line_hebrew, galley_line_digit, galley_line_opening, galley_line_glue: true
    default: nil
    }
  }

  /// Returns whether an opening quotation mark begins a word, so that no line begins after it and its spaces.
  private func startsQuote(_ index: Int) -> Bool {
    guard index > 0 else { return true }
    switch lineClass(index - 1) {
    case galley_line_hard_break, galley_line_opening, galley_line_quotation, galley_line_glue, galley_line_space,
      galley_line_zero_width_space:
      return true
    default: return false
    }
  }

  /// Returns whether a closing quotation mark ends a word, so that no line begins with it even after spaces.
  private func endsQuote(_ index: Int) -> Bool {
    guard index + 1 < count else { return true }
    switch lineClass(index + 1) {
    case galley_line_hard_break, galley_line_space, galley_line_glue, galley_line_closing, galley_line_closing_bracket,
      galley_line_quotation,
      galley_line_separator, galley_line_zero_width_space:
      return true
    default: return false
    }
  }

  private func lineClass(_ index: Int) -> galley_line_class { galley_line_break(UInt32(units[index])) }

  private static func isInitialQuote(_ unit: UInt16) -> Bool {
    unit == 0xab || unit == 0x2018 || unit == 0x201b || unit == 0x201c || unit == 0x201f || unit == 0x2039
  }

  private static func isFinalQuote(_ unit: UInt16) -> Bool {
    unit == 0xbb || unit == 0x2019 || unit == 0x201d || unit == 0x203a
  }

  /// Returns whether a unit is a hyphen that can begin a word, or the ideographic space.
  private static func isHyphen(_ unit: UInt16) -> Bool { unit == 0x2d || unit == 0x2010 || unit == 0x3000 }

  private static func isHebrew(_ unit: UInt16) -> Bool {
    (0x05d0...0x05f2).contains(unit) || (0xfb1d...0xfb4f).contains(unit)
  }
}
