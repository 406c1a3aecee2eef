/// The indents and spaces of the paragraphs of a text, in points. Text scaling does not change them. A paragraph ends with a
/// newline. UIKit: `NSParagraphStyle`.
///
/// The numbers are small, because the options of a text are copied for each text.
public struct ParagraphStyle: BitwiseCopyable, Equatable, Sendable {
  /// The distance of the first line of a paragraph from the leading side.
  public var firstLineHeadIndent: Float = 0
  /// The distance of its other lines from the leading side.
  public var headIndent: Float = 0
  /// The space after each paragraph but the last.
  public var paragraphSpacing: Float = 0
  /// The space before each paragraph but the first.
  public var paragraphSpacingBefore: Float = 0

  /// Creates the style of paragraphs that are not set apart.
  public init() {}

  /// Whether paragraphs are set apart in no way.
  public var isPlain: Bool {
    firstLineHeadIndent == 0 && headIndent == 0 && paragraphSpacing == 0 && paragraphSpacingBefore == 0
  }

  /// Returns the indent of a line.
  func indent(isFirst: Bool) -> Double { Double(isFirst ? firstLineHeadIndent : headIndent) }

  /// The space between two paragraphs.
  var gap: Double { Double(paragraphSpacing) + Double(paragraphSpacingBefore) }
}
