import Buffers

/// Soft hyphens: a line that ends at one must also hold the hyphen that it shows (text-rules 12).
extension LineFiller {
  /// Notes the start of the current line, so that the line can be filled again.
  func noteLineStart(_ state: inout LineFillingState, _ prepared: borrowing PreparedTexts) {
    state.start = .init(unit: prepared.segments[state.index].start, next: state.index, isRecut: state.isRecut)
  }

  /// Starts to fill a line again because the hyphen at its end does not fit. As in Chromium, the line then ends where its
  /// text leaves room for that hyphen, even if it ends there without one. Returns false if no further line is wanted.
  ///
  /// - Parameter last: the index of the last segment of what did not fit.
  mutating func fillAgain(
    _ state: inout LineFillingState, leaving hyphen: Double, _ last: Int, _ store: inout TextStore
  ) -> Bool {
    let start = state.start
    state.overflow = last
    state.lineLimit = state.limit(leaving: hyphen)
    state.earlierEnd = nil
    (state.pen, state.index, state.isRecut) = (start.pen, start.next, start.isRecut)
    state.end = start.isRecut ? store.prepared.segments.count : state.lastSegment
    // Even the rest of a broken word may not leave that room.
    if start.pen.isOpen { state.note(start.pen.width, in: state.lineLimit) }
    return start.pen.isOpen && start.pen.width > state.lineLimit
      ? breakInside(&state, last, &store) : true
  }
}

extension LineFillingState {
  /// Returns whether a line that ends after a segment shows the hyphen of the soft hyphen there. Where words are hyphenated with a
  /// dictionary, Chromium shows none before spaces that fit.
  mutating func showsSoftHyphen(after segment: Segment) -> Bool {
    guard hyphenates && segment.spaceStart < segment.end else { return true }
    note(pen.position, in: lineLimit)
    return pen.position > lineLimit
  }

  /// Returns whether a hyphen fits on a line after a width.
  mutating func fits(_ hyphen: Double, after width: Double) -> Bool {
    note(LinePen.roundUp(width) + hyphen, in: openLimit)
    return LinePen.roundUp(width) + hyphen <= openLimit
  }

  /// Returns the width of the widest line with a hyphen after it. Text without a width always fits.
  mutating func limit(leaving hyphen: Double) -> Double {
    let space = openLimit - hyphen
    guard space < 1 / LinePen.fraction else { return space }
    decisions.noteUncertain(at: limit)
    return 1 / LinePen.fraction
  }

  /// Returns whether the line ends at the soft hyphen before the current segment whether its hyphen fits or not: in WebKit, if the
  /// line has no other opportunity.
  func endsAtOnlySoftHyphen(_ prepared: borrowing PreparedTexts) -> Bool {
    guard text.rules.engine == .webKit else { return false }
    if start.pen.isOpen { return start.next == index }
    var first = index - 1
    while first > start.next && prepared.segments[first].traits.contains(.continues) { first -= 1 }
    return start.next == first
  }

  /// Whether the line holds only a single cluster, which is the rest of a broken word.
  var holdsCluster: Bool { start.isCluster && start.next == index }
}

extension TextStore {
  /// Returns the width in points of the hyphen that a line shows if it ends after a segment, or nil if the segment does
  /// not end with a soft hyphen.
  func hyphen(after segment: Int, _ state: LineFillingState) -> Double? {
    let trim = prepared.segments[segment].endTrim
    return trim < 0 ? LinePen.roundUp(-trim * state.textScale) : nil
  }

  /// Returns the width in points of the hyphen at the end of a segment after which the line ends in any case, or nil if
  /// there is none. The hyphen is not shown, but Chromium ends the line earlier if there is no room for it.
  func requiredHyphen(after segment: Int, _ state: LineFillingState) -> Double? {
    let end = prepared.segments[segment].end
    guard state.text.rules.traits.contains(.keepsRoomForHiddenHyphens),
      prepared.segments[segment].traits.contains(.endsLine) || Int(end) == state.text.unitCount
    else { return nil }
    return hyphen(after: segment, state)
  }

  /// Returns the width in points of the hyphen that a line shows if it ends before a unit, or nil if there is no soft
  /// hyphen before the unit.
  func hyphen(before unit: Int32, _ state: LineFillingState) -> Double? {
    guard unit > 0 && prepared.units[state.text.unitStart + Int(unit) - 1] == 0xad else { return nil }
    return hyphenWidth(before: unit, state)
  }
}

extension FontBook {
  /// Returns the width of a style's hyphen in a text in points, at text scale 1. Chromium does not add the letter spacing to it.
  func hyphenWidth(_ style: TextStyle, in text: PreparedText) -> Double {
    let face = faces[Int(style.face)]
    let hyphen = Double(face.advance(of: face.hyphen)) * text.pointsPerUnit(face, style)
    guard text.rules.traits.contains(.spacesHyphens) else { return hyphen }
    return max(hyphen + style.letterSpacing, 1 / LinePen.fraction)
  }
}
