import Buffers
import CHarfBuzz

/// A face of a font file as a HarfBuzz font. Lengths are in font units.
///
/// The `FontBook` owns the memory that a face points to, so that faces are plain values and no references are counted.
struct Face: BitwiseCopyable {
  let font: OpaquePointer
  let unitsPerEm: Double
  /// The distance from the baseline to the top of the font.
  let ascender: Double
  /// The distance from the baseline to the bottom of the font, which is positive.
  let descender: Double
  /// The gap between two lines that the font recommends.
  let lineGap: Double
  /// The sum of the typographic ascender, descender and line gap of the table `OS/2`, or of those of `hhea` if it states none.
  let typographicHeight: Double
  /// Whether `ascender` and `descender` are typographic (`USE_TYPO_METRICS`).
  let hasTypographicMetrics: Bool
  /// The distance from the baseline to the top of the largest glyph.
  let top: Double
  /// The distance from the baseline to the bottom of the largest glyph, which is positive below the baseline.
  let bottom: Double
  /// The distance from the baseline to the top of the bitmaps of a face of bitmaps, otherwise `ascender`.
  let bitmapAscender: Double
  /// The distance from the baseline to the bottom of the bitmaps of a face of bitmaps, otherwise `descender`.
  let bitmapDescender: Double
  /// The number of units an em in the font file, from which `unitsPerEm` differs for bitmaps.
  let designUnits: Double
  /// The advance of the space, 0 if the face has none.
  let spaceAdvance: Int32
  /// The advance of the glyphs of a face of bitmaps, which is that of its strike (text-rules 15); nil for other faces.
  let strikeAdvance: Int32?
  /// The size of a strike's bitmaps in pixels an em; 0 for other faces.
  let strikePixels: Double
  /// Whether the face can set CJK punctuation half as wide (the feature `halt`).
  let trimsPunctuation: Bool
  /// Whether the face has all characters from space to `~`, and no features of its font, with which the advances of a space and
  /// of kerning are not known before shaping.
  let coversAscii: Bool
  /// Whether the outlines are those of TrueType, not of CFF.
  let hasTrueTypeOutlines: Bool
  /// The number of the font's features in the book.
  var features: Int32 = 0

  /// Creates the face of a source, whose file must outlive the face. Returns nil if HarfBuzz finds no such face in the file.
  init?(_ source: FontBook.Source) {
    // The font keeps a reference to the face, and the face to the bytes.
    let opened: OpaquePointer? = source.withFace { hb_face_get_glyph_count($0) > 0 ? hb_font_create($0) : nil }
    guard let font = opened, let face = hb_font_get_face(font) else { return nil }
    self.font = font
    var variations = source.axes.map { hb_variation_t(tag: $0.tag, value: $0.value) }
    if source.weight > 0 { variations.append(hb_variation_t(tag: tag("wght"), value: Float(source.weight))) }
    if !variations.isEmpty { hb_font_set_variations(font, variations, UInt32(variations.count)) }
    designUnits = Double(hb_face_get_upem(face))
    let strike = withTable("CBLC", of: face, Strike.init)
    // The advance of a strike is not a whole number of units.
    let scale = strike == nil ? 1 : Self.strikeScale
    unitsPerEm = designUnits * scale
    strikeAdvance = strike.map { [unitsPerEm] in Int32(($0.width * unitsPerEm).rounded()) }
    strikePixels = strike?.pixelsPerEm ?? 0
    hb_font_set_scale(font, Int32(unitsPerEm), Int32(unitsPerEm))
    var extents = hb_font_extents_t()
    hb_font_get_h_extents(font, &extents)
    ascender = Double(extents.ascender)
    descender = -Double(extents.descender)
    lineGap = Double(extents.line_gap)
    let typographic = Self.typographicMetrics(face)
    typographicHeight = typographic.map { $0.height * scale } ?? ascender + descender + lineGap
    hasTypographicMetrics = typographic?.areUsed ?? false
    bitmapAscender = strike.map { [unitsPerEm] in $0.ascender * unitsPerEm } ?? ascender
    bitmapDescender = strike.map { [unitsPerEm] in $0.descender * unitsPerEm } ?? descender
    let bounds = Self.verticalBounds(face)
    top = strike == nil ? bounds.top : bitmapAscender
    bottom = strike == nil ? bounds.bottom : bitmapDescender
    spaceAdvance = Self.glyph(of: 0x20, font).map { hb_font_get_glyph_h_advance(font, $0) } ?? 0
    trimsPunctuation = Self.glyph(of: 0x300c, font) != nil && Self.positioningFeatures(face).contains(tag("halt"))
    hasTrueTypeOutlines = withTable("glyf", of: face) { !$0.isEmpty }
    coversAscii = source.features.isEmpty && (0x20...0x7e).allSatisfy { Self.glyph(of: $0, font) != nil }
  }

  /// Frees the memory that the face points to.
  func destroy() { hb_font_destroy(font) }

  /// Returns whether the face maps a character to a glyph.
  func covers(_ scalar: UInt32) -> Bool { Self.glyph(of: scalar, font) != nil }

  /// Returns whether HarfBuzz shows a character that the face lacks by other characters of the face: a letter by the parts of its
  /// canonical decomposition, a space of another width by a space.
  func composes(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0xa0, 0x2000...0x200a, 0x202f, 0x205f: return covers(0x20)
    case 0x2011: return covers(0x2010)
    default:
      var (first, second): (hb_codepoint_t, hb_codepoint_t) = (0, 0)
      guard hb_unicode_decompose(hb_unicode_funcs_get_default(), scalar, &first, &second) != 0 else { return false }
      return (second == 0 || covers(second)) && (covers(first) || composes(first))
    }
  }

  /// Returns the glyph that a font maps a character to, or nil.
  @inline(__always)
  static func glyph(of scalar: UInt32, _ font: OpaquePointer) -> hb_codepoint_t? {
    var glyph: hb_codepoint_t = 0
    return hb_font_get_nominal_glyph(font, scalar, &glyph) != 0 ? glyph : nil
  }

  /// Returns whether a face of bitmaps has one for a glyph.
  func hasBitmap(_ glyph: UInt32) -> Bool {
    guard strikeAdvance != nil else { return false }
    let image = hb_ot_color_glyph_reference_png(font, glyph)
    defer { hb_blob_destroy(image) }
    return hb_blob_get_length(image) > 0
  }

  /// Whether the face has glyphs with colors.
  var hasColors: Bool {
    guard let face = hb_font_get_face(font) else { return false }
    return withTable("COLR", of: face) { !$0.isEmpty } || hb_ot_color_has_png(face) != 0
      || hb_ot_color_has_svg(face) != 0
  }

  /// The character that is shown at the end of a line that ends at a soft hyphen: U+2010, or U+002D if the face lacks that
  /// (text-rules 12).
  var hyphen: UInt32 { covers(0x2010) ? 0x2010 : 0x2d }

  /// Returns the advance of a character by itself.
  func advance(of scalar: UInt32) -> Int32 {
    hb_font_get_glyph_h_advance(font, Self.glyph(of: scalar, font) ?? 0)
  }

  /// The first bitmap size in the table `CBLC`. Lengths are in ems.
  private struct Strike {
    /// The width of its widest glyph.
    let width: Double
    let ascender: Double
    let descender: Double
    let pixelsPerEm: Double

    init?(_ bytes: UnsafeRawBufferPointer) {
      guard bytes.count >= 56 else { return nil }
      let width = bytes.load(fromByteOffset: 26, as: UInt8.self)
      let pixelsPerEm = bytes.load(fromByteOffset: 52, as: UInt8.self)
      guard width > 0, pixelsPerEm > 0 else { return nil }
      self.pixelsPerEm = Double(pixelsPerEm)
      self.width = Double(width) / Double(pixelsPerEm)
      ascender = Double(bytes.load(fromByteOffset: 24, as: Int8.self)) / Double(pixelsPerEm)
      descender = -Double(bytes.load(fromByteOffset: 25, as: Int8.self)) / Double(pixelsPerEm)
    }
  }

  /// Returns the top and the bottom of the largest glyph in font units, from the table `head`.
  private static func verticalBounds(_ face: OpaquePointer?) -> (top: Double, bottom: Double) {
    withTable("head", of: face) { bytes in
      guard bytes.count >= 54 else { return (0, 0) }
      func length(at offset: Int) -> Double { Double(Int16(truncatingIfNeeded: bytes.number(at: offset))) }
      return (length(at: 42), -length(at: 38))
    }
  }

  /// Returns the sum of the typographic metrics in font units, from the table `OS/2`, and whether they are the font's own;
  /// nil if there are none.
  private static func typographicMetrics(_ face: OpaquePointer?) -> (height: Double, areUsed: Bool)? {
    withTable("OS/2", of: face) { bytes in
      guard bytes.count >= 74, bytes.number(at: 68) != 0 else { return nil }
      func length(at offset: Int) -> Double { Double(Int16(truncatingIfNeeded: bytes.number(at: offset))) }
      return (length(at: 68) - length(at: 70) + length(at: 72), bytes.number(at: 62) & 1 << 7 != 0)
    }
  }

  /// Returns the features in the table `GPOS` of a face.
  static func positioningFeatures(_ face: OpaquePointer) -> [hb_tag_t] {
    let table = tag("GPOS")
    var count = hb_ot_layout_table_get_feature_tags(face, table, 0, nil, nil)
    var tags = [hb_tag_t](repeating: 0, count: Int(count))
    _ = hb_ot_layout_table_get_feature_tags(face, table, 0, &count, &tags)
    return tags
  }

  /// The font units of a face of bitmaps for each design unit.
  private static let strikeScale = 256.0
}
