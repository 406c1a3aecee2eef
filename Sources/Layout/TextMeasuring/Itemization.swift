import Buffers
import CHarfBuzz

/// Cutting a text into stretches of one style, direction, face and script.
extension TextMeasurer {
  /// Cuts the units from `start` to `end` of a text, all in one style. `levels` are those of the whole text, if anything in
  /// it runs from right to left. `scriptRun` is the index of the stretch of one script that holds the first unit, and
  /// afterwards the last.
  mutating func itemize(
    _ text: PreparedText, from start: Int, to end: Int, _ style: TextStyle, levels: UnsafePointer<UInt8>?,
    scriptRun: inout Int
  ) {
    guard start < end else { return }
    let base = text.unitStart
    var place = start
    var itemStart = start
    var face = style.face
    var level = levels?[start - base] ?? 0
    var startsInline = true
    var wasHidden = false
    while scriptRuns[scriptRun].end <= start { scriptRun += 1 }
    var script = scriptRuns[scriptRun].script
    let isPlain = levels == nil && book.coversAscii(style.face)
    var controls = ControlCharacters()
    while place < end {
      if isPlain && face == style.face && script == HB_SCRIPT_LATIN {
        place = endOfPlain(from: place, to: min(end, scriptRuns[scriptRun].end))
        if place == end { break }
      }
      while scriptRuns[scriptRun].end <= place { scriptRun += 1 }
      if text.traits.contains(.substitutes) {
        let continues = place > itemStart && face != book.emojiFace && level == levels?[place - base] ?? 0
        if !continues { controls = ControlCharacters() }
        let end = min(end, scriptRuns[scriptRun].end)
        let hint = controls.areHidden == nil ? levels.map { lastControl(from: place, to: end, $0 - base) } : nil
        substitute(at: place, &controls, hint: hint ?? place)
      }
      let (first, width) = scalar(at: place)
      let clusterEnd = endOfCluster(from: place + width, to: end)
      let newFace = self.face(of: first, place, clusterEnd, style.face, current: face)
      let newLevel = levels?[place - base] ?? 0
      // The font of hidden control characters is none of those around them: letters do not join over them.
      let isHidden = first == UInt32(Self.hiddenControl)
      let scriptChanges = scriptRuns[scriptRun].script != script
      if place > itemStart && (newFace != face || scriptChanges || newLevel != level || isHidden != wasHidden) {
        appendItem(text, itemStart - base, place - base, style, face, script, level, startsInline)
        itemStart = place
        startsInline = newLevel != level
      }
      if scriptChanges { controls = ControlCharacters() }
      script = scriptRuns[scriptRun].script
      face = newFace
      level = newLevel
      wasHidden = isHidden
      place = clusterEnd
    }
    if place > itemStart { appendItem(text, itemStart - base, place - base, style, face, script, level, startsInline) }
  }

  /// How the control characters of a stretch of one style, direction and script are shown.
  private struct ControlCharacters {
    /// Whether they have no width; unknown before the first.
    var areHidden: Bool?
  }

  /// What a control character without a width is shaped as: a character that is ignored and has no meaning.
  static let hiddenControl: UInt16 = 0x2065

  /// Has a separator shaped as a space, and a control character that takes no room as one that is ignored.
  ///
  /// No listed font has control characters. Chromium then searches the installed fonts for the first of a stretch, finds
  /// one of them only for those from U+007F to U+009F, and shows all others of the stretch with it: without a width
  /// (text-rules 18). From right to left it begins with the last, or the first of those next to that. The font has no
  /// marks, so that what carries one shows .notdef.
  private mutating func substitute(at place: Int, _ controls: inout ControlCharacters, hint: Int) {
    let unit = prepared.units[place]
    switch unit {
    case 0x09, 0x0a: controls = ControlCharacters()
    case 0x2028, 0x2029: substitute(0xa0, at: place)
    case 0..<0x20, 0x7f...0x9f:
      let isHidden = controls.areHidden ?? (prepared.units[hint] >= 0x7f)
      controls.areHidden = isHidden
      if isHidden && !carriesMark(place) { substitute(Self.hiddenControl, at: place) }
    default: break
    }
  }

  /// Units that are searched for the last control character.
  private static let maxControlStretch = 1024

  /// The first of the last control characters in a row of a stretch of one direction, if that runs from right to left;
  /// otherwise the first place.
  private func lastControl(from start: Int, to end: Int, _ levels: UnsafePointer<UInt8>) -> Int {
    guard levels[start] & 1 != 0, Self.isControl(prepared.units[start]) else { return start }
    var last = start
    for place in start + 1..<max(start + 1, min(end, start + Self.maxControlStretch)) {
      let unit = prepared.units[place]
      if levels[place] != levels[start] || unit == 0x09 || unit == 0x0a { break }
      if Self.isControl(unit) && !Self.isControl(prepared.units[place - 1]) { last = place }
    }
    return last
  }

  private static func isControl(_ unit: UInt16) -> Bool {
    (unit < 0x20 && unit != 0x09 && unit != 0x0a) || (unit >= 0x7f && unit <= 0x9f)
  }

  private mutating func carriesMark(_ place: Int) -> Bool {
    guard place + 1 < prepared.units.count else { return false }
    let mark = prepared.units[place + 1]
    return mark >= 0x300 && characters[UInt32(mark)].extendsCluster
  }

  private mutating func substitute(_ unit: UInt16, at place: Int) {
    prepared.substitutes.append(Substitute(place: place, original: prepared.units[place]))
    prepared.units[place] = unit
  }

  /// The end of the printable ASCII from a place on, without what stands before a mark: in a stretch of a face that has
  /// it all, Latin and running from left to right, it changes nothing.
  private func endOfPlain(from start: Int, to end: Int) -> Int {
    let units = prepared.units.base
    var place = start
    while place < end && units[place] >= 0x20 && units[place] < 0x7f { place += 1 }
    return place > start && place < end && units[place] >= 0x300 ? place - 1 : place
  }

  mutating func appendItem(
    _ text: PreparedText, _ start: Int, _ end: Int, _ style: TextStyle, _ face: Int32, _ script: hb_script_t,
    _ level: UInt8, _ startsInline: Bool
  ) {
    var metrics = prepared.bit(of: book.lineMetrics(style, face: style.face), from: text.metrics.first)
    // With a line height of its own, a style's fallback faces do not move the line.
    if style.lineHeight.isNaN && face != style.face {
      metrics |= prepared.bit(of: book.lineMetrics(style, face: face), from: text.metrics.first)
    }
    prepared.items.append(
      Item(
        start: Int32(truncatingIfNeeded: start), end: Int32(truncatingIfNeeded: end), style: style,
        context: ShapingContext(
          face: face, script: script, ligatures: style.letterSpacing == 0, isRightToLeft: level & 1 != 0),
        scale: pointsPerUnit(book.faces[Int(face)], style.size), metrics: metrics, startsInline: startsInline))
  }

  /// Marks, joiners and selectors stay with what they stand on, and so do the parts of an emoji sequence.
  private mutating func endOfCluster(from place: Int, to end: Int) -> Int {
    var place = place
    var joins = false
    while place < end {
      let (scalar, width) = scalar(at: place)
      if scalar < 0x300 { break }
      if characters[scalar].extendsCluster {
        joins = scalar == 0x200d
      } else if joins && characters[scalar].isEmoji {
        joins = false
      } else {
        break
      }
      place += width
    }
    return place
  }

  /// The index of the item at a place of the text.
  func itemIndex(at place: Int32, _ text: PreparedText) -> Int {
    var low = text.items.first
    var high = text.items.first + text.items.count
    while low + 1 < high {
      let middle = (low + high) / 2
      if prepared.items[middle].start <= place { low = middle } else { high = middle }
    }
    return low
  }

  /// Whether the unit at a place belongs to the grapheme cluster of what is before it.
  mutating func isInsideCluster(_ place: Int) -> Bool {
    let (scalar, _) = scalar(at: place)
    if scalar & 0xfffffc00 == 0xdc00 { return true }
    if scalar < 0x300 { return false }
    if Self.isRegionalIndicator(scalar) { return isInsideFlag(place) }
    return characters[scalar].extendsCluster || prepared.units[place - 1] == 0x200d
      || (scalar < 0x0d80 && scalar > 0x0900 && Self.isConjunct(scalar, after: prepared.units[place - 1]))
  }

  /// Whether a line never breaks before a place, even inside a word: a mark on a control character is shaped with that, but
  /// is a grapheme cluster of its own (UAX #29, GB4).
  mutating func isInsideGrapheme(_ place: Int) -> Bool {
    isInsideCluster(place) && !Self.isControl(prepared.units[place - 1])
  }

  private static func isRegionalIndicator(_ scalar: UInt32) -> Bool { scalar >= 0x1f1e6 && scalar <= 0x1f1ff }

  /// Flags are pairs of regional indicators, counted from the first in a row.
  private func isInsideFlag(_ place: Int) -> Bool {
    var first = place
    while first >= 2 && prepared.units[first - 2] == 0xd83c && prepared.units[first - 1] >= 0xdde6
      && prepared.units[first - 1] <= 0xddff
    {
      first -= 2
    }
    return (place - first) % 4 == 2
  }

  /// A consonant after a virama is part of the cluster (UAX #29, GB9c).
  private static func isConjunct(_ scalar: UInt32, after before: UInt16) -> Bool {
    switch before {
    case 0x094d, 0x09cd, 0x0acd, 0x0b4d, 0x0c4d, 0x0d4d: scalar & 0x7f >= 0x15 && scalar & 0x7f <= 0x39
    default: false
    }
  }

  /// Fallback per cluster: spaces are the primary face's, emoji go to a face that has them even when an earlier one
  /// has a plain glyph, everything else to the first face that has all of the cluster (text-rules 17).
  private mutating func face(of scalar: UInt32, _ place: Int, _ end: Int, _ primary: Int32, current: Int32) -> Int32 {
    if scalar == 0x20 || scalar == 0x0a || scalar == 0x09 { return primary }
    var next = place + (scalar > 0xffff ? 2 : 1)
    let styled = next < end && prepared.units[next] == 0xfe0f
    if let emoji = book.emojiFace, styled || (scalar > 0x2300 && characters[scalar].isEmoji),
      !(next < end && prepared.units[next] == 0xfe0e), book.faces[Int(emoji)].covers(scalar)
    {
      return emoji
    }
    if Self.isInvisible(scalar) { return current }
    let known = book.face(for: scalar, primary: primary)
    if known == nil { noteMissing(place, end, primary) }
    let face = known ?? primary
    while next < end {
      let (mark, width) = self.scalar(at: next)
      if !Self.isInvisible(mark) && !book.faces[Int(face)].covers(mark) {
        if let all = faceOfAll(place, end, primary) { return all }
        if known != nil { noteMissing(place, end, face) }
        return face
      }
      next += width
    }
    return face
  }

  private func faceOfAll(_ place: Int, _ end: Int, _ primary: Int32) -> Int32? {
    book.firstFace(primary: primary) { face in
      var next = place
      while next < end {
        let (scalar, width) = self.scalar(at: next)
        if !Self.isInvisible(scalar) && !face.covers(scalar) { return false }
        next += width
      }
      return true
    }
  }

  private static func isInvisible(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0xad, 0x200b...0x200f, 0x202a...0x202e, 0x2060...0x206f, 0xfe00...0xfe0f, 0xfeff: true
    default: false
    }
  }
}
