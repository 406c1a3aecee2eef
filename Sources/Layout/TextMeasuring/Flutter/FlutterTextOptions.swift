/// The division of the space of a stated line height above and below the text. Flutter: `TextLeadingDistribution`.
public enum LeadingDistribution: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// In proportion to the ascent and the descent of the font.
  case proportional
  /// In equal parts.
  case even
}

/// The least height of all lines of a text. Flutter: `StrutStyle`.
public struct FlutterStrut: BitwiseCopyable, Equatable, Sendable {
  /// The height of a line divided by the size of the font; nil is that of the font.
  public var height: Double?
  /// The space between lines divided by the size of the font.
  public var leading = 0.0
  /// The division of the space of a stated height.
  public var leadingDistribution = LeadingDistribution.proportional
  /// Whether all lines have the height of the strut.
  public var isForced = false

  /// Creates the strut of the font.
  public init() {}
}

/// The properties of a Text of Flutter that the height of its lines depends on.
public struct FlutterTextOptions: BitwiseCopyable, Equatable, Sendable {
  /// The division of the space of a stated line height.
  public var leadingDistribution = LeadingDistribution.proportional
  /// Whether a stated line height applies above the first line. Flutter: `TextHeightBehavior`.
  public var appliesHeightToFirstAscent = true
  /// Whether a stated line height applies below the last line.
  public var appliesHeightToLastDescent = true
  /// The strut, if there is one.
  public var strut: FlutterStrut?

  /// Creates the defaults of a Text.
  public init() {}
}
