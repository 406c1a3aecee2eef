/// The indents and spaces of the paragraphs of a text, in points. Text scaling does not change them. A paragraph ends with a
/// newline. UIKit: `NSParagraphStyle`.
public struct ParagraphStyle: BitwiseCopyable, Equatable, Sendable {
  /// The distance of the first line of a paragraph from the leading side.
  public var firstLineHeadIndent = 0.0
  /// The distance of its other lines from the leading side.
  public var headIndent = 0.0
  /// The space after each paragraph but the last.
  public var paragraphSpacing = 0.0
  /// The space before each paragraph but the first.
  public var paragraphSpacingBefore = 0.0

  /// Creates the style of paragraphs that are not set apart.
  public init() {}

  /// Whether paragraphs are set apart in no way.
  var isPlain: Bool { self == ParagraphStyle() }

  /// Returns the indent of a line.
  func indent(isFirst: Bool) -> Double { isFirst ? firstLineHeadIndent : headIndent }

  /// The space between two paragraphs.
  var gap: Double { paragraphSpacing + paragraphSpacingBefore }
}
