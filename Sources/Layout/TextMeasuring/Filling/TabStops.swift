/// The tab stops of a text, which are eight spaces apart.
enum TabStops {
  static let spacesPerTab = 8.0

  /// Returns the position after a tab at a position in a line, in points. A tab is at least half a space wide.
  static func next(after x: Double, _ tabWidth: Double) -> Double {
    guard tabWidth > 0 else { return x }
    let next = ((x / tabWidth).rounded(.down) + 1) * tabWidth
    return next - x < tabWidth / spacesPerTab / 2 ? next + tabWidth : next
  }
}

extension LineFillingState {
  /// The distance between two tab stops, in points.
  var tabWidth: Double { text.tabWidth * textScale + text.tabSpacing }

  /// Returns whether a tab exceeds the current line: a segment that is one, or the one that follows a segment.
  ///
  /// - Parameter moved: the pen after the segment, before its spaces.
  mutating func hasTabOutside(_ moved: LinePen, _ segment: Segment) -> Bool {
    guard !segment.traits.isDisjoint(with: [.tab, .joinsTab]) else { return false }
    let start = moved.position + segment.space * textScale + segment.spaceSpacing
    let end = TabStops.next(after: start, tabWidth)
    note(end, in: lineLimit)
    return end > lineLimit
  }
}
