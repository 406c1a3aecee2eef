import Buffers

/// Lines beside rectangles (text-rules 57).
extension LineFiller {
  /// Fills a line in the first place that has room for it: one that is as high as the line, and not narrower than what cannot
  /// be divided at its start. Returns false if no text is left or no further line is wanted.
  mutating func fillLine(
    _ state: inout LineFillingState, _ exclusions: UnsafePointer<ExclusionPaths>, _ store: inout TextStore
  ) -> Bool {
    let start = state
    let recorded = recordedLines.count
    // The segments that were cut again for this line can be cut again while it is filled.
    let recut = start.isRecut ? Array(store.prepared.segments.values[keptSegments...]) : []
    let top = start.lineTop
    var (below, height) = (0.0, 0.0)
    while true {
      state.placeLine(top: top, below: below, height: height, exclusions.pointee)
      let isFurther = fillOneLine(&state, &store)
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
  private mutating func fillOneLine(_ state: inout LineFillingState, _ store: inout TextStore) -> Bool {
    while state.filledLine == nil {
      guard fillPart(&state, &store) else {
        if state.filledLine == nil { finishLast(&state, store) }
        return false
      }
    }
    return true
  }
}
