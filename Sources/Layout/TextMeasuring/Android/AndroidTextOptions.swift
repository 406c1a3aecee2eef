import LayoutEngine

/// The way in which Android chooses the lines of a paragraph. Android: `LineBreaker.BREAK_STRATEGY_*`.
public enum BreakStrategy: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// Each line takes as many words as fit.
  case simple
  /// The lines of a paragraph together have the least unused space.
  case highQuality
  /// As `highQuality`, and the last line counts too.
  case balanced
}

/// The division of the space of a line height above and below the text. Compose: `LineHeightStyle.Alignment`.
public enum LineHeightAlignment: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  case center
  case proportional
  case top
  case bottom
}

/// The lines that do not get the space of a line height. Compose: `LineHeightStyle.Trim`.
public enum LineHeightTrim: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  case none
  /// Above the first line.
  case firstLineTop
  /// Below the last line.
  case lastLineBottom
  case both
}

/// The properties of a TextView, or of a Text of another toolkit, that the lines and the height of its text depend on.
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
  /// The division of the space of a line height in Compose.
  public var lineHeightAlignment = LineHeightAlignment.center
  /// The lines of Compose without the space of a line height.
  public var lineHeightTrim = LineHeightTrim.none

  /// Creates the defaults of a platform: those of Material 3 for Compose.
  public init(_ platform: Platform = .android) {
    if platform == .compose { (breakStrategy, fontPadding) = (.simple, false) }
  }
}
