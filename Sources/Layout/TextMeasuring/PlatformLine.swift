/// A line of a text that a platform's engine has filled. Offsets are in units of the text, lengths in points.
struct PlatformLine: BitwiseCopyable {
  /// The offset of its first unit.
  var start: Int32
  /// The offset after its last unit, with the spaces that hang.
  var end: Int32
  /// The offset after the last unit that is drawn: without the spaces that hang and the newline, and where the line is cut,
  /// the end of what stays before the truncation text.
  var shownEnd: Int32
  /// The width without the spaces that hang, and with the truncation text if that follows.
  var width: Double
  /// The distance of its top above its baseline.
  var above: Double
  /// The distance of its bottom below its baseline, with the space to the next line.
  var below: Double
  /// Whether the truncation text follows.
  var showsEllipsis = false
  /// Whether its paragraph runs from right to left.
  var isRightToLeft = false
}

extension TextMeasurement {
  /// Notes the number of the lines that a platform has filled, their height, and the positions of their baselines.
  mutating func note(_ platformLines: UnsafeBufferPointer<PlatformLine>) {
    lines = Int32(truncatingIfNeeded: platformLines.count)
    height = platformLines.reduce(0) { $0 + ($1.above + $1.below) }
    ascender = platformLines.first?.above ?? 0
    descender = -(platformLines.last?.below ?? 0)
  }
}
