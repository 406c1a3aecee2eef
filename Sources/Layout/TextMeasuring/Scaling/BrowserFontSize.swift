/// The sizes at which Chromium and WebKit set fonts (text-rules 16).
enum BrowserFontSize {
  /// Returns the size for which an engine takes the advances of a face's glyphs, in points.
  ///
  /// Chromium cuts a size to hundredths of a pixel, the precision of its cache of fonts (`FontDescription::EffectiveFontSize`). In both
  /// engines, Skia cuts it to 1/64 for the outlines of FreeType (`SkScalarToFDot6`), but not for bitmaps.
  static func size(_ size: Double, in engine: BrowserRules.Engine, hasBitmaps: Bool = false) -> Double {
    let pixels = Float(size)
    let ofFont = engine == .chromium ? (pixels * 100).rounded(.down) / 100 : pixels
    let cut = hasBitmaps ? ofFont : (ofFont * 64).rounded(.down) / 64
    return cut == pixels ? size : Double(cut)
  }

  /// Returns a line height in the unit in which Chromium counts lengths, 1/64 pixel.
  static func lineHeight(_ points: Double) -> Double { (points * 64).rounded() / 64 }
}
