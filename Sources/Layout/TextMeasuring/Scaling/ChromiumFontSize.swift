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

  /// Returns a line height in the unit in which Chromium counts lengths, 1/64 pixel.
  static func lineHeight(_ points: Double) -> Double { (points * 64).rounded() / 64 }

  /// Returns whether a text in a style at a text scale is the text at the scale 1, multiplied by the text scale. Chromium rounds the
  /// ascent and the descent of a font at the scaled size.
  static func isMultiplied(_ style: TextStyle, by textScale: Double) -> Bool {
    let (scaledSize, scaledHeight) = (style.size * textScale, style.lineHeight * textScale)
    return size(scaledSize) == scaledSize && size(style.size) == style.size
      && (style.lineHeight.isNaN ? textScale == 1 : lineHeight(scaledHeight) == scaledHeight)
  }
}
