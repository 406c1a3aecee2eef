import Buffers
import CHarfBuzz

/// The kinds of the marks whose position in their square depends on the font and the language: in fonts for Traditional Chinese
/// `。` is in the middle of its square, and in those for Simplified Chinese `：` is at its left and quotation marks have squares
/// (text-rules 14).
///
/// Source: `HanKerning::FontData` of Blink.
struct PunctuationForms: BitwiseCopyable {
  typealias Kind = PunctuationTrimming.Kind

  /// The kind of `、。，．`.
  var dot = Kind.other
  var colon = Kind.other
  var semicolon = Kind.other
  /// Whether `‘ “` are opening marks and `’ ”` closing marks as wide as ideographs.
  var hasWideQuotes = false
  /// Whether quotation marks are also as wide where they are shaped in Han, so that they can be trimmed.
  var trimsQuotes = false

  private static let marks: [UInt16] = [
    0x3001, 0x3002, 0xff0c, 0xff0e, 0xff1a, 0xff1b, 0x201c, 0x2018, 0x201d, 0x2019,
  ]

  /// Returns the forms of the marks in a face and a language; nil if the face shapes one of them as several glyphs, so that it trims
  /// none.
  ///
  /// - Parameter scale: the pixels of a unit of the face. Blink rounds the extents of glyphs outwards to whole pixels, so that a small mark
  ///   can leave its half of the square.
  init?(_ context: ShapingContext, scale: Double, _ shaper: borrowing Shaper) {
    guard let inHan = Self.glyphs(HB_SCRIPT_HAN, context, scale, shaper) else { return nil }
    // For Japanese, Blink shapes the marks in the script `Hrkt`, katakana or hiragana. Fonts have no features for this script.
    let isJapanese = shaper.languages.isJapanese(context.language)
    let inScript = isJapanese ? Self.glyphs(hb_script_t(tag("Hrkt")), context, scale, shaper) : inHan
    guard let glyphs = inScript else { return nil }
    dot = Self.kind(of: glyphs[0..<4])
    colon = Self.kind(of: glyphs[4...4])
    semicolon = Self.kind(of: glyphs[5...5])
    hasWideQuotes = Self.areWide(glyphs[6...])
    trimsQuotes = hasWideQuotes && Self.areWide(inHan[6...])
  }

  private static func glyphs(
    _ script: hb_script_t, _ context: ShapingContext, _ scale: Double, _ shaper: borrowing Shaper
  ) -> [Glyph]? {
    var plain = ShapingContext(face: context.face, script: script, ligatures: true)
    plain.language = context.language
    let font = shaper.book.faces[Int(context.face)].font
    return marks.withUnsafeBufferPointer { marks in
      guard let start = marks.baseAddress else { return nil }
      let shaped = shaper.glyphs(of: 0..<marks.count, in: start, marks.count, plain)
      guard shaped.infos.map(\.cluster) == (0..<marks.count).map(UInt32.init) else { return nil }
      return zip(shaped.infos, shaped.positions).map { Glyph($0, $1, font, scale) }
    }
  }

  private static func areWide(_ quotes: ArraySlice<Glyph>) -> Bool {
    kind(of: quotes.prefix(2)) == .opening && kind(of: quotes.suffix(2)) == .closing
  }

  /// Returns the kind that a mark has in the face.
  func kind(_ kind: Kind) -> Kind {
    switch kind {
    case .dot: dot
    case .colon: colon
    case .semicolon: semicolon
    case .openingQuote: hasWideQuotes ? .opening : .narrowOpening
    case .closingQuote: hasWideQuotes ? .closing : .narrowClosing
    default: kind
    }
  }

  /// A glyph with its extent from its origin.
  private struct Glyph {
    let advance: Int32
    /// The kind by the place of the glyph; nil if the face has none.
    let kind: Kind?

    init(_ info: hb_glyph_info_t, _ position: hb_glyph_position_t, _ font: OpaquePointer, _ scale: Double) {
      advance = position.x_advance
      var extents = hb_glyph_extents_t()
      guard info.codepoint != 0, hb_font_get_glyph_extents(font, info.codepoint, &extents) != 0 else {
        kind = nil
        return
      }
      // FreeType has outlines in 1/64 pixel.
      func pixels(_ units: Double) -> Double { (units * scale * 64).rounded() / 64 }
      let offset = Double(position.x_offset) * scale
      let left = pixels(Double(extents.x_bearing)).rounded(.down) + offset
      let right = pixels(Double(extents.x_bearing) + Double(extents.width)).rounded(.up) + offset
      let half = Double(advance) * scale / 2
      if right <= half {
        kind = .closing
      } else if left >= half {
        kind = .opening
      } else {
        kind = right - left <= half && left >= half / 2 ? .middle : .other
      }
    }
  }

  /// Returns the kind that all of the glyphs have which the face has; `other` if they have several, or several advances.
  private static func kind(of glyphs: ArraySlice<Glyph>) -> Kind {
    let known = glyphs.filter { $0.kind != nil }
    guard let first = known.first else { return .other }
    return known.allSatisfy { $0.advance == first.advance && $0.kind == first.kind } ? first.kind ?? .other : .other
  }
}

extension Shaper {
  /// The forms of a face in a language and a size; nil if it does not trim punctuation in it.
  struct FormsOfFace: BitwiseCopyable {
    let face: Int32
    let language: Int
    let scale: Double
    let forms: PunctuationForms?
  }

  /// The number of forms from which on they are removed when the texts of a row are.
  static let manyForms = 256

  /// Returns the index in `forms` of those of a face, which trims punctuation, in the language of a context.
  ///
  /// - Parameter scale: the pixels of a unit of the face.
  mutating func punctuationForms(_ context: ShapingContext, scale: Double) -> UInt16 {
    // The search begins with the forms that were added last, because most items have these.
    var index = forms.count - 1
    while index > 0 {
      let known = forms[index]
      if known.face == context.face && known.language == context.language && known.scale == scale {
        return UInt16(truncatingIfNeeded: index)
      }
      index -= 1
    }
    // A row with more sizes than there are numbers keeps the widths of its marks.
    guard forms.count < UInt16.max else { return 0 }
    let found = PunctuationForms(context, scale: scale, self)
    forms.append(FormsOfFace(face: context.face, language: context.language, scale: scale, forms: found))
    return UInt16(truncatingIfNeeded: forms.count - 1)
  }
}
