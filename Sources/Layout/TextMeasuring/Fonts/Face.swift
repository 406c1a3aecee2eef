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
  /// The number of the font's features in the book.
  var features: Int32 = 0

  /// Creates the face of a source, whose file must outlive the face. Returns nil if HarfBuzz finds no such face in the file.
  init?(_ source: FontBook.Source) {
    let (file, index) = (source.file, source.index)
    // The face keeps a reference to the blob, and the font to the face.
    let blob = hb_blob_create(
      UnsafeRawPointer(file.start).assumingMemoryBound(to: CChar.self), UInt32(clamping: file.count),
      HB_MEMORY_MODE_READONLY, nil, nil)
    defer { hb_blob_destroy(blob) }
    guard index < hb_face_count(blob), let face = hb_face_create(blob, index) else { return nil }
    defer { hb_face_destroy(face) }
    guard hb_face_get_glyph_count(face) > 0 else { return nil }
    font = hb_font_create(face)
    var variations = source.axes.map { hb_variation_t(tag: $0.tag, value: $0.value) }
    if source.weight > 0 { variations.append(hb_variation_t(tag: Self.weightAxis, value: Float(source.weight))) }
    if !variations.isEmpty { hb_font_set_variations(font, variations, UInt32(variations.count)) }
    designUnits = Double(hb_face_get_upem(face))
    let strike = Strike(of: face)
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
    bitmapAscender = strike.map { [unitsPerEm] in $0.ascender * unitsPerEm } ?? ascender
    bitmapDescender = strike.map { [unitsPerEm] in $0.descender * unitsPerEm } ?? descender
    let bounds = Self.verticalBounds(face)
    top = strike == nil ? bounds.top : bitmapAscender
    bottom = strike == nil ? bounds.bottom : bitmapDescender
    var space: hb_codepoint_t = 0
    spaceAdvance = hb_font_get_nominal_glyph(font, 0x20, &space) != 0 ? hb_font_get_glyph_h_advance(font, space) : 0
    let font = self.font
    trimsPunctuation = Self.covers(font, 0x300c) && Self.hasFeature(Self.alternateHalfWidths, face)
    coversAscii = source.features.isEmpty && (0x20...0x7e).allSatisfy { Self.covers(font, $0) }
  }

  /// Frees the memory that the face points to.
  func destroy() { hb_font_destroy(font) }

  /// Returns whether the face maps a character to a glyph.
  func covers(_ scalar: UInt32) -> Bool { Self.covers(font, scalar) }

  private static func covers(_ font: OpaquePointer, _ scalar: UInt32) -> Bool {
    var glyph: hb_codepoint_t = 0
    return hb_font_get_nominal_glyph(font, scalar, &glyph) != 0
  }

  /// Returns whether a face of bitmaps has one for a glyph.
  func hasBitmap(_ glyph: UInt32) -> Bool {
    guard strikeAdvance != nil else { return false }
    let image = hb_ot_color_glyph_reference_png(font, glyph)
    defer { hb_blob_destroy(image) }
    return hb_blob_get_length(image) > 0
  }

  /// `COLR`
  private static let colorTable: hb_tag_t = 0x434f_4c52

  /// Whether the face has glyphs with colors.
  var hasColors: Bool {
    guard let face = hb_font_get_face(font) else { return false }
    let layers = hb_face_reference_table(face, Self.colorTable)
    defer { hb_blob_destroy(layers) }
    return hb_blob_get_length(layers) > 0 || hb_ot_color_has_png(face) != 0 || hb_ot_color_has_svg(face) != 0
  }

  /// The character that is shown at the end of a line that ends at a soft hyphen: U+2010, or U+002D if the face lacks that
  /// (text-rules 12).
  var hyphen: UInt32 { covers(0x2010) ? 0x2010 : 0x2d }

  /// Returns the advance of a character by itself.
  func advance(of scalar: UInt32) -> Int32 {
    var glyph: hb_codepoint_t = 0
    _ = hb_font_get_nominal_glyph(font, scalar, &glyph)
    return hb_font_get_glyph_h_advance(font, glyph)
  }

  /// The first bitmap size in the table `CBLC`. Lengths are in ems.
  private struct Strike {
    /// The width of its widest glyph.
    let width: Double
    let ascender: Double
    let descender: Double
    let pixelsPerEm: Double

    init?(of face: OpaquePointer?) {
      let table = hb_face_reference_table(face, bitmapLocations)
      defer { hb_blob_destroy(table) }
      var length: UInt32 = 0
      guard let start = hb_blob_get_data(table, &length), length >= 56 else { return nil }
      let bytes = UnsafeRawPointer(start)
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
    let table = hb_face_reference_table(face, header)
    defer { hb_blob_destroy(table) }
    var length: UInt32 = 0
    guard let start = hb_blob_get_data(table, &length), length >= 54 else { return (0, 0) }
    let bytes = UnsafeRawPointer(start)
    let lowest = Int16(bigEndian: bytes.loadUnaligned(fromByteOffset: 38, as: Int16.self))
    let highest = Int16(bigEndian: bytes.loadUnaligned(fromByteOffset: 42, as: Int16.self))
    return (Double(highest), -Double(lowest))
  }

  private static func hasFeature(_ feature: hb_tag_t, _ face: OpaquePointer) -> Bool {
    var index: UInt32 = 0
    var count = hb_ot_layout_table_get_feature_tags(face, positioning, 0, nil, nil)
    var tags = [hb_tag_t](repeating: 0, count: Int(count))
    while index < UInt32(tags.count) {
      var got = count
      _ = hb_ot_layout_table_get_feature_tags(face, positioning, index, &got, &tags)
      if tags.prefix(Int(got)).contains(feature) { return true }
      if got == 0 { break }
      index += got
      count -= min(count, got)
    }
    return false
  }

  /// The font units of a face of bitmaps for each design unit.
  private static let strikeScale = 256.0
  /// `CBLC`
  private static let bitmapLocations: hb_tag_t = 0x4342_4c43
  /// `head`
  private static let header: hb_tag_t = 0x6865_6164
  /// `GPOS`
  private static let positioning: hb_tag_t = 0x4750_4f53
  /// `halt`
  private static let alternateHalfWidths: hb_tag_t = 0x6861_6c74
  /// `wght`
  private static let weightAxis: hb_tag_t = 0x7767_6874
}
