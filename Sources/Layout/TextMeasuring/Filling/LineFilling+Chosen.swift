import Buffers

/// The first unit of a line, and the index of the segment that holds it. In a word that is hyphenated the unit is inside the
/// segment.
struct LinePlace: BitwiseCopyable, Equatable {
  var segment: Int
  var unit: Int32
}

/// A line whose end was chosen among all opportunities (text-rules 55).
struct ChosenLine: BitwiseCopyable {
  var start: LinePlace
  /// The start of the next line.
  var end: LinePlace
}

/// Lines whose ends were chosen.
extension LineFiller {
  /// Fills the lines of a text and returns the state after the last. Lines that were chosen end where they were chosen to.
  mutating func fill(
    _ text: UnsafePointer<PreparedText>, textScale: Double, maxWidth: Double, maxHeight: Double,
    chosen: [ChosenLine], _ cutter: inout SegmentCutter, _ store: inout TextStore
  ) -> LineFillingState {
    var state = LineFillingState(
      text, textScale: textScale, maxWidth: maxWidth, maxHeight: maxHeight, stopsInWords: true)
    if state.placesLines { state.startLine(ofParagraph: true) }
    start(store.prepared)
    var next = 0
    while true {
      if next < chosen.count && !state.isRecut && !state.pen.isOpen && state.index < state.end
        && chosen[next].start.unit == state.restOfWord?.start ?? store.prepared.segments[state.index].start
      {
        state.restOfWord = nil
        guard fillChosen(chosen[next], &state, &store) else { break }
        next += 1
      } else if let rest = state.restOfWord {
        state.restOfWord = nil
        guard fillWord(&state, from: rest.start, rest.last, hyphenated: rest.hyphenated, &cutter, &store) else { break }
      } else if !fillFurther(&state, &cutter, &store) {
        break
      }
    }
    end(&state, &store)
    return state
  }

  /// Fills a line. Returns false if no further line is wanted.
  private mutating func fillChosen(
    _ line: ChosenLine, _ state: inout LineFillingState, _ store: inout TextStore
  ) -> Bool {
    while state.index < state.end && store.prepared.segments[state.index].start < line.end.unit {
      let first = store.prepared.segments[state.index]
      var (moved, last) = (state.pen, state.index)
      Self.advance(&moved, over: &last, state.textScale, store.prepared)
      let spaces = store.prepared.segments[last].spaceStart
      let (start, end) = (max(first.start, line.start.unit), min(spaces, line.end.unit))
      if start > first.start || end < spaces {
        var open = state.pen
        if open.isOpen {
          if first.traits.contains(.startsItem) { open.startItem() }
          open.x += first.joining * state.textScale
        }
        _ = clustersThatFit(
          &state, from: start, to: end, .infinity, after: open.isOpen ? open : nil, &store)
        if end < spaces {
          addHyphen(before: end, to: &state.pen, state, store)
          guard finish(&state, end: end, store.prepared.metrics.base) else { return false }
          state.startLine()
          state.restOfWord = .init(start: end, last: last, hyphenated: nil)
          return true
        }
        moved = state.pen
      }
      guard add(&state, moved, isBlank: first.isBlank, last, store.prepared) else { return false }
    }
    // A line that ends with a newline has ended already, and the last one ends with the text.
    guard state.pen.isOpen, state.index < state.end else { return true }
    if let hyphen = store.hyphen(after: state.index - 1, state) {
      state.pen.width += hyphen
      state.pen.isHyphenated = true
    }
    guard finish(&state, end: store.prepared.segments[state.index].start, store.prepared.metrics.base) else {
      return false
    }
    state.startLine()
    return true
  }
}
