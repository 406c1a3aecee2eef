/// The way in which Android chooses the lines of a paragraph. Android: `LineBreaker.BREAK_STRATEGY_*`.
public enum BreakStrategy: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// Each line takes as many words as fit.
  case simple
  /// The lines of a paragraph together have the least unused space.
  case highQuality
  /// As `highQuality`, and the last line counts too.
  case balanced
}

/// The properties of a TextView that the lines and the height of its text depend on.
public struct AndroidTextOptions: BitwiseCopyable, Equatable, Sendable {
  /// The choice of lines. Android: `android:breakStrategy`.
  public var breakStrategy = BreakStrategy.highQuality
  /// Whether the size of the font and the advances of glyphs are not rounded to pixels. Android: `LINEAR_TEXT_FLAG`.
  public var linearText = false
  /// Whether the first line reaches to the top of the font, and the last to its bottom. Android:
  /// `android:includeFontPadding`.
  public var fontPadding = true
  /// Whether fallback fonts change the height of their lines. Android: `android:fallbackLineSpacing`.
  public var fallbackLineSpacing = true
  /// Whether lines have heights in which the letters of all scripts fit, whatever the font is. Android:
  /// `android:elegantTextHeight`.
  public var elegantTextHeight = false
  /// The factor of the height of a line. Android: `android:lineSpacingMultiplier`.
  public var lineSpacingMultiplier = 1.0
  /// Whether the text is a Text of React Native, which sets its line height by a span.
  public var isReactNative = false

  /// Creates the defaults of a TextView, or of a Text of React Native.
  public init(isReactNative: Bool = false) { self.isReactNative = isReactNative }
}
