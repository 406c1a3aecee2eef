/// A line of a measured text as it is drawn. Offsets are in UTF-16 units of the text as drawn, lengths are in points, and
/// distances from the top are those from the top of the text.
public struct TextLine: BitwiseCopyable, Equatable, Sendable {
  /// The offset of the first unit.
  public var start: Int32
  /// The offset after the last unit that is drawn: without the spaces that hang, and without what the truncation removed.
  public var end: Int32
  /// The width that is drawn, with the hyphen or the truncation string.
  public var width: Double
  /// The distance from the top to the top of the line.
  public var top: Double
  public var height: Double
  /// The distance from the top to the baseline.
  public var baseline: Double
  public var traits: Traits
  /// The distance from the left side of the text's frame. The measurer, which does not know the frame, sets it to the indent of
  /// the line, which is at the right side in a paragraph from right to left.
  public var x: Float = 0
  /// What rectangles exclude of the line.
  public var exclusion = LineExclusion()

  /// What is drawn at the end of a line, and its direction.
  public struct Traits: OptionSet, BitwiseCopyable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The line is cut at its end, and the truncation string follows.
    public static let ellipsis = Traits(rawValue: 1)
    /// A hyphen is drawn after its end, which is a soft hyphen or in a word that a dictionary hyphenates.
    public static let hyphen = Traits(rawValue: 2)
    /// Its paragraph runs from right to left, so that the line is at the right side of its text.
    public static let rightToLeft = Traits(rawValue: 4)
  }
}
