import CHarfBuzz
import CICU

/// The rules by which CJK punctuation next to other punctuation is set half as wide (CSS text-spacing-trim,
/// text-rules 14).
enum PunctuationTrimming {
  /// The kind of a mark, as CSS Text 4 classifies it.
  enum Kind: BitwiseCopyable {
    case other, opening, closing, middle, narrowOpening, narrowClosing
    /// The marks 、。，．, ：, ；, ‘ “ and ’ ”, whose kind is that of their forms in a face (`PunctuationForms`).
    case dot, colon, semicolon, openingQuote, closingQuote

    /// Whether a closing mark is half as wide before a mark of this kind.
    var trimsClosingBefore: Bool { self == .closing || self == .middle || self == .narrowClosing }
    /// Whether an opening mark is half as wide after a mark of this kind.
    var trimsOpeningAfter: Bool { self == .opening || self == .middle || self == .closing || self == .narrowOpening }
  }

  /// The side on which a mark is trimmed: an opening mark after another mark, a closing mark before another mark
  /// or at the end of a line.
  enum Trimming { case opening, closing, atEnd }

  /// Returns whether a unit can be a mark that is trimmed.
  @inline(__always)
  static func contains(_ unit: UInt16) -> Bool {
    unit >= 0xff00 || (unit >= 0x2018 && unit <= 0x301f && (unit >= 0x3000 || unit <= 0x201d))
  }

  /// Returns the kind of a unit.
  static func kind(_ unit: UInt16) -> Kind {
    switch unit {
    case 0x2018, 0x201c: .openingQuote
    case 0x2019, 0x201d: .closingQuote
    case 0x3001, 0x3002, 0xff0c, 0xff0e: .dot
    case 0xff1a: .colon
    case 0xff1b: .semicolon
    case 0x3008, 0x300a, 0x300c, 0x300e, 0x3010, 0x3014, 0x3016, 0x3018, 0x301a, 0x301d, 0xff08, 0xff3b, 0xff5b,
      0xff5f:
      .opening
    case 0x3009, 0x300b, 0x300d, 0x300f, 0x3011, 0x3015, 0x3017, 0x3019, 0x301b, 0x301e, 0x301f, 0xff09, 0xff3d,
      0xff5d, 0xff60:
      .closing
    // The ideographic space is treated as a middle mark.
    case 0xb7, 0x2027, 0x3000, 0x30fb: .middle
    default:
      switch galley_punctuation(UInt32(unit)) {
      case galley_opening_punctuation: .narrowOpening
      case galley_closing_punctuation: .narrowClosing
      default: .other
      }
    }
  }
}

extension TextStore {
  /// Subtracts the trimmed halves of the punctuation in the segments from the index `first` on.
  ///
  /// - Parameters:
  ///   - start: the first unit of the segments.
  ///   - end: the end of the units, with the spaces that follow, except those at the end of the text that collapse.
  mutating func trimPunctuation(from first: Int, _ text: PreparedText, _ start: Int, _ end: Int) {
    for index in first..<prepared.segments.count {
      let segment = prepared.segments.base + index
      guard segment.pointee.spaceStart > segment.pointee.start else { continue }
      let item = prepared.items[itemIndex(at: segment.pointee.start, text)]
      guard let half = trimmedWidth(item) else { continue }
      for unit in Int(segment.pointee.start)..<Int(segment.pointee.spaceStart) {
        switch trimming(at: unit, item, text) {
        case .opening where unit == start: segment.pointee.joining -= half
        case .opening, .closing: segment.pointee.advance -= half
        case .atEnd where unit == end - 1:
          segment.pointee.endTrim = half
          segment.pointee.traits.insert(.changesAtEnd)
        case .atEnd, nil: break
        }
      }
    }
  }

  /// Returns how the mark at a unit of a text is trimmed, or nil if it never is.
  func trimming(at unit: Int, _ item: Item, _ text: PreparedText) -> PunctuationTrimming.Trimming? {
    let units = prepared.units.base + text.unitStart
    guard PunctuationTrimming.contains(units[unit]) else { return nil }
    guard let forms = shaper.forms[Int(item.forms)].forms else { return nil }
    let written = PunctuationTrimming.kind(units[unit])
    if (written == .openingQuote || written == .closingQuote) && !forms.trimsQuotes { return nil }
    let kind = forms.kind(written)
    if kind == .opening && unit > 0 && forms.kind(PunctuationTrimming.kind(units[unit - 1])).trimsOpeningAfter {
      return .opening
    }
    // Hebrew is shaped with the Hebrew features of a font, which fonts with such punctuation lack. Chromium trims a bracket that
    // closes another one even so.
    if item.context.script == HB_SCRIPT_HEBREW && !closesBracket(at: unit, units) { return nil }
    guard kind == .closing else { return nil }
    if unit + 1 < text.unitCount && forms.kind(PunctuationTrimming.kind(units[unit + 1])).trimsClosingBefore {
      return .closing
    }
    // Chromium does not look at what precedes a tab that hangs. At the ends of lines it trims none of 、。，．：；.
    let precedesTab = unit + 1 < text.unitCount && units[unit + 1] == 0x09
    return (written == .closing || written == .closingQuote) && !precedesTab ? .atEnd : nil
  }

  /// Returns whether a unit of a text is a bracket that closes one that is shortly before it.
  private func closesBracket(at unit: Int, _ units: UnsafePointer<UInt16>) -> Bool {
    let opening = galley_paired_bracket(UInt32(units[unit]))
    var depth = 0
    for index in (max(0, unit - Self.maxBracketed)..<unit).reversed() {
      if units[index] == units[unit] { depth += 1 }
      if UInt32(units[index]) == opening {
        if depth == 0 { return true }
        depth -= 1
      }
    }
    return false
  }

  /// The most units between two brackets of which one is looked for.
  private static var maxBracketed: Int { 256 }

  /// Returns the lengths by which a mark of a line is narrower before and after its glyph, in points at text scale 1.
  ///
  /// - Parameter lineStart: the first unit of the line, before which nothing is trimmed.
  func trimmedSides(at unit: Int, lineStart: Int, _ item: Item, _ text: PreparedText) -> (before: Double, after: Double)
  {
    guard trimsPunctuation(text), let half = trimmedWidth(item) else { return (0, 0) }
    return switch trimming(at: unit, item, text) {
    case .opening where unit > lineStart: (half, 0)
    case .closing: (0, half)
    case .opening, .atEnd, nil: (0, 0)
    }
  }

  /// Returns the length by which the mark at the end of a line can be narrower, in points at text scale 1; nil if it cannot.
  func endTrim(at unit: Int, _ text: PreparedText) -> Double? {
    guard trimsPunctuation(text), unit >= 0 else { return nil }
    let item = prepared.items[itemIndex(at: Int32(truncatingIfNeeded: unit), text)]
    return trimming(at: unit, item, text) == .atEnd ? trimmedWidth(item) : nil
  }

  func trimsPunctuation(_ text: PreparedText) -> Bool {
    text.traits.contains(.eastAsian) && text.rules.traits.contains(.trimsPunctuation)
  }

  /// Returns half an em of an item's face in points, or nil if the face cannot trim punctuation, or if features of the font
  /// determine its width.
  func trimmedWidth(_ item: Item) -> Double? {
    guard item.forms > 0 && !book.features.changeSpacing(item.context.features) else { return nil }
    return book.faces[Int(item.context.face)].unitsPerEm / 2 * item.scale
  }
}
