/// The indents and spaces of the paragraphs of a text, in points. Text scaling does not change them. A paragraph ends with a
/// newline. UIKit: `NSParagraphStyle`.
public struct ParagraphStyle: BitwiseCopyable, Equatable, Sendable {
  /// The distance of the first line of a paragraph from the leading side.
  public var firstLineHeadIndent: Double = 0
  /// The distance of its other lines from the leading side.
  public var headIndent: Double = 0
  /// The distance of lines from the trailing side if it is 0 or negative, with a minus; otherwise the largest distance of their
  /// ends from the leading side, as in UIKit.
  public var tailIndent: Double = 0
  /// The space after each paragraph but the last.
  public var paragraphSpacing: Double = 0
  /// The space before each paragraph but the first.
  public var paragraphSpacingBefore: Double = 0

  /// Creates the style of paragraphs that are not set apart.
  public init() {}

  /// Whether paragraphs are set apart in no way.
  public var isPlain: Bool {
    firstLineHeadIndent == 0 && headIndent == 0 && paragraphSpacing == 0 && paragraphSpacingBefore == 0
      && tailIndent == 0
  }

  /// Multiplies all lengths that `ASTextKitFontSizeAdjuster` multiplies.
  mutating func scale(by factor: Double) {
    firstLineHeadIndent *= factor
    headIndent *= factor
    tailIndent *= factor
    paragraphSpacing *= factor
  }

  /// Returns the indent of a line.
  func indent(isFirst: Bool) -> Double { isFirst ? firstLineHeadIndent : headIndent }

  /// Returns the distance from the leading side at which the lines in a room end, in points.
  func end(in room: Double) -> Double { tailIndent > 0 ? min(room, tailIndent) : room + tailIndent }

  /// The distance from the trailing side that belongs to the width of a text, in points.
  var trailing: Double { max(0, -tailIndent) }

  /// The space between two paragraphs.
  var gap: Double { paragraphSpacing + paragraphSpacingBefore }
}
