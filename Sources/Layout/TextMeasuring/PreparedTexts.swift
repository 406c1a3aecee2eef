import Buffers

/// The texts of a row as they were prepared: their units, and the items and segments that these were cut into.
///
/// The buffers are emptied between rows and keep their memory.
struct PreparedTexts: ~Copyable {
  var texts = FlatBuffer<PreparedText>(capacity: 16)
  var segments = FlatBuffer<Segment>(capacity: 256)
  var items = FlatBuffer<Item>(capacity: 64)
  var metrics = FlatBuffer<LineMetrics>(capacity: 32)
  var glyphs = FlatBuffer<PlatformGlyph>(capacity: 16)
  var opportunities = FlatBuffer<AndroidOpportunity>(capacity: 16)
  /// The UTF-16 code units of the texts, as they are shaped.
  var units = FlatBuffer<UInt16>(capacity: 1024)
  /// The units that are shaped instead of others, in ascending order of their index.
  var substitutes = FlatBuffer<Substitute>(capacity: 4)
  /// The offset in its text after the last unit of each run; kept only if `keepsRunEnds` is set.
  var runEnds = FlatBuffer<Int32>(capacity: 8)
  /// Whether `runEnds` is kept.
  var keepsRunEnds = false
  /// The sequence of regional indicators that was searched last, from its first unit to the end of the last one whose
  /// flag is known: the search for the start of a long sequence ends there.
  var flags = 0..<0

  mutating func removeAll() {
    texts.removeAll()
    segments.removeAll()
    items.removeAll()
    metrics.removeAll()
    glyphs.removeAll()
    opportunities.removeAll()
    units.removeAll()
    substitutes.removeAll()
    runEnds.removeAll()
    flags = 0..<0
  }

  /// Replaces a unit and notes the original.
  mutating func substitute(_ unit: UInt16, at index: Int) {
    substitutes.append(Substitute(index: index, original: units[index]))
    units[index] = unit
  }

  /// Returns the units that are shaped instead of others, from an index among the units of all texts on.
  func substitutes(from index: Int) -> UnsafeBufferPointer<Substitute> {
    let all = substitutes.values
    return UnsafeBufferPointer(rebasing: all[partitionPoint(all.count) { all[$0].index < index }...])
  }

  /// Appends a unit of no text after a text that ends with a flag, which the flags of the next text must not continue.
  mutating func separateTexts() {
    guard units.count > 0, units[units.count - 1] & 0xfc00 == 0xdc00 else { return }
    units.append(0)
  }

  /// Removes the units from an index on.
  mutating func truncateUnits(to index: Int) {
    units.truncate(to: index)
    flags = 0..<0
  }

  /// The number of different line metrics that a text can have: the bits of an item's `metrics`.
  private static let maxMetrics = UInt32.bitWidth

  /// Returns the bit of line metrics in the text whose metrics start at the index `first`; adds the metrics
  /// if they are not there yet.
  mutating func bit(of lineMetrics: LineMetrics, from first: Int) -> UInt32 {
    for index in first..<metrics.count where metrics[index] == lineMetrics { return 1 << UInt32(index - first) }
    // Beyond the limit, further metrics count as the last ones.
    if metrics.count - first < Self.maxMetrics { metrics.append(lineMetrics) }
    return 1 << UInt32(metrics.count - 1 - first)
  }
}

/// A unit that is shaped instead of another unit. Line breaks are still found with the original.
struct Substitute: BitwiseCopyable {
  /// The index among the units of all texts.
  var index: Int
  var original: UInt16
}
