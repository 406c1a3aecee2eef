/// Lines of broken words that are wider than the box, as in Chromium (text-rules 10).
extension LineFiller {
  /// Returns the number of clusters of a line that do not fit when its end is shaped again, if the font forbids a cut at its start and at
  /// all places in it; otherwise nil. Moves the pen over the clusters.
  ///
  /// Chromium does not look at the width of the end of such a line. It then tries a box that is a point narrower than the line, and keeps the
  /// line if that does not help.
  ///
  /// - Parameter candidate: the number of clusters that fit before shaping them again.
  mutating func overfullCount(
    _ candidate: Int, _ place: WordEnd, _ state: inout LineFillingState, _ limit: Double, _ pen: inout LinePen,
    _ store: inout TextStore
  ) -> Int? {
    let text = state.text
    guard place.first == 0 && place.least == 1 && text.rules.engine == .chromium,
      store.shaper.isUncuttable(
        Int(place.start)..<Int(clusters[candidate].start), in: store.prepared.units.base + text.unitStart,
        item: Int(place.item.start)..<Int(place.item.end), text.unitCount, place.item.context)
    else { return nil }
    let narrower = LinePen.roundUp(pen.position) - 1
    guard narrower < limit else { return candidate }
    state.note(narrower, in: limit)
    var count = 0
    var x = place.itemX
    while count < candidate {
      x += clusters[count].advance * state.textScale + clusters[count].spacing
      if pen.items + x > narrower { break }
      count += 1
    }
    while count > 0 && state.endsInsideWords && !isOpportunity(before: clusters[count].start, state, store) {
      count -= 1
    }
    guard count > 0 && count < candidate else { return candidate }
    let overfull = pen
    pen.x = endX(of: count, place, state, &store)
    pen.width = pen.position
    if pen.position <= narrower { return count }
    pen = overfull
    return candidate
  }
}
