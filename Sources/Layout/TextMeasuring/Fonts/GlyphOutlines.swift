import CHarfBuzz

/// A glyph of a face in a font book.
public struct GlyphKey: Hashable, Sendable {
  /// The index of the face in the font book.
  public let face: Int32
  /// The index of the glyph in the face.
  public let glyph: UInt32

  /// Whether it is .notdef, the glyph for characters that the face lacks.
  public var isMissing: Bool { glyph == 0 }
}

/// The picture of a glyph in units of its face, with x to the right and y downward from its origin on the baseline.
public enum GlyphPicture: Sendable {
  /// The data of an SVG path.
  case outline(String)
  /// A bitmap as a PNG file, and the rectangle that it fills.
  case bitmap(png: [UInt8], x: Double, y: Double, width: Double, height: Double)
}

extension TextMeasurer {
  /// Returns the picture of a glyph, or nil for one that shows nothing, such as a space.
  public func picture(of key: GlyphKey) -> GlyphPicture? {
    let font = store.book.faces[Int(key.face)].font
    return bitmap(of: key.glyph, font) ?? outline(of: key.glyph, font)
  }

  private func bitmap(of glyph: UInt32, _ font: OpaquePointer) -> GlyphPicture? {
    let blob = hb_ot_color_glyph_reference_png(font, glyph)
    defer { hb_blob_destroy(blob) }
    let png = [UInt8](UnsafeRawBufferPointer(ofBlob: blob))
    var extents = hb_glyph_extents_t()
    guard !png.isEmpty, hb_font_get_glyph_extents(font, glyph, &extents) != 0 else { return nil }
    return .bitmap(
      png: png, x: Double(extents.x_bearing), y: -Double(extents.y_bearing), width: Double(extents.width),
      height: -Double(extents.height))
  }

  private func outline(of glyph: UInt32, _ font: OpaquePointer) -> GlyphPicture? {
    var path = SVGPathData()
    withUnsafeMutablePointer(to: &path) { path in
      let pen = SVGPathData.makePen()
      defer { hb_draw_funcs_destroy(pen) }
      hb_font_get_glyph_shape(font, glyph, pen, path)
    }
    return path.text.isEmpty ? nil : .outline(path.text)
  }
}

/// The data of an SVG path to which HarfBuzz draws an outline. Coordinates are rounded to whole font units.
private struct SVGPathData {
  var text = ""

  /// Appends a command with its coordinates, x and y in turn.
  mutating func append(_ command: Character, _ coordinates: Float...) {
    text.append(command)
    for (index, coordinate) in coordinates.enumerated() {
      // HarfBuzz's y points upward.
      let value = Int((index % 2 == 0 ? coordinate : -coordinate).rounded())
      if index > 0 && value >= 0 { text.append(" ") }
      text += String(value)
    }
  }

  /// Returns HarfBuzz's draw functions for a pointer to path data. The caller must destroy them.
  static func makePen() -> OpaquePointer? {
    let pen = hb_draw_funcs_create()
    hb_draw_funcs_set_move_to_func(
      pen, { _, data, _, x, y, _ in SVGPathData.at(data) { $0.append("M", x, y) } }, nil, nil)
    hb_draw_funcs_set_line_to_func(
      pen, { _, data, _, x, y, _ in SVGPathData.at(data) { $0.append("L", x, y) } }, nil, nil)
    hb_draw_funcs_set_quadratic_to_func(
      pen, { _, data, _, cx, cy, x, y, _ in SVGPathData.at(data) { $0.append("Q", cx, cy, x, y) } }, nil, nil)
    hb_draw_funcs_set_cubic_to_func(
      pen, { _, data, _, ax, ay, bx, by, x, y, _ in SVGPathData.at(data) { $0.append("C", ax, ay, bx, by, x, y) } },
      nil, nil)
    hb_draw_funcs_set_close_path_func(
      pen, { _, data, _, _ in SVGPathData.at(data) { $0.append("Z") } }, nil, nil)
    return pen
  }

  private static func at(_ data: UnsafeMutableRawPointer?, _ body: (inout SVGPathData) -> Void) {
    if let data { body(&data.assumingMemoryBound(to: SVGPathData.self).pointee) }
  }
}
