import Buffers

/// Greedy line filling: each line takes what fits. Everything measured is at hand, so that a further width of a text
/// costs an addition and a comparison a segment.
extension TextMeasurer {
  /// Measures a prepared text in a box of at most `maxWidth` by `maxHeight` points.
  public mutating func measure(
    _ text: Int, textScale: Double, maxWidth: Double, maxHeight: Double
  ) -> TextMeasurement {
    var state = LineFillingState(
      prepared.texts[text], textScale: textScale, maxWidth: maxWidth, maxHeight: maxHeight)
    lineEnds.removeAll()
    keptSegments = prepared.segments.count
    defer { prepared.segments.truncate(to: keptSegments) }
    while fillFurther(&state) {}
    if state.pen.isOpen && !state.lines.isFull { _ = finish(&state, end: prepared.segments[state.end - 1].end) }
    let isCut = state.isCut
    return state.lines.measurement(
      isCut: isCut, room: maxWidth > 0 ? maxWidth : 0,
      truncationWidth: isCut ? truncationWidth(of: text) * textScale : 0)
  }

  /// Takes the segments that fit and then one that needs a closer look, or ends the line. False when nothing is left or
  /// no further line is wanted.
  @inline(__always)
  private mutating func fillFurther(_ state: inout LineFillingState) -> Bool {
    if state.index == state.end {
      guard state.isRecut else { return false }
      state.leaveRecut()
      return true
    }
    if state.hasSoftHyphens && !state.pen.isOpen && state.overflow == nil { noteLineStart(&state) }
    fillPlainly(&state)
    if state.index == state.end { return true }
    let segment = prepared.segments.base + state.index
    if segment.pointee.traits.isEmpty && state.pen.isOpen && !segment.pointee.isBlank && state.earlierEnd == nil
      && !state.hasSoftHyphens
    {
      guard finish(&state, end: segment.pointee.start) else { return false }
      state.startLine()
      return true
    }
    return fillSpecially(&state)
  }

  /// Takes a segment that has traits, or that does not fit.
  private mutating func fillSpecially(_ state: inout LineFillingState) -> Bool {
    var last = state.index
    var moved = state.pen
    advance(&moved, over: &last, state.textScale)
    let isBlank = prepared.segments[state.index].isBlank
    let trim = max(prepared.segments[last].endTrim, 0) * state.textScale
    if !isBlank && moved.position - trim > state.lineLimit {
      return state.pen.isOpen ? endLine(&state, before: last) : breakInside(&state, last)
    }
    if state.hasSoftHyphens && state.overflow == nil, let hyphen = requiredHyphen(after: last, state),
      !fits(hyphen, moved.position, state)
    {
      return fillAgain(&state, leaving: hyphen, last)
    }
    if prepared.segments[state.index].traits.contains(.givesWay) && state.pen.isOpen {
      let earlier = state.earlierEnd?.behind == state.index ? state.earlierEnd : nil
      state.earlierEnd = .init(
        pen: earlier?.pen ?? state.pen, next: earlier?.next ?? state.index, behind: last + 1)
    }
    return take(&state, moved, isBlank: isBlank, last)
  }

  /// Has the pen behind a segment that is on the line, and behind its spaces.
  mutating func take(_ state: inout LineFillingState, _ moved: LinePen, isBlank: Bool, _ last: Int) -> Bool {
    state.pen = moved
    state.pen.isOpen = true
    if !isBlank { state.pen.width = state.pen.position }
    let segment = prepared.segments.base + last
    if segment.pointee.endTrim > 0 && state.pen.position > state.lineLimit {
      state.pen.x -= segment.pointee.endTrim * state.textScale
      state.pen.width = state.pen.position
    }
    if segment.pointee.traits.contains(.tab) {
      let tabWidth = state.text.tabWidth * state.textScale + state.text.tabSpacing
      let stop = Self.nextTabStop(state.pen.position, tabWidth)
      state.pen.x = stop - state.pen.items
    } else {
      if segment.pointee.traits.contains(.spacesStartItem) { state.pen.startItem() }
      state.pen.x += segment.pointee.space * state.textScale + segment.pointee.spaceSpacing
    }
    state.index = last + 1
    guard segment.pointee.traits.contains(.endsLine) else { return true }
    guard finish(&state, end: segment.pointee.end) else { return false }
    state.startLine()
    return true
  }

  /// Ends a line before the segment at hand, which does not fit.
  private mutating func endLine(_ state: inout LineFillingState, before last: Int) -> Bool {
    if state.hasSoftHyphens, let hyphen = hyphen(after: state.index - 1, state) {
      if state.overflow == nil && !holdsCluster(state) && !fits(hyphen, state.pen.width, state) {
        // The line cannot end among the spaces behind the hyphen either.
        let hasSpaces = prepared.segments[state.index - 1].end > prepared.segments[state.index - 1].spaceStart
        return fillAgain(&state, leaving: hyphen, hasSpaces ? state.index - 1 : last)
      }
      state.pen.width += hyphen
    } else if let earlier = state.earlierEnd, earlier.behind == state.index {
      (state.pen, state.index) = (earlier.pen, earlier.next)
    }
    guard finish(&state, end: prepared.segments[state.index].start) else { return false }
    state.startLine()
    return true
  }

  /// Takes segments with nothing special about them as long as they fit: nearly all there are.
  @inline(__always)
  private mutating func fillPlainly(_ state: inout LineFillingState) {
    var segment = prepared.segments.base + state.index
    let end = prepared.segments.base + state.end
    let (textScale, limit, items) = (state.textScale, state.lineLimit, state.pen.items)
    var (x, width, metrics, isOpen) = (state.pen.x, state.pen.width, state.pen.metrics, state.pen.isOpen)
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
    (state.pen.x, state.pen.width, state.pen.metrics, state.pen.isOpen) = (x, width, metrics, isOpen)
    state.index = segment - prepared.segments.base
  }

  /// Moves over the segment `last` and those that continue it, the last of which is then `last`.
  @inline(__always)
  private mutating func advance(_ pen: inout LinePen, over last: inout Int, _ textScale: Double) {
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
  mutating func finish(_ state: inout LineFillingState, end: Int32) -> Bool {
    let pen = state.pen
    var line = LineMetrics(above: 0, below: 0)
    var bits = pen.metrics
    var first = true
    while bits != 0 {
      let next = prepared.metrics[state.text.metrics.first + bits.trailingZeroBitCount]
      line.above = first ? next.above : max(line.above, next.above)
      line.below = first ? next.below : max(line.below, next.below)
      first = false
      bits &= bits - 1
    }
    let hasRoom = state.lines.add(
      pen.width, above: line.above * state.textScale, below: line.below * state.textScale)
    if recordsLines && !state.lines.isOutOfHeight {
      lineEnds.append(LineEnd(unit: end, width: pen.width, hangingWidth: max(pen.width, pen.position)))
    }
    return hasRoom
  }
}
