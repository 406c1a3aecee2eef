import LayoutEngine

/// What the fonts of a cells file state about their sizes in variants.
public struct FontScales: Sendable {
  /// What a font states.
  public struct Font: BitwiseCopyable, Sendable {
    /// The growth with the text scale; nil for that of the platform.
    public var scaling: FontScaling?
    /// The sizes at the text sizes of iOS, if the font states them.
    public var sizes: FontSizes?

    /// Creates a font that states nothing.
    public init() {}
  }

  /// The fonts by the number in `TextStyle.scaling`. The first one states nothing.
  private var fonts = [Font()]

  /// Creates the scales of fonts that state nothing.
  public init() {}

  /// Adds a font and returns its number in `TextStyle.scaling`.
  public mutating func add(_ font: Font) -> Int32 {
    guard font.scaling != nil || font.sizes != nil else { return 0 }
    fonts.append(font)
    return Int32(truncatingIfNeeded: fonts.count - 1)
  }

  /// Returns what the font of a style states.
  public func font(of style: TextStyle) -> Font { fonts[Int(style.scaling)] }

  /// Returns the conversion of styles to those of a variant, or nil if all fonts are multiplied by its text scale.
  public func scaling(in variant: Variant) -> StyleScaling? {
    let scaling = StyleScaling(
      platform: variant.platform, textScale: variant.textScale, textSize: variant.textSize)
    return fonts.allSatisfy(scaling.isMultiplication) ? nil : scaling
  }

  /// Returns whether a style is only multiplied by the text scale of a variant.
  public func isMultiplied(_ style: TextStyle, _ scaling: StyleScaling) -> Bool {
    scaling.isMultiplication(fonts[Int(style.scaling)])
  }

  /// Returns a style as it is in a variant. A text in such styles is measured at the text scale 1.
  public func style(_ style: TextStyle, _ scaling: StyleScaling) -> TextStyle {
    scaling.style(style, fonts[Int(style.scaling)])
  }
}
