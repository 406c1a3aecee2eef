import Buffers

/// Greedy line filling: each line takes what fits. Everything measured is at hand, so that a further width of a text
/// costs an addition and a comparison a segment.
extension TextMeasurer {
  /// Chromium rounds widths up to 1/64 and lets a line exceed its room by as much (text-rules 8).
  private static let fraction = 64.0

  /// Measures a prepared text in a box of at most `maxWidth` by `maxHeight` points.
  public mutating func measure(
    _ text: Int, textScale: Double, maxWidth: Double, maxHeight: Double
  ) -> TextMeasurement {
    let text = prepared.texts[text]
    // A box that is no number or less than nothing holds a cluster a line.
    let room = maxWidth > 0 ? maxWidth : 0
    var lines = Lines(
      limit: text.options.maximumNumberOfLines > 0 ? text.options.maximumNumberOfLines : .max,
      maxHeight: maxHeight.isNaN ? .infinity : maxHeight, spacing: text.options.lineSpacing)
    let end = text.segments.first + text.segments.count
    lineEnds.removeAll()
    var x = 0.0
    var width = 0.0
    var metrics: UInt32 = 0
    var isOpen = false
    var index = text.segments.first
    while index < end {
      let segment = prepared.segments.base + index
      let advance = segment.pointee.advance * textScale + segment.pointee.advanceSpacing
      if !segment.pointee.isBlank && !fits(x + advance, room) {
        if isOpen {
          if !finish(&lines, width, metrics, text, textScale, end: segment.pointee.start) { break }
          (x, width, metrics, isOpen) = (0, 0, 0, false)
        }
        if !fits(advance, room) {
          guard let rest = breakInside(index, text, textScale, room, &lines) else { break }
          x = rest
          width = rest
        } else {
          x = advance
          width = advance
        }
      } else {
        x += advance
        if !segment.pointee.isBlank { width = x }
      }
      isOpen = true
      metrics |= segment.pointee.metrics
      if segment.pointee.isTab {
        x = nextTabStop(x, text.tabWidth * textScale)
      } else {
        x += segment.pointee.space * textScale + segment.pointee.spaceSpacing
      }
      index += 1
      if segment.pointee.endsLine {
        if !finish(&lines, width, metrics, text, textScale, end: segment.pointee.end) { break }
        (x, width, metrics, isOpen) = (0, 0, 0, false)
      }
    }
    if isOpen && !lines.isFull {
      _ = finish(&lines, width, metrics, text, textScale, end: prepared.segments[end - 1].end)
    }
    return lines.measurement(
      isCut: index < end || lines.isOutOfHeight, room: room, truncationWidth: text.truncationWidth * textScale)
  }

  @inline(__always)
  private func fits(_ width: Double, _ room: Double) -> Bool {
    // ceil(width * 64) <= room * 64 + 1, without the call to ceil.
    width <= room || (width * Self.fraction - 1) <= (room * Self.fraction).rounded(.down)
  }

  private func nextTabStop(_ x: Double, _ tabWidth: Double) -> Double {
    tabWidth > 0 ? ((x / tabWidth).rounded(.down) + 1) * tabWidth : x
  }

  /// Ends a line before the unit `end`. False when no further line is wanted.
  private mutating func finish(
    _ lines: inout Lines, _ width: Double, _ metrics: UInt32, _ text: PreparedText, _ textScale: Double, end: Int32
  ) -> Bool {
    if recordsLines { lineEnds.append(LineEnd(unit: end, width: width)) }
    var line = LineMetrics(above: 0, below: 0)
    var bits = metrics
    var first = true
    while bits != 0 {
      let next = prepared.metrics[text.metrics.first + bits.trailingZeroBitCount]
      line.above = first ? next.above : max(line.above, next.above)
      line.below = first ? next.below : max(line.below, next.below)
      first = false
      bits &= bits - 1
    }
    return lines.add(width, above: line.above * textScale, below: line.below * textScale)
  }

  /// Breaks a segment that is wider than a line between its clusters, at least one a line; answers the width of what
  /// is left for the last line, or nil when no further line is wanted.
  private mutating func breakInside(
    _ index: Int, _ text: PreparedText, _ textScale: Double, _ room: Double, _ lines: inout Lines
  ) -> Double? {
    if prepared.segments[index].clusters < 0 { shapeClusters(of: index, text) }
    let segment = prepared.segments[index]
    var x = 0.0
    var isEmpty = true
    for cluster in Int(segment.clusters)..<Int(segment.clusters) + Int(segment.clusterCount) {
      let advance = prepared.clusters[cluster].advance * textScale + prepared.clusters[cluster].spacing
      if !isEmpty && !fits(x + advance, room) {
        let start = prepared.clusters[cluster].start
        if !finish(&lines, x, segment.metrics, text, textScale, end: start) { return nil }
        x = 0
      }
      x += advance
      isEmpty = false
    }
    return x
  }

  private mutating func shapeClusters(of index: Int, _ text: PreparedText) {
    let segment = prepared.segments[index]
    let first = prepared.clusters.count
    for item in text.items.first..<text.items.first + text.items.count {
      let item = prepared.items[item]
      let start = max(item.start, segment.start)
      let end = min(item.end, segment.spaceStart)
      guard start < end else { continue }
      let scale = pointsPerUnit(book.faces[Int(item.context.face)], item.style.size)
      let units = UnsafeBufferPointer(
        start: prepared.units.base + text.unitStart + Int(start), count: Int(end - start))
      var shaped: [(Int, Int32)] = []
      shaper.forEachCluster(units, item.context) { shaped.append(($0, $1)) }
      for (place, advance) in shaped {
        prepared.clusters.append(
          Cluster(
            advance: Double(advance) * scale, spacing: advance > 0 ? item.style.letterSpacing : 0,
            start: start + Int32(truncatingIfNeeded: place)))
      }
    }
    prepared.segments.base[index].clusters = Int32(truncatingIfNeeded: first)
    prepared.segments.base[index].clusterCount = Int32(truncatingIfNeeded: prepared.clusters.count - first)
  }
}

/// The lines of a text while they are filled.
private struct Lines {
  private let limit: Int32
  private let maxHeight: Double
  private let spacing: Double
  private var count: Int32 = 0
  private var height = 0.0
  private var widest = 0.0
  private var lastWidth = 0.0
  private var widestBeforeLast = 0.0
  private var ascender = 0.0
  private var descender = 0.0
  private(set) var isFull = false
  private(set) var isOutOfHeight = false

  init(limit: Int32, maxHeight: Double, spacing: Double) {
    self.limit = limit
    self.maxHeight = maxHeight
    self.spacing = spacing
  }

  /// Adds a line; false when there is room for no other. The first line is kept whatever its height.
  mutating func add(_ width: Double, above: Double, below: Double) -> Bool {
    let newHeight = height + above + below + (count > 0 ? spacing : 0)
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

  /// - Parameter isCut: text is left that no line holds.
  func measurement(isCut: Bool, room: Double, truncationWidth: Double) -> TextMeasurement {
    var width = widest
    if isCut {
      // The last line gives way to the truncation string where both do not fit.
      width = max(widestBeforeLast, min(room, lastWidth + truncationWidth))
    }
    return TextMeasurement(
      width: width, height: height, lines: count, isTruncated: isCut, ascender: ascender, descender: descender)
  }
}
