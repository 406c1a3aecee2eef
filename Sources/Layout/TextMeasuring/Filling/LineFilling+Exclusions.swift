import Buffers

/// Lines beside rectangles (text-rules 57).
extension LineFiller {
  /// Fills the lines of a text and returns the state after the last.
  ///
  /// - Parameters:
  ///   - maxWidth: the width of the box, in points.
  ///   - maxHeight: the height of the box, in points.
  ///   - exclusions: the rectangles, which must stay where they are while lines are filled.
  mutating func fill(
    _ text: UnsafePointer<PreparedText>, textScale: Double, maxWidth: Double, maxHeight: Double,
    around exclusions: UnsafePointer<ExclusionPaths>, _ cutter: inout SegmentCutter, _ store: inout TextStore
  ) -> LineFillingState {
    var state = LineFillingState(
      text, textScale: textScale, maxWidth: maxWidth, maxHeight: maxHeight, exclusions: exclusions)
    state.startLine(ofParagraph: true)
    start(store.prepared)
    while fillLine(&state, exclusions, &cutter, &store) {}
    store.prepared.segments.truncate(to: keptSegments)
    return state
  }

  /// Fills a line in the first place that has room for it: one that is as high as the line, and not narrower than what cannot
  /// be divided at its start. Returns false if no text is left or no further line is wanted.
  private mutating func fillLine(
    _ state: inout LineFillingState, _ exclusions: UnsafePointer<ExclusionPaths>, _ cutter: inout SegmentCutter,
    _ store: inout TextStore
  ) -> Bool {
    let start = state
    let recorded = recordedLines.count
    // The segments that were cut again for this line can be cut again while it is filled.
    let recut = start.isRecut ? Array(store.prepared.segments.values[keptSegments...]) : []
    let top = start.lineTop
    var (below, height) = (0.0, 0.0)
    while true {
      state.placeLine(top: top, below: below, height: height, exclusions.pointee)
      let isFurther = fillOneLine(&state, &cutter, &store)
      guard let filled = state.filledLine else { return isFurther }
      let needed = exclusions.pointee.exclusion(top: top + below, height: filled.height)
      if filled.exceeds && state.exclusion.width > 0,
        let next = exclusions.pointee.nextBottom(below: top + below)
      {
        (below, height) = (next - top, 0)
      } else if filled.height > height
        && (needed.left != state.exclusion.left || needed.right != state.exclusion.right)
      {
        height = filled.height
      } else {
        return isFurther
      }
      // What was compared with the width of this place decides about the lines too.
      let decisions = state.decisions
      state = start
      state.decisions = decisions
      recordedLines.truncate(to: recorded)
      store.prepared.segments.truncate(to: keptSegments)
      for segment in recut { store.prepared.segments.append(segment) }
    }
  }

  /// Fills the current line to its end. Returns false if no text is left or no further line is wanted.
  private mutating func fillOneLine(
    _ state: inout LineFillingState, _ cutter: inout SegmentCutter, _ store: inout TextStore
  ) -> Bool {
    if let rest = state.restOfWord {
      state.restOfWord = nil
      guard fillWord(&state, from: rest.start, rest.last, hyphenated: rest.hyphenated, &cutter, &store) else {
        return false
      }
    }
    while state.filledLine == nil {
      guard fillFurther(&state, &cutter, &store) else {
        if state.filledLine == nil { finishLast(&state, store) }
        return false
      }
    }
    return true
  }
}
