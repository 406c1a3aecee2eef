/// The tab stops of a text, which are eight spaces apart. The first one is at the indent of the paragraph.
enum TabStops {
  static let spacesPerTab = 8.0

  /// Returns the position after a tab at a position in a line, in points. A tab is at least half a space wide.
  ///
  /// - Parameter origin: the distance of the line's start from the indent of the paragraph.
  static func next(after x: Double, _ tabWidth: Double, origin: Double = 0) -> Double {
    guard tabWidth > 0 else { return x }
    let start = x + origin
    let next = ((start / tabWidth).rounded(.down) + 1) * tabWidth
    return (next - start < tabWidth / spacesPerTab / 2 ? next + tabWidth : next) - origin
  }
}

extension LineFillingState {
  /// The distance between two tab stops, in points.
  var tabWidth: Double { text.tabWidth * textScale + text.tabSpacing }

  /// Returns the position after a tab at a position in the current line, in points.
  func tabStop(after x: Double) -> Double {
    TabStops.next(
      after: x, tabWidth, origin: hasParagraphs ? indent - text.options.paragraphs.indent(isFirst: false) : 0)
  }

  /// Returns whether a tab exceeds the current line: a segment that is one, or the one that follows a segment.
  ///
  /// - Parameter moved: the pen after the segment, before its spaces.
  mutating func hasTabOutside(_ moved: LinePen, _ segment: Segment) -> Bool {
    guard !segment.traits.isDisjoint(with: [.tab, .joinsTab]) else { return false }
    let start = moved.position + segment.space * textScale + segment.spaceSpacing
    let end = tabStop(after: start)
    note(end, in: lineLimit)
    return end > lineLimit
  }
}
