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
  /// Fills the line at the index `next` if the current line starts where that does, and else continues the current line. Returns
  /// false if no text is left or no further line is wanted.
  @inline(never)
  mutating func fillChosen(
    _ lines: [ChosenLine], _ next: inout Int, _ state: inout LineFillingState, _ store: inout TextStore
  ) -> Bool {
    guard next < lines.count && !state.isRecut && !state.pen.isOpen && state.index < state.end,
      lines[next].start.unit == state.restOfWord?.start ?? store.prepared.segments[state.index].start
    else { return fillPart(&state, &store) }
    next += 1
    state.restOfWord = nil
    return fill(lines[next - 1], &state, &store) || state.restOfWord != nil
  }

  /// Fills a line. Returns false if no further line is wanted.
  private mutating func fill(
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
          state.restOfWord = .init(start: end, last: last)
          return false
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
