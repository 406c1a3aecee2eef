/// The dimensions of the lines of a text that were filled so far, in points.
struct FilledLines {
  /// The most lines.
  private let limit: Int32
  private let maxHeight: Double
  private let spacing: Double
  private(set) var count: Int32 = 0
  private var height = 0.0
  private var widest = 0.0
  private var lastWidth = 0.0
  private var widestBeforeLast = 0.0
  private var ascender = 0.0
  private var descender = 0.0
  /// Whether no further line fits.
  private(set) var isFull = false
  /// Whether a line was left out because of the height.
  private(set) var isOutOfHeight = false

  init(limit: Int32, maxHeight: Double, spacing: Double) {
    self.limit = limit
    self.maxHeight = maxHeight
    self.spacing = spacing
  }

  /// The distance from the top of the text to the top of the next line, in points.
  var nextTop: Double { height + (count > 0 ? spacing : 0) }

  /// Adds a line. Returns false if no further line fits. The first line is kept whatever its height.
  ///
  /// - Parameter space: the space above it, beside the one between lines.
  @inline(__always)
  mutating func add(_ width: Double, above: Double, below: Double, space: Double = 0) -> Bool {
    let newHeight = height + above + below + space + (count > 0 ? spacing : 0)
    if count > 0 && newHeight > maxHeight + 1.0 / 64 {
      isFull = true
      isOutOfHeight = true
      return false
    }
    widestBeforeLast = widest
    widest = max(widest, width)
    lastWidth = width
    height = newHeight
    if count == 0 { ascender = above }
    descender = -below
    count += 1
    isFull = count == limit
    return !isFull
  }

  /// Returns the measurement of the lines.
  ///
  /// - Parameters:
  ///   - isCut: whether text is left that is on no line.
  ///   - room: the width of the box.
  func measurement(isCut: Bool, room: Double, truncationWidth: Double) -> TextMeasurement {
    var width = widest
    if isCut {
      // The last line is shortened for the truncation string if both do not fit.
      width = max(widestBeforeLast, min(room, lastWidth + truncationWidth))
    }
    return TextMeasurement(
      width: width, height: height, lines: count, isTruncated: isCut, ascender: ascender, descender: descender)
  }
}
