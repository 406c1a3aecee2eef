/// A line of a text as it is drawn.
public struct TextLine: Equatable, Sendable {
  /// The name of the text.
  public let node: String
  /// The number of the line within the text, from 0.
  public let line: Int
  /// The offsets in the text of the first unit and after the last one that is drawn, in UTF-16.
  public let start, end: Int
  /// The line in points, in the coordinates of the text's frame.
  public let x, y, width, height: Float
  /// The distance of the baseline from the top of the text's frame, in points.
  public let baseline: Float
  /// Whether the text is cut at `end` and the truncation string follows.
  public let hasEllipsis: Bool
  /// Whether a hyphen is drawn after `end`.
  public let hasHyphen: Bool
  /// Whether the paragraph of the line runs from right to left.
  public let isRightToLeft: Bool
}
