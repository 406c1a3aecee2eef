import CICU

/// The embedding levels of texts by the Unicode bidirectional algorithm (UAX #9), which ICU computes.
///
/// An odd level runs from right to left.
struct BidiLevels: ~Copyable {
  private let bidi = galley_bidi_open()
  private var brackets = BidiBrackets()

  deinit { galley_bidi_close(bidi) }

  /// Returns the level of each unit of a text for shaping, or nil if ICU failed. The levels are valid until the next
  /// call.
  ///
  /// - Parameter base: the direction of paragraphs.
  mutating func levels(
    of text: PreparedText, _ prepared: borrowing PreparedTexts, base: BaseDirection
  ) -> UnsafePointer<UInt8>? {
    levels(of: text.unitStart..<text.unitStart + text.unitCount, prepared, base: base)
  }

  /// Returns the levels of a range of the units of all texts as if they were a text.
  mutating func levels(
    of range: Range<Int>, _ prepared: borrowing PreparedTexts, base: BaseDirection
  ) -> UnsafePointer<UInt8>? {
    guard let bidi else { return nil }
    let units = brackets.bounded(prepared.units.base + range.lowerBound, count: range.count)
    let level = base == .auto ? galley_bidi_first_strong : base == .rtl ? galley_bidi_rtl : galley_bidi_ltr
    return galley_bidi_levels(bidi, units, Int32(truncatingIfNeeded: range.count), level)
  }

  /// Returns whether the paragraph that a unit is in runs from right to left, in the text whose levels were found last.
  func isRightToLeft(paragraphAt unit: Int) -> Bool {
    guard let bidi else { return false }
    return galley_bidi_paragraph_level(bidi, Int32(truncatingIfNeeded: unit)) & 1 != 0
  }

  /// Returns the level of each unit of a text for drawing.
  mutating func shownLevels(of text: PreparedText, _ prepared: borrowing PreparedTexts) -> [UInt8] {
    guard text.traits.contains(.bidirectional),
      let levels = levels(of: text, prepared, base: text.options.shownDirection)
    else { return [UInt8](repeating: 0, count: text.unitCount) }
    return Array(UnsafeBufferPointer(start: levels, count: text.unitCount))
  }
}

extension TextOptions {
  /// The direction in which paragraphs are drawn. Flutter's own default is from left to right.
  var shownDirection: BaseDirection { platform == .flutter && baseDirection == .auto ? .ltr : baseDirection }
}
