/// The clusters that letter spacing is added to (text-rules 19).
extension SegmentCutter {
  /// Returns the number of clusters in a range of units that letter spacing is added to.
  mutating func spacedClusters(
    _ range: Range<Int>, _ item: Item, _ text: PreparedText, _ store: inout TextStore
  ) -> Int {
    let units = UnsafePointer(store.prepared.units.base + text.unitStart)
    if isCursive(item.context.script) { return range.count { units[$0] == 0xa0 } }
    if item.context.features != 0 || range.contains(where: { LetterSpacing.isIndic(units[$0]) }) {
      // The font decides which letters are one cluster, as it does where features that are stated form ligatures.
      shapedClusters.removeAll()
      store.shaper.shapeClusters(range, in: units, text.unitCount, item.context, into: &shapedClusters)
      return shapedClusters.values.count { !LetterSpacing.isZeroWidth(UInt32(units[Int($0.start)])) }
    }
    var count = 0
    var index = text.unitStart + range.lowerBound
    while index < text.unitStart + range.upperBound {
      let (scalar, width) = store.scalar(at: index)
      let isInside = index > text.unitStart && store.isInsideCluster(index)
      if !isInside && !LetterSpacing.isZeroWidth(scalar) { count += 1 }
      index += width
    }
    return count
  }
}

enum LetterSpacing {
  /// Returns whether no letter spacing is added to a character. Control characters take letter spacing, shown or not.
  static func isZeroWidth(_ scalar: UInt32) -> Bool {
    switch scalar {
    case UInt32(ControlCharacters.hidden): false
    case 0x0c, 0xad, 0x061c, 0x115f, 0x1160, 0x180e, 0x200b...0x200f, 0x202a...0x202e, 0x2060...0x206f, 0x3164, 0xfeff,
      0xfffc:
      true
    default: false
    }
  }

  /// Returns whether a unit is of one of the scripts from Devanagari to Sinhala or from Burmese to Khmer, or begins a character from
  /// U+11000 to U+11FFF, where Chakma and others are.
  fileprivate static func isIndic(_ unit: UInt16) -> Bool {
    (unit >= 0x0900 && unit < 0x0e00) || (unit >= 0x1000 && unit < 0x1800) || (unit >= 0xd804 && unit < 0xd808)
  }
}
