import LayoutEngine

/// The conversion of the styles of texts to those of a variant in which fonts do not grow by the same factor.
public struct StyleScaling: BitwiseCopyable, Equatable, Sendable {
  let platform: Platform
  /// The text scale of the variant.
  public let textScale: Double
  let textSize: TextSize?

  /// Returns whether a font is only multiplied by the text scale.
  func isMultiplication(_ font: FontScales.Font) -> Bool {
    if textSize != nil && font.sizes != nil { return false }
    if textScale == 1 { return true }
    // Browsers round the ascent and the descent of a font, and line heights, at the scaled size.
    if platform.isBrowser && platform != .texture { return false }
    return switch font.scaling ?? platform.fontScaling {
    case .android: AndroidFontScale.isLinear(textScale)
    case .linear: true
    case .none: false
    }
  }

  /// Returns a style as it is in the variant.
  func style(_ style: TextStyle, _ font: FontScales.Font) -> TextStyle {
    var scaled = style
    scaled.scaling = 0
    if let textSize, let sizes = font.sizes { resize(&scaled, to: sizes[textSize]) }
    scale(&scaled, font.scaling ?? platform.fontScaling)
    if platform == .web { scaled.lineHeight = BrowserFontSize.lineHeight(scaled.lineHeight) }
    scaled.scaleOffsetAndAttachment(by: scaled.size / style.size)
    return scaled
  }

  /// Gives a style another size of its font. Its line height changes by the same factor.
  private func resize(_ style: inout TextStyle, to size: Double) {
    let factor = size / style.size
    style.size = size
    style.lineHeight *= factor
    // Android states letter spacing in em.
    if platform == .android { style.letterSpacing *= factor }
  }

  /// Applies the text scale.
  private func scale(_ style: inout TextStyle, _ scaling: FontScaling) {
    let size = scaling.size(of: style.size, at: textScale)
    let factor = size / style.size
    style.size = size
    switch platform {
    case .android:
      style.lineHeight *= factor
      style.letterSpacing *= factor
    case .reactNative:
      // A line height and a letter spacing are lengths in sp of their own.
      style.lineHeight = scaling.size(of: style.lineHeight, at: textScale)
      style.letterSpacing = scaling.size(of: style.letterSpacing, at: textScale)
    case .compose:
      // A line height becomes a multiple of the font's size, and a letter spacing is a length in sp of its own.
      style.lineHeight *= factor
      style.letterSpacing = scaling.size(of: style.letterSpacing, at: textScale)
    case .flutter:
      // A line height is a multiple of the font's size.
      style.lineHeight *= factor
    case .texture, .web, .webkit, .firefox:
      if scaling != .none { style.lineHeight *= textScale }
    }
  }
}
