/// The sizes at which Chromium sets fonts (text-rules 16).
enum ChromiumFontSize {
  /// Returns the size for which Chromium takes the advances of a face's glyphs, in points.
  ///
  /// Chromium cuts a size to hundredths of a pixel, the precision of its cache of fonts (`FontDescription::EffectiveFontSize`), and
  /// Skia cuts it to 1/64 for the outlines of FreeType (`SkScalarToFDot6`), but not for bitmaps.
  static func size(_ size: Double, hasBitmaps: Bool = false) -> Double {
    let pixels = Float(size)
    let hundredths = (pixels * 100).rounded(.down) / 100
    let cut = hasBitmaps ? hundredths : (hundredths * 64).rounded(.down) / 64
    return cut == pixels ? size : Double(cut)
  }

  /// Returns whether Chromium takes the advances of a smaller size for a style.
  static func isCut(_ style: TextStyle) -> Bool { size(style.size) != style.size }

  /// Returns a line height in the unit in which Chromium counts lengths, 1/64 pixel.
  static func lineHeight(_ points: Double) -> Double { (points * 64).rounded() / 64 }
}
