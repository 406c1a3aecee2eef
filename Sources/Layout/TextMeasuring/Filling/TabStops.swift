/// The tab stops of a text. The first one is at the indent of the paragraph, and at the side of the text where a rectangle is beside a
/// line. Lengths are in points.
struct TabStops {
  /// The distance between two tab stops. A tab has no width if it is not positive.
  let distance: Double
  /// The least width of a tab, which is half a space of the font, or half a zero in Firefox.
  let least: Double

  /// Returns the position after a tab at a position in a line.
  ///
  /// - Parameters:
  ///   - origin: the distance from the first tab stop to the start of the line; see `PreparedText.tabOrigin`.
  ///   - followsTab: whether the tab follows another one, so that it is as wide as the distance, however small that is.
  func next(after x: Double, origin: Double = 0, followsTab: Bool = false) -> Double {
    guard distance > 0 else { return x }
    if followsTab { return x + distance }
    let start = x + origin
    var next = ((start / distance).rounded(.down) + 1) * distance
    if next - start < least { next += distance }
    return next - origin
  }
}

extension TabStops {
  /// Creates the tab stops of a text at a text scale.
  init(of text: PreparedText, textScale: Double) {
    self.init(distance: text.tabWidth * textScale + text.tabSpacing, least: text.leastTab * textScale)
  }
}

extension PreparedText {
  /// Returns the distance from the first tab stop of a line to its start, in points.
  func tabOrigin(indent: Double, _ exclusion: LineExclusion) -> Double {
    let excluded = options.baseDirection == .rtl ? exclusion.right : exclusion.left
    return indent - options.paragraphs.indent(isFirst: false) + Double(excluded)
  }

  /// Sets the tab stops, which are spaces of a style apart.
  ///
  /// - Parameter spaces: the number of spaces. For 0 they are the letter spacing apart, as in Chromium.
  mutating func setTabStops(_ spaces: Float, _ style: TextStyle, _ book: FontBook) {
    let face = book.faces[Int(style.face)]
    let space = Double(face.spaceAdvance) * pointsPerUnit(face, style)
    tabWidth = space * Double(spaces)
    let letters = spaces == 0 ? 1 : Double(spaces)
    tabSpacing = rules.traits.contains(.leavesTabStopsUnspaced) ? 0 : style.letterSpacing * letters
    let isByZero = rules.traits.contains(.measuresTabsByZero)
    leastTab = (isByZero ? Double(face.advance(of: 0x30)) * pointsPerUnit(face, style) : space) / 2
  }
}

extension LineFillingState {
  /// Returns the position after a tab at a position in the current line, in points.
  func tabStop(after x: Double, followsTab: Bool = false) -> Double {
    TabStops(of: text, textScale: textScale).next(
      after: x, origin: placesLines ? text.tabOrigin(indent: indent, exclusion) : 0, followsTab: followsTab)
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
