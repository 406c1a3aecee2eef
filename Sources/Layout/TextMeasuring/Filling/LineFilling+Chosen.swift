import Buffers

/// Lines whose ends were chosen among all opportunities (text-rules 55).
extension LineFiller {
  /// Fills the lines of a text and returns the state after the last. Lines that were chosen end where they were chosen to.
  ///
  /// - Parameter chosen: the first segment of each line that was chosen, and the segment after it.
  mutating func fill(
    _ text: UnsafePointer<PreparedText>, textScale: Double, maxWidth: Double, maxHeight: Double,
    chosen: [Range<Int>], _ cutter: inout SegmentCutter, _ store: inout TextStore
  ) -> LineFillingState {
    var state = LineFillingState(text, textScale: textScale, maxWidth: maxWidth, maxHeight: maxHeight)
    if state.placesLines { state.startLine(ofParagraph: true) }
    start(store.prepared)
    var next = 0
    while true {
      let startsLine = !state.isRecut && !state.pen.isOpen && state.index < state.end
      if startsLine && next < chosen.count && chosen[next].lowerBound == state.index {
        guard fillChosen(chosen[next], &state, store) else { break }
        next += 1
      } else if !fillFurther(&state, &cutter, &store) {
        break
      }
    }
    end(&state, &store)
    return state
  }

  /// Fills a line with segments. Returns false if no further line is wanted.
  private mutating func fillChosen(
    _ segments: Range<Int>, _ state: inout LineFillingState, _ store: borrowing TextStore
  ) -> Bool {
    while state.index < segments.upperBound {
      let isBlank = store.prepared.segments[state.index].isBlank
      var (moved, last) = (state.pen, state.index)
      Self.advance(&moved, over: &last, state.textScale, store.prepared)
      guard add(&state, moved, isBlank: isBlank, last, store.prepared) else { return false }
    }
    // A line that ends with a newline has ended already, and the last one ends with the text.
    guard state.pen.isOpen, state.index < state.end else { return true }
    if let hyphen = store.hyphen(after: state.index - 1, state) { state.pen.width += hyphen }
    guard finish(&state, end: store.prepared.segments[state.index].start, store.prepared.metrics.base) else {
      return false
    }
    state.startLine()
    return true
  }
}
