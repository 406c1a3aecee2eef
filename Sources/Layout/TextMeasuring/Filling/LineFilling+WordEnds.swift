import Buffers
import CICU

/// Ends of lines inside words that are not wider than a line: CSS `word-break: break-all`, `line-break: anywhere` and
/// `hyphens: auto` (text-rules 51, 52 and 58).
extension LineFiller {
  /// Ends the line inside the current word, which does not fit, or before it. Returns false if no further line is wanted.
  ///
  /// - Parameter last: the index of the last segment of the word.
  mutating func endInside(_ state: inout LineFillingState, _ last: Int, _ store: inout TextStore) -> Bool {
    // To a dictionary the parts that soft hyphens divide are words.
    if state.hasSoftHyphens && state.breaksWords { returnToStartOfWord(&state, store.prepared) }
    let segment = store.prepared.segments[state.index]
    var pen = state.pen
    if pen.isOpen {
      if segment.traits.contains(.startsItem) { pen.startItem() }
      pen.x += segment.joining * state.textScale
    }
    return fillWord(&state, .init(start: segment.start, last: last), after: pen.isOpen ? pen : nil, &store)
  }

  /// Moves the pen back to the first segment of a word that soft hyphens divide: the line can end in any part of it.
  private mutating func returnToStartOfWord(_ state: inout LineFillingState, _ prepared: borrowing PreparedTexts) {
    guard state.start.isRecut == state.isRecut else { return }
    var first = state.index
    while first > state.start.next && prepared.segments[first - 1].endTrim < 0
      && prepared.segments[first - 1].spaceStart == prepared.segments[first - 1].end
    {
      first -= 1
    }
    while first > state.start.next && prepared.segments[first].traits.contains(.continues) { first -= 1 }
    guard first < state.index else { return }
    (state.pen, state.index) = (state.start.pen, state.start.next)
    while state.index < first {
      let isBlank = prepared.segments[state.index].isBlank
      var (moved, last) = (state.pen, state.index)
      Self.advance(&moved, over: &last, state.textScale, prepared)
      _ = add(&state, moved, isBlank: isBlank, last, prepared)
    }
  }

  /// Counts the ideographic spaces after the clusters of a line, which hang, to the line.
  ///
  /// - Parameter end: the end of the word.
  mutating func hangIdeographicSpaces(
    _ count: inout Int, before end: Int32, _ state: inout LineFillingState, _ store: borrowing TextStore
  ) {
    var unit = clusters[count].start
    while unit < end
      && store.prepared.units[state.text.unitStart + Int(unit)] == HangingSpaces.ideographicSpace
    {
      unit += 1
    }
    while count < clusters.count && clusters[count].start < unit {
      state.pen.x += clusters[count].advance * state.textScale + clusters[count].spacing
      count += 1
    }
    // The next line begins with a cluster that was not looked at.
    if count == clusters.count && unit < end { clusters.append(Cluster(advance: 0, spacing: 0, start: unit)) }
  }

  /// What the end of a line in a word depends on.
  struct WordEnd {
    let item: Item
    /// The index of the first cluster of the item.
    let first: Int
    /// The position of the item's start.
    let itemX: Double
    /// The least number of clusters.
    let least: Int
    /// The first unit of the clusters, and the one after the last.
    let start, end: Int32
  }

  /// Returns the largest number of clusters after which the line can end and that fits when its end is shaped again; nil if
  /// there is none. Moves the pen over them.
  ///
  /// - Parameters:
  ///   - candidate: the number of clusters that fit before shaping them again.
  ///   - open: the pen before the clusters, if they do not start the line.
  mutating func wordEnd(
    atMost candidate: Int, _ place: WordEnd, _ open: LinePen?, _ state: inout LineFillingState, _ limit: Double,
    _ pen: inout LinePen, _ store: inout TextStore
  ) -> Int? {
    var count = candidate
    let before = pen
    var (isCut, isFirst, firstHyphen) = (false, true, candidate)
    while count >= max(place.least, 1) {
      let unit = clusters[count].start
      if isOpportunity(before: unit, state, store) {
        var isInItem = true
        if count >= place.first {
          pen.x = count == place.first ? place.itemX : endX(of: count, place, state, &store)
          pen.width = pen.position
        } else {
          (isInItem, isCut) = (false, true)
          count = wordEnd(inEarlierItem: count, place, open, &state, &pen, &store)
        }
        if state.hyphenates { addHyphen(before: unit, to: &pen, state, store) }
        state.note(pen.width, in: limit)
        if isInItem && count > place.first { pen.metrics |= place.item.metrics }
        if pen.width <= limit { return count }
        if isFirst && isInItem && !state.hyphenates,
          let kept = overfullCount(count, place, &state, limit, &pen, &store)
        {
          return kept
        }
        (isFirst, firstHyphen) = (false, count)
      }
      count -= 1
    }
    if place.least == 0 {
      pen = before
      return 0
    }
    // A word that is not broken otherwise exceeds its line up to the first hyphen.
    if state.hyphenates && pen.isHyphenated && state.text.traits.contains(.overflowing) { return firstHyphen }
    pen = before
    // The clusters behind the end of the line that did not fit were removed.
    if isCut { _ = clustersThatFit(&state, from: place.start, to: place.end, .infinity, after: open, &store) }
    return nil
  }

  /// Returns the position after some clusters of an item, and shapes the last ones of them again.
  func endX(
    of count: Int, _ place: WordEnd, _ state: LineFillingState, _ store: inout TextStore
  ) -> Double {
    let (text, textScale) = (state.text, state.textScale)
    var (first, start) = (place.first, place.itemX)
    // Only the clusters close to the end change. Long lines are not shaped again from their start.
    while clusters[count].start - clusters[first].start > Int32(Shaper.maxStretch) {
      start += clusters[first].advance * textScale + clusters[first].spacing
      first += 1
    }
    let advance = store.shaper.advance(
      of: Int(clusters[first].start)..<Int(clusters[count].start), in: store.prepared.units.base + text.unitStart,
      text.unitCount, place.item.context)
    return clusters.values[first..<count].reduce(start + Double(advance) * place.item.scale * textScale) {
      $0 + $1.spacing - $1.trim * textScale
    }
  }

  /// Ends the line in an item before the one that has the clusters that do not fit.
  private mutating func wordEnd(
    inEarlierItem count: Int, _ place: WordEnd, _ open: LinePen?, _ state: inout LineFillingState,
    _ pen: inout LinePen, _ store: inout TextStore
  ) -> Int {
    let unit = clusters[count].start
    _ = clustersThatFit(&state, from: place.start, to: unit, .infinity, after: open, &store)
    pen = state.pen
    // The cluster with which the next line starts.
    clusters.append(Cluster(advance: 0, spacing: 0, start: unit))
    return clusters.count - 1
  }
}

extension TextStore {
  /// Returns whether a line can end before a unit in a word: wherever `line-break: anywhere` is stated, else between the
  /// characters that `word-break: break-all` divides.
  func breaksWord(at unit: Int32, _ state: LineFillingState) -> Bool {
    let text = state.text
    if text.options.css.lineBreak == .anywhere { return true }
    guard text.options.css.wordBreak == .breakAll, unit > 0 else { return false }
    let index = text.unitStart + Int(unit)
    let isTrailing = prepared.units[index - 1] & 0xfc00 == 0xdc00 && unit > 1
    if galley_breaks_words(scalar(at: index - (isTrailing ? 2 : 1)).0, scalar(at: index).0) { return true }
    guard state.hasSoftHyphens else { return false }
    // The word may have several segments.
    let segment = segmentIndex(at: unit, text)
    return segment < text.segments.first + text.segments.count && prepared.segments[segment].start == unit
      && !prepared.segments[segment].traits.contains(.continues)
  }
}
