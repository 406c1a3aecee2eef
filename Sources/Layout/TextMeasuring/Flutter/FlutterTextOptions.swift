/// The least height of all lines of a text. Flutter: `StrutStyle`.
public struct FlutterStrut: BitwiseCopyable, Equatable, Sendable {
  /// The height of a line divided by the size of the font; nil is that of the font.
  public var height: Double?
  /// The space between lines divided by the size of the font.
  public var leading = 0.0
  /// Whether the space of a stated height is divided evenly above and below the text.
  public var evenLeading = false
  /// Whether all lines have the height of the strut.
  public var isForced = false

  /// Creates the strut of the font.
  public init() {}
}

/// The properties of a Text of Flutter that the height of its lines depends on.
public struct FlutterTextOptions: BitwiseCopyable, Equatable, Sendable {
  /// Whether the space of a stated line height is divided evenly above and below the text, and not in proportion to the
  /// font's ascent and descent. Flutter: `TextLeadingDistribution`.
  public var evenLeading = false
  /// Whether a stated line height applies above the first line. Flutter: `TextHeightBehavior`.
  public var appliesHeightToFirstAscent = true
  /// Whether a stated line height applies below the last line.
  public var appliesHeightToLastDescent = true
  /// The strut, if there is one.
  public var strut: FlutterStrut?

  /// Creates the defaults of a Text.
  public init() {}
}
