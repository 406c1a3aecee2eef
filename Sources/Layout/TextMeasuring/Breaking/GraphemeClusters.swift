import CICU

/// The clusters of characters that are shaped together, and the grapheme clusters that no line breaks (UAX #29).
extension TextStore {
  /// Returns the end of the cluster whose first character ends at `start`: marks, joiners and selectors stay with the
  /// character before them, and so do the parts of an emoji sequence if the first character can begin one.
  mutating func endOfCluster(of first: UInt32, from start: Int, to end: Int) -> Int {
    var index = start
    var joins = false
    while index < end {
      let (scalar, width) = scalar(at: index)
      if scalar < 0x300 { break }
      let properties = characters[scalar]
      if properties.contains(.emoji) {
        guard (properties.contains(.extendsCluster) || joins) && galley_is_pictograph(first) else { break }
        joins = false
      } else if properties.contains(.extendsCluster) {
        joins = scalar == 0x200d
      } else {
        break
      }
      index += width
    }
    return index
  }

  /// Returns whether the unit at an index belongs to the cluster of the unit before it.
  mutating func isInsideCluster(_ index: Int) -> Bool {
    let (scalar, _) = scalar(at: index)
    if scalar & 0xfffffc00 == 0xdc00 { return true }
    if scalar < 0x300 { return false }
    if Self.isRegionalIndicator(scalar) { return isInsideFlag(index) }
    if characters[scalar].contains(.extendsCluster) { return true }
    let before = prepared.units[index - 1]
    guard before == 0x200d else {
      // The virama of Chakma is U+11133, whose second unit other characters have too.
      return Self.isConjunct(scalar, after: before)
        && (before != 0xdd33 || (index > 1 && prepared.units[index - 2] == 0xd804))
    }
    return galley_is_pictograph(scalar) || (index > 1 && Self.isConjunct(scalar, after: prepared.units[index - 2]))
  }

  /// Returns whether no line breaks before the unit at an index, even inside a word.
  ///
  /// A mark on a control character is shaped with that character, but is a grapheme cluster of its own (UAX #29, GB4).
  mutating func isInsideGrapheme(_ index: Int) -> Bool {
    isInsideCluster(index) && !ControlCharacters.contains(prepared.units[index - 1])
  }

  private static func isRegionalIndicator(_ scalar: UInt32) -> Bool { scalar >= 0x1f1e6 && scalar <= 0x1f1ff }

  /// Returns whether a regional indicator is the second one of a flag. Flags are pairs, counted from the first indicator
  /// of a sequence (UAX #29, GB12).
  private mutating func isInsideFlag(_ index: Int) -> Bool {
    var first = index
    while first >= 2 && prepared.units[first - 2] == 0xd83c && prepared.units[first - 1] >= 0xdde6
      && prepared.units[first - 1] <= 0xddff
    {
      first -= 2
      if prepared.flags.contains(first) {
        first = prepared.flags.lowerBound
        break
      }
    }
    prepared.flags = first..<max(index + 2, prepared.flags.lowerBound == first ? prepared.flags.upperBound : 0)
    return (index - first) % 4 == 2
  }

  /// Returns whether a character is a consonant after the last unit of a virama, which is part of the cluster (UAX #29 of Unicode
  /// 17, GB9c).
  private static func isConjunct(_ scalar: UInt32, after before: UInt16) -> Bool {
    switch before {
    case 0x094d, 0x09cd, 0x0acd, 0x0b4d, 0x0c4d, 0x0d4d: scalar & 0x7f >= 0x15 && scalar & 0x7f <= 0x39
    case 0x1039: (scalar >= 0x1000 && scalar <= 0x103f) || (scalar >= 0x1050 && scalar <= 0x108e)
    case 0x17d2: scalar >= 0x1780 && scalar <= 0x17b3
    case 0x1a60: scalar >= 0x1a20 && scalar <= 0x1a54
    case 0x1b44: scalar >= 0x1b0b && scalar <= 0x1b4c
    case 0x1bab: scalar >= 0x1b83 && scalar <= 0x1bbd
    case 0xa9c0: scalar >= 0xa989 && scalar <= 0xa9b2
    case 0xaaf6: scalar >= 0xaae0 && scalar <= 0xabda
    case 0xdd33: (scalar >= 0x11103 && scalar <= 0x11126) || scalar == 0x11144 || scalar == 0x11147
    default: false
    }
  }
}
