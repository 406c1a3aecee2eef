/// Where a line stands.
struct LinePen: BitwiseCopyable {
  /// Chromium rounds the width of each item up to 1/64 and lets a line exceed its room by as much (text-rules 8).
  static let fraction = 64.0

  /// Widths of the items that are behind it, each rounded up.
  var items = 0.0
  /// Within the current item.
  var x = 0.0
  /// Of what is shown, to the end of the last segment that shows something.
  var width = 0.0
  var metrics: UInt32 = 0
  var isOpen = false

  @inline(__always)
  var position: Double { items + x }

  @inline(__always)
  mutating func startItem() {
    items += Self.roundUp(x)
    x = 0
  }

  @inline(__always)
  static func roundUp(_ x: Double) -> Double { (x * fraction).rounded(.up) / fraction }
}

/// A text whose lines are being filled.
struct LineFillingState {
  /// Where a line may end instead, before ideographic spaces that give way to what is behind them.
  struct EarlierEnd {
    var pen: LinePen
    /// The segment that the next line starts with.
    var next: Int
    /// The segment behind the spaces.
    var behind: Int
  }

  /// Where the line that is being filled starts, so that it can be filled again. Kept for texts with soft hyphens.
  struct LineStart {
    /// The unit that it starts with.
    var unit: Int32 = 0
    /// The next segment, and whether that is one of those cut anew.
    var next = 0
    var isRecut = false
    /// What is left on it of a segment that was broken inside, and whether that is a single cluster.
    var pen = LinePen()
    var isCluster = false
  }

  let text: PreparedText
  let textScale: Double
  let hasSoftHyphens: Bool
  /// The widest line that the box holds.
  let limit: Double
  /// The widest that the current line may be: less than `limit` while it is filled again to leave room for its hyphen.
  var lineLimit: Double
  var lines: FilledLines
  var pen = LinePen()
  var start = LineStart()
  /// The last segment of what did not fit, while a line is filled again.
  var overflow: Int?
  var earlierEnd: EarlierEnd?
  /// The next segment, and the end of those to fill.
  var index: Int
  var end: Int
  /// Whether a stretch is filled that was cut anew, and with which segment the text goes on behind it.
  var isRecut = false
  var afterRecut = 0
  let lastSegment: Int

  init(_ text: PreparedText, textScale: Double, maxWidth: Double, maxHeight: Double) {
    self.text = text
    self.textScale = textScale
    hasSoftHyphens = text.traits.contains(.softHyphens)
    // A box that is no number or less than nothing holds a cluster a line.
    let room = maxWidth > 0 ? maxWidth : 0
    // ceil(width * 64) <= room * 64 + 1 says that a line fits; this is the widest that does.
    limit = ((room * LinePen.fraction).rounded(.down) + 1) / LinePen.fraction
    lineLimit = limit
    lines = FilledLines(
      limit: text.options.maximumNumberOfLines > 0 ? text.options.maximumNumberOfLines : .max,
      maxHeight: maxHeight.isNaN ? .infinity : maxHeight, spacing: text.options.lineSpacing)
    index = text.segments.first
    end = text.segments.first + text.segments.count
    lastSegment = end
  }

  /// Whether text is left that no line holds.
  var isCut: Bool { index < end || (isRecut && afterRecut < lastSegment) || lines.isOutOfHeight }

  /// Starts the next line, of which nothing is filled yet.
  @inline(__always)
  mutating func startLine() {
    pen = LinePen()
    guard hasSoftHyphens || earlierEnd != nil else { return }
    (lineLimit, overflow, earlierEnd) = (limit, nil, nil)
  }

  /// Goes on with what was cut anew, or behind it.
  mutating func enter(recut first: Int, to end: Int, before next: Int) {
    startLine()
    (index, self.end, isRecut, afterRecut) = (first, end, true, next)
  }

  mutating func leaveRecut() { (index, end, isRecut) = (afterRecut, lastSegment, false) }
}
