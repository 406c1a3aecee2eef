import Buffers

/// Greedy line filling: each line takes what fits. Everything measured is at hand, so that a further width of a text
/// costs an addition and a comparison a segment.
extension TextMeasurer {
  /// Chromium rounds the width of each item up to 1/64 and lets a line exceed its room by as much (text-rules 8).
  private static let fraction = 64.0

  /// Where a line stands.
  private struct Pen {
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
      items += (x * TextMeasurer.fraction).rounded(.up) / TextMeasurer.fraction
      x = 0
    }
  }

  /// Where a line may end at the latest: if the soft hyphen behind does not fit, or before spaces that give way.
  private struct LineEndCandidate {
    var pen: Pen
    /// The segment that the next line starts with.
    var next: Int
  }

  /// Measures a prepared text in a box of at most `maxWidth` by `maxHeight` points.
  public mutating func measure(
    _ text: Int, textScale: Double, maxWidth: Double, maxHeight: Double
  ) -> TextMeasurement {
    let text = prepared.texts[text]
    // A box that is no number or less than nothing holds a cluster a line.
    let room = maxWidth > 0 ? maxWidth : 0
    // ceil(width * 64) <= room * 64 + 1 says that a line fits; this is the widest that does.
    let limit = ((room * Self.fraction).rounded(.down) + 1) / Self.fraction
    var lines = FilledLines(
      limit: text.options.maximumNumberOfLines > 0 ? text.options.maximumNumberOfLines : .max,
      maxHeight: maxHeight.isNaN ? .infinity : maxHeight, spacing: text.options.lineSpacing)
    var end = text.segments.first + text.segments.count
    lineEnds.removeAll()
    keptSegments = prepared.segments.count
    defer { prepared.segments.truncate(to: keptSegments) }
    var pen = Pen()
    var candidate: LineEndCandidate?
    var givingWay: (end: LineEndCandidate, behind: Int)?
    var index = text.segments.first
    // Whether a stretch is filled that was cut anew, and with which segment the text goes on behind it.
    var isRecut = false
    var afterRecut = 0
    let lastSegment = end
    while true {
      if index == end {
        guard isRecut else { break }
        (index, end, isRecut) = (afterRecut, lastSegment, false)
        continue
      }
      let next = fillPlainly(&pen, from: index, to: end, textScale, limit)
      if next > index && text.traits.contains(.softHyphens) { candidate = LineEndCandidate(pen: pen, next: next) }
      index = next
      if index == end { continue }
      let segment = prepared.segments.base + index
      if segment.pointee.traits.isEmpty && pen.isOpen && !segment.pointee.isBlank && givingWay == nil
        && !text.traits.contains(.softHyphens)
      {
        if !finish(&lines, pen, text, textScale, end: segment.pointee.start) { break }
        pen = Pen()
        continue
      }
      var last = index
      var moved = pen
      advance(&moved, over: &last, textScale)
      if !segment.pointee.isBlank && moved.position > limit
        && !(prepared.segments[last].endTrim > 0
          && moved.position - prepared.segments[last].endTrim * textScale <= limit)
      {
        if pen.isOpen {
          let atHyphen = prepared.segments[index - 1].endTrim < 0
          if atHyphen {
            let hyphen = -prepared.segments[index - 1].endTrim * textScale
            if pen.position + hyphen <= limit || candidate == nil {
              pen.width += hyphen
            } else if let earlier = candidate {
              pen = earlier.pen
              index = earlier.next
            }
          } else if let givingWay, givingWay.behind == index {
            (pen, index) = (givingWay.end.pen, givingWay.end.next)
          }
          if !finish(&lines, pen, text, textScale, end: prepared.segments[index].start) { break }
          (pen, candidate, givingWay) = (Pen(), nil, nil)
          continue
        }
        guard let rest = breakInside(index, last, text, textScale, limit, &lines) else { break }
        switch rest {
        case .line(let started): moved = started
        case .recut(let first, let next):
          (isRecut, afterRecut) = (true, next)
          (index, end) = (first, prepared.segments.count)
          continue
        }
      }
      if segment.pointee.traits.contains(.givesWay) && pen.isOpen {
        let end = givingWay?.behind == index ? givingWay?.end : nil
        givingWay = (end ?? LineEndCandidate(pen: pen, next: index), behind: last + 1)
      }
      pen = moved
      pen.isOpen = true
      if !segment.pointee.isBlank { pen.width = pen.position }
      let behind = prepared.segments.base + last
      if behind.pointee.traits.contains(.changesAtEnd) && behind.pointee.endTrim > 0 && pen.position > limit {
        pen.x -= behind.pointee.endTrim * textScale
        pen.width = pen.position
      }
      if behind.pointee.traits.contains(.tab) {
        pen.x = Self.nextTabStop(pen.position, text.tabWidth * textScale) - pen.items
      } else {
        if behind.pointee.traits.contains(.spacesStartItem) { pen.startItem() }
        pen.x += behind.pointee.space * textScale + behind.pointee.spaceSpacing
      }
      index = last + 1
      if text.traits.contains(.softHyphens) && behind.pointee.endTrim >= 0 {
        candidate = LineEndCandidate(pen: pen, next: index)
      }
      if behind.pointee.traits.contains(.endsLine) {
        if !finish(&lines, pen, text, textScale, end: behind.pointee.end) { break }
        (pen, candidate, givingWay) = (Pen(), nil, nil)
      }
    }
    if pen.isOpen && !lines.isFull { _ = finish(&lines, pen, text, textScale, end: prepared.segments[end - 1].end) }
    let measurement = lines.measurement(
      isCut: index < end || (isRecut && afterRecut < lastSegment) || lines.isOutOfHeight, room: room,
      truncationWidth: text.truncationWidth * textScale)
    // A line that was out of height was recorded, but is none.
    if recordsLines { lineEnds.truncate(to: Int(measurement.lines)) }
    return measurement
  }

  /// Takes segments with nothing special about them as long as they fit: nearly all there are.
  @inline(__always)
  private mutating func fillPlainly(
    _ pen: inout Pen, from first: Int, to end: Int, _ textScale: Double, _ limit: Double
  ) -> Int {
    var segment = prepared.segments.base + first
    let end = prepared.segments.base + end
    var (x, width, metrics, isOpen) = (pen.x, pen.width, pen.metrics, pen.isOpen)
    let items = pen.items
    while segment < end && segment.pointee.traits.isEmpty {
      // One addition a segment depends on the one before.
      let joining = isOpen ? segment.pointee.joining * textScale : 0
      let advance = joining + (segment.pointee.advance * textScale + segment.pointee.advanceSpacing)
      let space = segment.pointee.space * textScale + segment.pointee.spaceSpacing
      let next = items + (x + advance)
      if next > limit { break }
      if !segment.pointee.isBlank { width = next }
      x += advance + space
      metrics |= segment.pointee.metrics
      isOpen = true
      segment += 1
    }
    (pen.x, pen.width, pen.metrics, pen.isOpen) = (x, width, metrics, isOpen)
    return segment - prepared.segments.base
  }

  /// Moves over the segment `last` and those that continue it, the last of which is then `last`.
  @inline(__always)
  private mutating func advance(_ pen: inout Pen, over last: inout Int, _ textScale: Double) {
    var segment = prepared.segments.base + last
    if pen.isOpen {
      if segment.pointee.traits.contains(.startsItem) { pen.startItem() }
      pen.x += segment.pointee.joining * textScale
    }
    pen.x += segment.pointee.advance * textScale + segment.pointee.advanceSpacing
    pen.metrics |= segment.pointee.metrics
    while segment.pointee.traits.contains(.isContinued) {
      last += 1
      segment += 1
      if segment.pointee.traits.contains(.startsItem) { pen.startItem() }
      pen.x += segment.pointee.advance * textScale + segment.pointee.advanceSpacing
      pen.metrics |= segment.pointee.metrics
    }
  }

  static func nextTabStop(_ x: Double, _ tabWidth: Double) -> Double {
    guard tabWidth > 0 else { return x }
    let next = ((x / tabWidth).rounded(.down) + 1) * tabWidth
    // A tab is at least half a space wide.
    return next - x < tabWidth / spacesPerTab / 2 ? next + tabWidth : next
  }

  /// Ends a line before the unit `end`. False when no further line is wanted.
  private mutating func finish(
    _ lines: inout FilledLines, _ pen: Pen, _ text: PreparedText, _ textScale: Double, end: Int32
  ) -> Bool {
    if recordsLines {
      lineEnds.append(LineEnd(unit: end, width: pen.width, hangingWidth: max(pen.width, pen.position)))
    }
    var line = LineMetrics(above: 0, below: 0)
    var bits = pen.metrics
    var first = true
    while bits != 0 {
      let next = prepared.metrics[text.metrics.first + bits.trailingZeroBitCount]
      line.above = first ? next.above : max(line.above, next.above)
      line.below = first ? next.below : max(line.below, next.below)
      first = false
      bits &= bits - 1
    }
    return lines.add(pen.width, above: line.above * textScale, below: line.below * textScale)
  }

  // MARK: Breaking inside words

  private enum Rest {
    /// What is left is on this line.
    case line(Pen)
    /// What is left is cut anew, up to a segment of the text: its first segment, and that one.
    case recut(Int, next: Int)
  }

  /// Breaks what is wider than a line between its clusters, at least one a line (text-rules 11); nil when no further
  /// line is wanted.
  private mutating func breakInside(
    _ first: Int, _ last: Int, _ text: PreparedText, _ textScale: Double, _ limit: Double, _ lines: inout FilledLines
  ) -> Rest? {
    var start = prepared.segments[first].start
    let end = prepared.segments[last].spaceStart
    while true {
      var pen = Pen()
      pen.isOpen = true
      let count = clustersThatFit(from: start, to: end, text, textScale, limit, &pen)
      guard count < clusters.count else { return .line(pen) }
      start = clusters[count].start
      if !finish(&lines, pen, text, textScale, end: start) { return nil }
      // What is left may break elsewhere now that it starts a line (text-rules 7).
      if text.traits.contains(.dictionary) || Self.isHyphen(prepared.units[text.unitStart + Int(start)]) {
        return recut(from: start, behind: last, text)
      }
    }
  }

  /// Units that are cut anew at once, at least: more than a line takes, so that what is behind hardly matters.
  private static let recutLength: Int32 = 256

  private mutating func recut(from start: Int32, behind last: Int, _ text: PreparedText) -> Rest {
    let end = text.segments.first + text.segments.count
    // Where the text goes on: of what was itself cut anew, the first segment behind it.
    var next = last < end ? last + 1 : segment(at: prepared.segments[prepared.segments.count - 1].end, text)
    while next < end && prepared.segments[next].start < start + Self.recutLength
      || (next < end && prepared.segments[next].traits.contains(.continues))
    {
      next += 1
    }
    let recutEnd = next < end ? Int(prepared.segments[next].start) : text.unitCount
    // What was cut anew before is behind.
    prepared.segments.truncate(to: keptSegments)
    let first = keptSegments
    cutSegments(text, from: Int(start), to: recutEnd)
    return .recut(first, next: next)
  }

  /// The first segment of the text that starts at a place or behind it.
  private func segment(at place: Int32, _ text: PreparedText) -> Int {
    var low = text.segments.first
    var high = text.segments.first + text.segments.count
    while low < high {
      let middle = (low + high) / 2
      if prepared.segments[middle].start < place { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Clusters from `start` on that a line holds, at least one; all in `clusters` if nothing is left.
  private mutating func clustersThatFit(
    from start: Int32, to end: Int32, _ text: PreparedText, _ textScale: Double, _ limit: Double, _ pen: inout Pen
  ) -> Int {
    clusters.removeAll()
    var count = 0
    for index in itemIndex(at: start, text)..<text.items.first + text.items.count {
      let item = prepared.items[index]
      if item.start >= end { break }
      let from = max(item.start, start)
      let to = min(item.end, end)
      guard from < to else { continue }
      pen.metrics |= item.metrics
      if item.startsInline && item.start == from && from > start { pen.startItem() }
      let itemX = pen.x
      let firstOfItem = clusters.count
      // What is far beyond the line is not shaped, so that a word of any length takes a time in proportion to it.
      var shapedTo = from
      var window: Int32 = 32
      while shapedTo < to {
        let from = shapedTo
        shapedTo = clusterEnd(min(to, from + window), to, text)
        window *= 2
        appendClusters(from, shapedTo, item, text)
        while count < clusters.count {
          let x = pen.x + clusters[count].advance * textScale + clusters[count].spacing
          if count > 0 && pen.items + x > limit {
            return reshapedCount(count, firstOfItem, item, itemX, text, textScale, limit, &pen)
          }
          pen.x = x
          pen.width = pen.position
          count += 1
        }
      }
    }
    return count
  }

  /// Where a word is cut its end is shaped anew, and may be wider than it was inside the word (text-rules 10).
  private mutating func reshapedCount(
    _ candidate: Int, _ firstOfItem: Int, _ item: Item, _ itemX: Double, _ text: PreparedText, _ textScale: Double,
    _ limit: Double, _ pen: inout Pen
  ) -> Int {
    var count = candidate
    let scale = item.scale
    while count > firstOfItem {
      let from = Int(clusters[firstOfItem].start)
      let advance = shaper.advance(
        of: from..<Int(clusters[count].start), in: prepared.units.base + text.unitStart, text.unitCount, item.context)
      var x = itemX + Double(advance) * scale * textScale
      for cluster in firstOfItem..<count { x += clusters[cluster].spacing }
      pen.x = x
      pen.width = pen.position
      if count == 1 || pen.position <= limit { break }
      count -= 1
    }
    return max(count, 1)
  }

  /// A place at which no cluster is cut, from `place` on.
  private mutating func clusterEnd(_ place: Int32, _ end: Int32, _ text: PreparedText) -> Int32 {
    var place = place
    while place < end && isInsideCluster(text.unitStart + Int(place)) { place += 1 }
    return place
  }

  /// Appends the clusters of a stretch of an item. Ligatures of left-to-right text may be cut, in equal parts.
  private mutating func appendClusters(_ start: Int32, _ end: Int32, _ item: Item, _ text: PreparedText) {
    let scale = item.scale
    shaped.removeAll()
    shaper.shapeClusters(
      Int(start)..<Int(end), in: prepared.units.base + text.unitStart, text.unitCount, item.context, into: &shaped)
    let spacing = item.style.letterSpacing
    for index in 0..<shaped.count {
      let from = Int(shaped[index].start)
      let to = index + 1 < shaped.count ? Int(shaped[index + 1].start) : Int(end)
      var parts = 1
      if !item.context.isRightToLeft {
        for place in from + 1..<max(to, from + 1) where !isInsideCluster(text.unitStart + place) {
          parts += 1
        }
      }
      let advance = Double(shaped[index].advance) * scale / Double(parts)
      clusters.append(
        Cluster(advance: advance, spacing: shaped[index].advance > 0 ? spacing : 0, start: Int32(from)))
      if parts > 1 {
        for place in from + 1..<to where !isInsideCluster(text.unitStart + place) {
          clusters.append(Cluster(advance: advance, spacing: spacing, start: Int32(place)))
        }
      }
    }
  }
}
