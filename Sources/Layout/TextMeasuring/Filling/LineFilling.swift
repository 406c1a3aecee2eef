import Buffers

/// The phase that fills the lines of a prepared text greedily: each line takes the segments that fit.
///
/// All segments are measured already, so that a further width of a text costs an addition and a comparison a segment.
struct LineFiller: ~Copyable {
  /// Whether the ends of the lines are recorded.
  var recordsLines = false
  /// The phase that cuts a text, and also the rest of a broken word again.
  var cutter = SegmentCutter()
  var recordedLines = RecordedLines()
  /// The number of segments of the texts that are prepared. The segments after them were cut again while lines are
  /// filled.
  private(set) var keptSegments = 0
  /// The clusters of the line that is broken inside a word.
  var clusters = FlatBuffer<Cluster>(capacity: 64)
  /// The clusters that were shaped last.
  var shaped = FlatBuffer<ShapedCluster>(capacity: 64)
  /// The places at which the word that does not fit can be hyphenated.
  var hyphenation = WordHyphenation()

  /// Fills the lines of a text, and returns the state after the last.
  ///
  /// - Parameters:
  ///   - maxWidth: the width of the box, in points.
  ///   - maxHeight: the height of the box, in points.
  ///   - exclusions: rectangles beside which lines are shorter, which must stay where they are while lines are filled.
  ///   - chosen: lines of a text without rectangles, in its order. They end where they were chosen to, and the others are as full
  ///     as possible.
  mutating func fill(
    _ text: UnsafePointer<PreparedText>, textScale: Double, maxWidth: Double, maxHeight: Double,
    around exclusions: UnsafePointer<ExclusionPaths>? = nil, chosen: [ChosenLine] = [], _ store: inout TextStore
  ) -> LineFillingState {
    var state = LineFillingState(
      text, textScale: textScale, maxWidth: maxWidth, maxHeight: maxHeight, exclusions: exclusions)
    if state.placesLines { state.startLine(ofParagraph: true) }
    recordedLines.start()
    keptSegments = store.prepared.segments.count
    if let exclusions {
      while fillLine(&state, exclusions, &store) {}
    } else {
      var (next, isFurther) = (0, true)
      while isFurther && (next < chosen.count || state.restOfWord != nil) {
        isFurther = fillChosen(chosen, &next, &state, &store)
      }
      while isFurther { isFurther = fillFurther(&state, &store) || fillRest(&state, &store) }
      finishLast(&state, store)
    }
    store.prepared.segments.truncate(to: keptSegments)
    return state
  }

  /// Ends the last line of a text.
  @inline(__always)
  mutating func finishLast(_ state: inout LineFillingState, _ store: borrowing TextStore) {
    if state.pen.isOpen && !state.lines.isFull {
      _ = finish(&state, end: store.prepared.segments[state.end - 1].end, store.prepared.metrics.base)
    }
  }

  /// Adds the segments that fit, and then either adds one that needs further checks or ends the line. Returns false if no text is
  /// left, if no further line is wanted, or if the line ends inside a word, whose rest `fillRest` continues.
  @inline(__always)
  mutating func fillFurther(_ state: inout LineFillingState, _ store: inout TextStore) -> Bool {
    if state.index == state.end {
      guard state.isRecut else { return false }
      if state.uncut.isEmpty { state.leaveRecut() } else { cutFurther(&state, &store) }
      return true
    }
    if state.hasSoftHyphens && !state.pen.isOpen && state.overflow == nil { noteLineStart(&state, store.prepared) }
    Self.fillPlainly(&state, store.prepared)
    if state.index == state.end { return true }
    let segment = store.prepared.segments.base + state.index
    if segment.pointee.traits.isEmpty && state.pen.isOpen && !segment.pointee.isBlank && state.earlierEnd == nil
      && !state.endsWithCare
    {
      guard finish(&state, end: segment.pointee.start, store.prepared.metrics.base) else { return false }
      state.startLine()
      return true
    }
    return fillSpecially(&state, &store)
  }

  /// Adds a segment that has traits, or ends the line before one that does not fit.
  private mutating func fillSpecially(_ state: inout LineFillingState, _ store: inout TextStore) -> Bool {
    var last = state.index
    var moved = state.pen
    Self.advance(&moved, over: &last, state.textScale, store.prepared)
    let isBlank = store.prepared.segments[state.index].isBlank
    let trim = max(store.prepared.segments[last].endTrim, 0) * state.textScale
    if state.pen.isOpen && state.text.rules.traits.contains(.tabsTakeRoom)
      && state.hasTabOutside(moved, store.prepared.segments[last])
    {
      return endLine(&state, before: last, &store)
    }
    let trimmed = trim > 0 ? LinePen.trimmed(moved.position, by: trim) : moved.position
    if !isBlank { state.note(trimmed, in: state.lineLimit) }
    if !isBlank && trimmed > state.lineLimit {
      if state.pen.isOpen {
        return state.breaksWords || hyphenates(last, state, store)
          ? endInside(&state, last, &store) : endLine(&state, before: last, &store)
      }
      guard state.text.traits.contains(.overflowing) && !state.breaksWords && !hyphenates(last, state, store) else {
        return breakInside(&state, last, &store)
      }
      return add(&state, moved, isBlank: false, last, store.prepared)
    }
    if state.hasSoftHyphens && state.overflow == nil, let hyphen = store.requiredHyphen(after: last, state),
      !state.fits(hyphen, after: moved.position)
    {
      return fillAgain(&state, leaving: hyphen, last, &store)
    }
    if store.prepared.segments[state.index].traits.contains(.givesWay) && state.pen.isOpen {
      let earlier = state.earlierEnd?.afterSpaces == state.index ? state.earlierEnd : nil
      state.earlierEnd = .init(
        pen: earlier?.pen ?? state.pen, next: earlier?.next ?? state.index, afterSpaces: last + 1)
    }
    return add(&state, moved, isBlank: isBlank, last, store.prepared)
  }

  /// Adds a segment to the line and moves the pen over its spaces. Returns false if no further line is wanted.
  ///
  /// - Parameters:
  ///   - moved: the pen after the segment, before its spaces.
  ///   - last: the index of the segment, or of the last of those that continue it.
  mutating func add(
    _ state: inout LineFillingState, _ moved: LinePen, isBlank: Bool, _ last: Int,
    _ prepared: borrowing PreparedTexts
  ) -> Bool {
    state.pen = moved
    state.pen.isOpen = true
    if !isBlank { state.pen.width = state.pen.position }
    let segment = prepared.segments.base + last
    if segment.pointee.endTrim > 0 {
      state.note(state.pen.position, in: state.lineLimit)
      if state.pen.position > state.lineLimit {
        state.pen.x = LinePen.trimmed(state.pen.x, by: segment.pointee.endTrim * state.textScale)
        state.pen.width = state.pen.position
      }
    }
    if segment.pointee.traits.contains(.tab) {
      let followsTab = last > state.text.segments.first && (segment - 1).pointee.traits.contains(.tab)
      state.pen.x = state.tabStop(after: state.pen.position, followsTab: followsTab) - state.pen.items
    } else {
      if segment.pointee.traits.contains(.spacesStartItem) { state.pen.startItem() }
      state.pen.x += segment.pointee.space * state.textScale + segment.pointee.spaceSpacing
    }
    state.index = last + 1
    guard segment.pointee.traits.contains(.endsLine) else { return true }
    guard finish(&state, end: segment.pointee.end, prepared.metrics.base) else { return false }
    state.startLine(ofParagraph: true)
    return true
  }

  /// Ends the line before the current segment, which does not fit. Returns false if no further line is wanted.
  ///
  /// - Parameter last: the index of the segment, or of the last of those that continue it.
  mutating func endLine(_ state: inout LineFillingState, before last: Int, _ store: inout TextStore) -> Bool {
    if state.hasSoftHyphens, let hyphen = store.hyphen(after: state.index - 1, state),
      state.showsSoftHyphen(after: store.prepared.segments[state.index - 1])
    {
      // Where lines end inside words, the end that leaves room for a hyphen was found among all parts of the word.
      if state.overflow == nil && !state.breaksWords && !state.holdsCluster
        && !state.endsAtOnlySoftHyphen(store.prepared) && !state.fits(hyphen, after: state.pen.width)
      {
        // The line cannot end among the spaces after the hyphen either.
        let previous = store.prepared.segments[state.index - 1]
        let hasSpaces = previous.end > previous.spaceStart
        return fillAgain(&state, leaving: hyphen, hasSpaces ? state.index - 1 : last, &store)
      }
      state.pen.width += hyphen
      state.pen.isHyphenated = true
    } else if let earlier = state.earlierEnd, earlier.afterSpaces == state.index {
      (state.pen, state.index) = (earlier.pen, earlier.next)
    }
    guard finish(&state, end: store.prepared.segments[state.index].start, store.prepared.metrics.base) else {
      return false
    }
    state.startLine()
    return true
  }

  /// Adds segments without traits, which nearly all are, as long as they fit.
  @inline(__always)
  private static func fillPlainly(_ state: inout LineFillingState, _ prepared: borrowing PreparedTexts) {
    var segment = prepared.segments.base + state.index
    let end = prepared.segments.base + state.end
    let (textScale, limit, items) = (state.textScale, state.lineLimit, state.pen.items)
    let spared = state.limit - limit
    var fitting = state.decisions.fitting - spared
    var (x, width, metrics, isOpen) = (state.pen.x, state.pen.width, state.pen.metrics, state.pen.isOpen)
    while segment < end && segment.pointee.traits.isEmpty {
      // Only one addition for each segment depends on the segment before it.
      let joining = isOpen ? segment.pointee.joining * textScale : 0
      let advance = joining + (segment.pointee.advance * textScale + segment.pointee.advanceSpacing)
      let space = segment.pointee.space * textScale + segment.pointee.spaceSpacing
      let next = items + (x + advance)
      if next > limit {
        // Blanks hang, so that their width decides about nothing.
        if !segment.pointee.isBlank { state.decisions.note(next + spared, fits: false) }
        break
      }
      if !segment.pointee.isBlank {
        width = next
        fitting = max(fitting, next)
      }
      x += advance + space
      metrics |= segment.pointee.metrics
      isOpen = true
      segment += 1
    }
    (state.pen.x, state.pen.width, state.pen.metrics, state.pen.isOpen) = (x, width, metrics, isOpen)
    state.decisions.fitting = fitting + spared
    state.index = segment - prepared.segments.base
  }

  /// Moves the pen over the segment at the index `last` and those that continue it. `last` becomes the index of the last
  /// of them.
  @inline(__always)
  static func advance(
    _ pen: inout LinePen, over last: inout Int, _ textScale: Double, _ prepared: borrowing PreparedTexts
  ) {
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

  /// Ends the line before a unit of the text. Returns false if no further line is wanted.
  ///
  /// - Parameter metrics: the line metrics of all texts.
  mutating func finish(
    _ state: inout LineFillingState, end: Int32, _ metrics: UnsafePointer<LineMetrics>
  ) -> Bool {
    let pen = state.pen
    var line = LineMetrics(above: 0, below: 0)
    var bits = pen.metrics
    var first = true
    while bits != 0 {
      let next = metrics[state.text.metrics.first + bits.trailingZeroBitCount]
      line.above = first ? next.above : max(line.above, next.above)
      line.below = first ? next.below : max(line.below, next.below)
      first = false
      bits &= bits - 1
    }
    let (above, below) = (line.above * state.textScale, line.below * state.textScale)
    let (indents, space) = state.placesLines ? state.placedLine(height: above + below) : (0, 0)
    let hasRoom = state.lines.add(pen.width + indents, above: above, below: below, space: space)
    if state.lines.isOutOfHeight { return hasRoom }
    state.keptDecisions = state.decisions
    if recordsLines {
      recordedLines.append(
        LineEnd(
          unit: end, width: pen.width, hangingWidth: max(pen.width, pen.position), above: above, below: below,
          isHyphenated: pen.isHyphenated, exclusion: state.exclusion))
    }
    return hasRoom
  }
}
