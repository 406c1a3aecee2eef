import Buffers

/// Soft hyphens: a line that ends at one must also hold the hyphen that it shows (text-rules 12).
extension TextMeasurer {
  func noteLineStart(_ state: inout LineFillingState) {
    state.start = .init(unit: prepared.segments[state.index].start, next: state.index, isRecut: state.isRecut)
  }

  /// Whether a line that is `width` wide has room for a hyphen.
  func fits(_ hyphen: Double, _ width: Double, _ state: LineFillingState) -> Bool {
    LinePen.roundUp(width) + hyphen <= state.limit
  }

  /// Whether the line holds a single cluster, which is left of a broken word.
  func holdsCluster(_ state: LineFillingState) -> Bool { state.start.isCluster && state.start.next == state.index }

  /// The widest line with a hyphen behind it. What has no width always fits.
  func limit(leaving hyphen: Double, _ state: LineFillingState) -> Double {
    max(state.limit - hyphen, 1 / LinePen.fraction)
  }

  /// Fills a line again because the hyphen at its end does not fit. As in Chromium, the line then ends where its text
  /// leaves room for that hyphen, even if it ends there without one. `last` is the last segment of what did not fit.
  mutating func fillAgain(_ state: inout LineFillingState, leaving hyphen: Double, _ last: Int) -> Bool {
    let start = state.start
    state.overflow = last
    state.lineLimit = limit(leaving: hyphen, state)
    state.earlierEnd = nil
    (state.pen, state.index, state.isRecut) = (start.pen, start.next, start.isRecut)
    state.end = start.isRecut ? prepared.segments.count : state.lastSegment
    // Not even what is left of a broken word leaves that room.
    return start.pen.isOpen && start.pen.width > state.lineLimit ? breakInside(&state, last) : true
  }

  /// The width of the hyphen that a line shows if it ends behind a segment; nil if that ends with no soft hyphen.
  func hyphen(after segment: Int, _ state: LineFillingState) -> Double? {
    let trim = prepared.segments[segment].endTrim
    return trim < 0 ? LinePen.roundUp(-trim * state.textScale) : nil
  }

  /// The same of a segment behind which the line ends anyway. The hyphen is not shown, but Chromium ends the line
  /// earlier if there is no room for it.
  func requiredHyphen(after segment: Int, _ state: LineFillingState) -> Double? {
    let end = prepared.segments[segment].end
    guard prepared.segments[segment].traits.contains(.endsLine) || Int(end) == state.text.unitCount else { return nil }
    return hyphen(after: segment, state)
  }

  /// The width of the hyphen that a line shows if it ends before a unit.
  func hyphen(before unit: Int32, _ state: LineFillingState) -> Double? {
    guard unit > 0 && prepared.units[state.text.unitStart + Int(unit) - 1] == 0xad else { return nil }
    return LinePen.roundUp(
      hyphenWidth(prepared.items[itemIndex(at: unit - 1, state.text)].style) * state.textScale)
  }

  /// In points at text scale 1. Letter spacing is not added to it.
  func hyphenWidth(_ style: TextStyle) -> Double {
    let face = book.faces[Int(style.face)]
    let hyphen = face.covers(0x2010) ? face.advance(of: 0x2010) : face.advance(of: 0x2d)
    return Double(hyphen) * pointsPerUnit(face, style.size)
  }
}
