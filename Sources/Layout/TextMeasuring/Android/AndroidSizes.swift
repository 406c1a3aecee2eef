import LayoutEngine

/// The sizes of a text's styles on a screen of Android, in pixels.
struct AndroidSizes: BitwiseCopyable {
  private let platform: Platform
  private let options: AndroidTextOptions
  /// The number of pixels a point.
  let density: Double
  private let textScale: Double

  init(_ options: TextOptions, pixels: Double, textScale: Double) {
    (platform, self.options) = (options.platform, options.android)
    density = pixels
    self.textScale = textScale
  }

  /// The largest size of a font in pixels, for which the advances of glyphs are whole numbers of 64 bits.
  private static let maxSize = 1e5

  /// Whether advances are not rounded to pixels.
  var isLinear: Bool { options.linearText }

  /// Returns the size of a style's font. React Native rounds it up. Android: `Paint.getTextSize`.
  private func textSize(_ style: TextStyle) -> Float {
    let size = Float(min(max(0, style.size * textScale * density), Self.maxSize))
    return platform == .reactNative ? (size - 1e-4).rounded(.up) : size
  }

  /// Returns the size at which the glyphs of a style are measured, which the default paint truncates. Source:
  /// `MinikinUtils::prepareMinikinPaint` of hwui.
  func pixels(_ style: TextStyle) -> Float {
    let size = textSize(style)
    return platform == .reactNative || options.linearText ? size : (size + 1e-4).rounded(.down)
  }

  func lineHeight(_ style: TextStyle) -> Float {
    let height = Float(style.lineHeight * textScale * density)
    return platform == .android ? height.rounded() : (height - 1e-4).rounded(.up)
  }

  func letterSpacing(_ style: TextStyle) -> Float {
    style.letterSpacing == 0 ? 0 : Float(style.letterSpacing / style.size) * pixels(style)
  }

  /// Returns half of the letter spacing of a style in pixels, with the precision of `LayoutPiece` of minikin.
  func halfLetterSpacing(_ style: TextStyle) -> Double {
    style.letterSpacing == 0 ? 0 : Double(Float(style.letterSpacing / style.size)) * Double(pixels(style)) / 2
  }

  /// Returns the metrics of a style's font, whose size is not truncated for them. Android: `Paint.getFontMetricsInt`.
  func metrics(_ style: TextStyle, _ book: FontBook) -> AndroidFontMetrics {
    options.elegantTextHeight
      ? AndroidFontMetrics(elegantSize: textSize(style))
      : AndroidFontMetrics(book.faces[Int(style.face)], size: textSize(style))
  }

  /// Returns the gap between two lines that a style's font recommends, in pixels.
  func leading(_ style: TextStyle, _ book: FontBook) -> Float {
    let face = book.faces[Int(style.face)]
    return options.elegantTextHeight ? 0 : Float(face.lineGap * Double(textSize(style)) / face.unitsPerEm)
  }

  /// Returns the advance of a glyph without letter spacing, in pixels.
  func advance(of glyph: PlatformGlyph, _ store: borrowing TextStore) -> Float {
    let item = store.prepared.items[Int(glyph.item)]
    return AndroidAdvance(store.book.faces[Int(item.context.face)], size: pixels(item.style), isLinear).pixels(glyph)
  }

  /// Returns the letter spacing of a glyph, in pixels.
  func letterSpacing(_ glyph: PlatformGlyph, _ store: borrowing TextStore) -> Float {
    glyph.isSpaced ? letterSpacing(store.prepared.items[Int(glyph.item)].style) : 0
  }

  /// The distance of two tab stops. Android: `Layout.TAB_INCREMENT`.
  static let tabWidth: Float = 20
}

/// The advances of a face's glyphs at a size. Source: minikin's functions for HarfBuzz, which count in 1/256 pixel, and
/// FreeType.
struct AndroidAdvance {
  /// The factor from font units to 1/64 pixel, in 1/65536.
  private let outlineScale: Double
  /// The factor from font units to 1/256 pixel, in 1/65536.
  private let kerningScale: Int64
  /// The units of the face for each font unit.
  private let unitScale: Int64
  /// The size in 1/256 pixel and the font units of an em, if the face has bitmaps.
  private let bitmapScale: (size: Int64, unitsPerEm: Int64)?
  private let isLinear: Bool

  init(_ face: Face, size: Float, _ isLinear: Bool) {
    let unitsPerEm = face.designUnits
    unitScale = Int64(face.unitsPerEm / unitsPerEm)
    // FreeType takes sizes in 1/64 pixel, which Skia truncates to them.
    outlineScale = (Double((size * 64).rounded(.towardZero)) * 65536 / unitsPerEm).rounded()
    kerningScale = Int64(size * 256) << 16 / Int64(unitsPerEm)
    bitmapScale = face.strikeAdvance == nil ? nil : (Int64(size * 256), Int64(unitsPerEm))
    self.isLinear = isLinear
  }

  /// Returns the advance of a glyph in pixels.
  func pixels(_ glyph: PlatformGlyph) -> Float {
    var fixed: Int64 = 0
    if glyph.outline != 0 {
      let scaled = Double(glyph.outline) * outlineScale
      if isLinear {
        // FreeType's linear advance is in 1/65536 pixel.
        fixed = Int64(((scaled / 64).rounded() / 256).rounded(.towardZero))
      } else {
        fixed = Int64(((scaled / 65536).rounded() / 64 + 0.5).rounded(.down)) * 256
      }
    }
    if glyph.adjustment != 0 {
      let adjustment = Int64(glyph.adjustment) / unitScale
      if let bitmapScale {
        // HarfBuzz scales the advance of the font by itself.
        fixed &+= adjustment &* bitmapScale.size / bitmapScale.unitsPerEm
      } else {
        fixed &+= (adjustment &* kerningScale &+ 32768) >> 16
      }
    }
    return Float(fixed) / 256
  }
}
