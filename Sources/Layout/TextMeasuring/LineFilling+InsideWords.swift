import Buffers

/// Breaking inside words, where a line has no other opportunity (text-rules 11).
extension TextMeasurer {
  /// Breaks what is wider than a line between its clusters, at least one a line, up to the end of the segment `last`.
  /// False when no further line is wanted.
  mutating func breakInside(_ state: inout LineFillingState, _ last: Int) -> Bool {
    // Of a line that was filled again because of it, the hyphen at the end has to fit.
    let hyphenated = state.overflow
    var last = hyphenated ?? last
    var start = state.hasSoftHyphens ? state.start.unit : prepared.segments[state.index].start
    state.startLine()
    while true {
      let count = clustersThatFit(&state, from: start, last, isHyphenated: last == hyphenated)
      guard count < clusters.count else { break }
      start = clusters[count].start
      guard finish(&state, end: start) else { return false }
      // What is left may break elsewhere now that it starts a line (text-rules 7).
      if state.text.traits.contains(.dictionary) || Self.isHyphen(prepared.units[state.text.unitStart + Int(start)]) {
        recut(&state, from: start, behind: last)
        return true
      }
      if state.hasSoftHyphens { last = lastSegment(containing: start, before: last) }
    }
    // The spaces behind bring the height of their faces.
    state.pen.metrics |= prepared.segments[last].metrics
    guard take(&state, state.pen, isBlank: false, last) else { return false }
    if state.hasSoftHyphens && state.pen.isOpen {
      state.start = .init(
        unit: start, next: state.index, isRecut: state.isRecut, pen: state.pen, isCluster: clusters.count == 1)
    }
    return true
  }

  /// The last of the segments that hold a unit together, none of which is behind `last`.
  private func lastSegment(containing unit: Int32, before last: Int) -> Int {
    var index = last
    while index > 0 && prepared.segments[index].start > unit { index -= 1 }
    while prepared.segments[index].traits.contains(.isContinued) { index += 1 }
    return index
  }

  /// Clusters from `start` to the end of the segment `last` that a line holds, at least one; all in `clusters` if nothing
  /// is left. Has the pen behind them and the hyphen that they need.
  private mutating func clustersThatFit(
    _ state: inout LineFillingState, from start: Int32, _ last: Int, isHyphenated: Bool
  ) -> Int {
    let end = prepared.segments[last].spaceStart
    var count = clustersThatFit(&state, from: start, to: end, state.limit)
    guard state.hasSoftHyphens else { return count }
    if let hyphen = count < clusters.count
      ? hyphen(before: clusters[count].start, state)
      : isHyphenated ? hyphen(after: last, state) : requiredHyphen(after: last, state)
    {
      if !fits(hyphen, state.pen.width, state) {
        count = clustersThatFit(&state, from: start, to: end, limit(leaving: hyphen, state))
      }
      if count < clusters.count, let hyphen = self.hyphen(before: clusters[count].start, state) {
        state.pen.width += hyphen
      }
    }
    return count
  }

  /// Units that are cut anew at once, at least: more than a line takes, so that what is behind hardly matters.
  private static let recutLength: Int32 = 256

  private mutating func recut(_ state: inout LineFillingState, from start: Int32, behind last: Int) {
    let text = state.text
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
    state.enter(recut: first, to: prepared.segments.count, before: next)
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
    _ state: inout LineFillingState, from start: Int32, to end: Int32, _ limit: Double
  ) -> Int {
    let (text, textScale) = (state.text, state.textScale)
    var pen = LinePen()
    pen.isOpen = true
    defer { state.pen = pen }
    clusters.removeAll()
    var count = 0
    for index in itemIndex(at: start, text)..<text.items.first + text.items.count {
      let item = prepared.items[index]
      if item.start >= end { break }
      let from = max(item.start, start)
      let to = min(item.end, end)
      guard from < to else { continue }
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
        if text.traits.contains(.eastAsian) { trimClusters(from, lineStart: start, item, text) }
        while count < clusters.count {
          var x = pen.x + clusters[count].advance * textScale + clusters[count].spacing
          if pen.items + x > limit { x -= clusters[count].endTrim * textScale }
          if count > 0 && pen.items + x > limit {
            count = reshapedCount(count, firstOfItem, item, itemX, text, textScale, limit, &pen)
            if count > firstOfItem { pen.metrics |= item.metrics }
            return count
          }
          pen.x = x
          pen.width = pen.position
          count += 1
        }
      }
      pen.metrics |= item.metrics
    }
    return count
  }

  /// Where a word is cut its end is shaped anew, and may be wider than it was inside the word (text-rules 10).
  private mutating func reshapedCount(
    _ candidate: Int, _ firstOfItem: Int, _ item: Item, _ itemX: Double, _ text: PreparedText, _ textScale: Double,
    _ limit: Double, _ pen: inout LinePen
  ) -> Int {
    var count = candidate
    let scale = item.scale
    while count > firstOfItem {
      let from = Int(clusters[firstOfItem].start)
      let advance = shaper.advance(
        of: from..<Int(clusters[count].start), in: prepared.units.base + text.unitStart, text.unitCount, item.context)
      var x = itemX + Double(advance) * scale * textScale
      for cluster in clusters.values[firstOfItem..<count] { x += cluster.spacing - cluster.trim * textScale }
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
    while place < end && isInsideGrapheme(text.unitStart + Int(place)) { place += 1 }
    return place
  }

  /// Appends the clusters of a stretch of an item. Ligatures of left-to-right text may be cut, in equal parts.
  private mutating func appendClusters(_ start: Int32, _ end: Int32, _ item: Item, _ text: PreparedText) {
    let scale = item.scale
    shaped.removeAll()
    shaper.shapeClusters(
      Int(start)..<Int(end), in: prepared.units.base + text.unitStart, text.unitCount, item.context, into: &shaped)
    let isCursive = Self.isCursive(item.context.script)
    let spacing = isCursive ? 0 : item.style.letterSpacing
    for index in 0..<shaped.count {
      let from = Int(shaped[index].start)
      let to = index + 1 < shaped.count ? Int(shaped[index + 1].start) : Int(end)
      var parts = 1
      if !item.context.isRightToLeft {
        for place in from + 1..<max(to, from + 1) where !isInsideGrapheme(text.unitStart + place) {
          parts += 1
        }
      }
      let advance = Double(shaped[index].advance) * scale / Double(parts)
      let isSpaced = takesSpacing(from, text, shaped[index].advance)
      clusters.append(Cluster(advance: advance, spacing: isSpaced ? spacing : 0, start: Int32(from)))
      if parts > 1 {
        for place in from + 1..<to where !isInsideGrapheme(text.unitStart + place) {
          clusters.append(Cluster(advance: advance, spacing: spacing, start: Int32(place)))
        }
      }
    }
  }

  /// Takes off the clusters from the place `start` on what their punctuation is set narrower than it is.
  private mutating func trimClusters(_ start: Int32, lineStart: Int32, _ item: Item, _ text: PreparedText) {
    guard let half = halfWidth(item) else { return }
    var index = clusters.count
    while index > 0 && clusters[index - 1].start >= start {
      index -= 1
      switch trimming(at: Int(clusters[index].start), item, text) {
      case .opening where clusters[index].start == lineStart: break
      case .opening, .closing:
        clusters.base[index].trim = half
        clusters.base[index].advance -= half
      case .atEnd: clusters.base[index].endTrim = half
      case nil: break
      }
    }
  }

  private func takesSpacing(_ place: Int, _ text: PreparedText, _ advance: Int32) -> Bool {
    let unit = prepared.units[text.unitStart + place]
    return unit == Self.hiddenControl || (advance > 0 && !Self.isZeroWidth(UInt32(unit)))
  }
}
