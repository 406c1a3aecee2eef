import Buffers
import CHarfBuzz

/// The phase that cuts the items of a text into segments and measures these.
///
/// A segment is a piece of text that no line breaks, with the spaces after it.
struct SegmentCutter: ~Copyable {
  var breaks = BreakFinder()
  /// The clusters of the piece whose letter spacing is counted.
  var shapedClusters = FlatBuffer<ShapedCluster>(capacity: 64)

  /// The position in the text that is being cut.
  struct Cursor {
    /// The index of the item that was found last.
    private var item: Int
    /// The index of the item of `pairs`.
    private var itemOfPairs = -1
    private var table = PairAdvances?.none
    /// The index of the item of `ideographs`.
    private var itemOfIdeographs = -1
    private var ideographs = AdvanceTable?.none

    init(item: Int) { self.item = item }

    /// Returns the index of the item that holds a unit, which is not before the unit of the last call.
    @inline(__always)
    mutating func item(at unit: Int, _ prepared: borrowing PreparedTexts) -> Int {
      while item < prepared.items.count - 1 && prepared.items.base[item].end <= unit { item += 1 }
      return item
    }

    /// Returns the advances of pairs in the item that was found last.
    @inline(__always)
    mutating func pairs(_ store: borrowing TextStore) -> PairAdvances {
      if itemOfPairs == item, let table { return table }
      let found = store.shaper.tables.pairsOfPieces(store.prepared.items.base[item].context)
      (itemOfPairs, table) = (item, found)
      return found
    }

    /// Returns the advances of ideographs in the item that was found last, or nil if they are not in a table.
    @inline(__always)
    mutating func ideographs(_ store: inout TextStore) -> AdvanceTable? {
      if itemOfIdeographs != item {
        ideographs = store.shaper.tables.ideographs(store.prepared.items.base[item].context)
        itemOfIdeographs = item
      }
      return ideographs
    }
  }

  /// Appends the segments of the units of a text in a range.
  ///
  /// - Parameters:
  ///   - continuesLine: whether the range continues a line with the segments before it.
  ///   - isPlain: whether all of it is known to be plain.
  mutating func cut(
    _ text: PreparedText, _ range: Range<Int>, continuesLine: Bool = false, isPlain: Bool = false,
    _ store: inout TextStore
  ) {
    guard !range.isEmpty else { return }
    let units = UnsafePointer(store.prepared.units.base + text.unitStart)
    var cursor = Cursor(item: store.itemIndex(at: Int32(truncatingIfNeeded: range.lowerBound), text))
    if isPlain { return cutPlain(range, text, &cursor, startsText: !continuesLine, &store) }
    var stretches = Stretches(units, range, maxPlain: text.maxPlain)
    while let stretch = stretches.next() {
      let startsText = !continuesLine && stretch.range.lowerBound == range.lowerBound
      if stretch.isPlain {
        cutPlain(stretch.range, text, &cursor, startsText: startsText, &store)
      } else {
        cutOther(stretch.range, text, &cursor, startsText: startsText, &store)
      }
    }
  }

  /// Appends the segments of a stretch of any units.
  mutating func cutOther(
    _ range: Range<Int>, _ text: PreparedText, _ cursor: inout Cursor, startsText: Bool, _ store: inout TextStore
  ) {
    let first = range.lowerBound
    let units = UnsafePointer(store.prepared.units.base + text.unitStart)
    breaks.find(in: range, text, &store)
    if text.traits.contains(.objects) { breaks.allowAroundAttachments(in: range, text, store.prepared) }
    var start = first
    while start < range.upperBound {
      if units[start] == 0x09 {
        if start > first && text.rules.traits.contains(.tabsTakeRoom) { joinTab(&store) }
        appendTab(start, text, &cursor, &store)
        start += 1
        continue
      }
      var end = start + 1
      while end < range.upperBound && !endsSegment(at: end, first, units) { end += 1 }
      let startsText = startsText && start == first
      if end > start + 1 || !appendIdeograph(start, text, &cursor, startsText: startsText, &store) {
        appendSegment(start, end, text, &cursor, startsText: startsText, &store)
      }
      start = end
    }
  }

  @inline(__always)
  private func endsSegment(at unit: Int, _ first: Int, _ units: UnsafePointer<UInt16>) -> Bool {
    breaks[unit - first] || units[unit] == 0x09 || units[unit - 1] == 0x0a
  }

  /// Notes that no line breaks after the last segment, unless that is a tab too.
  private func joinTab(_ store: inout TextStore) {
    let last = store.prepared.segments.base + store.prepared.segments.count - 1
    if last.pointee.traits.isDisjoint(with: [.tab, .endsLine]) { last.pointee.traits.insert(.joinsTab) }
  }

  private func appendTab(_ unit: Int, _ text: PreparedText, _ cursor: inout Cursor, _ store: inout TextStore) {
    let item = store.prepared.items[cursor.item(at: unit, store.prepared)]
    var segment = Segment(unit, spaceStart: unit, end: unit + 1, metrics: item.metrics)
    let isFirst = unit > 0 && store.prepared.units[text.unitStart + unit - 1] != 0x09
    let startsItem = item.startsInline && item.start == segment.start || isFirst && text.rules.engine == .chromium
    segment.traits = startsItem ? [.tab, .startsItem] : .tab
    store.prepared.segments.append(segment)
  }

  /// Returns whether a segment of an item starts a stretch whose width is rounded up, as tabs do together in Chromium.
  @inline(__always)
  static func startsItem(
    _ unit: Int, _ item: UnsafePointer<Item>, _ units: UnsafePointer<UInt16>, _ text: PreparedText
  ) -> Bool {
    guard unit > 0 else { return false }
    return item.pointee.startsInline && Int(item.pointee.start) == unit
      || units[unit - 1] == 0x09 && text.rules.engine == .chromium
  }

  /// Appends the segments of the units from `start` to `end`, between which no line breaks: one for each item.
  mutating func appendSegment(
    _ start: Int, _ end: Int, _ text: PreparedText, _ cursor: inout Cursor, startsText: Bool,
    _ store: inout TextStore
  ) {
    let units = UnsafePointer(store.prepared.units.base + text.unitStart)
    let collapses = text.options.whiteSpace == .collapse
    var spaceStart = HangingSpaces.start(ofSegment: start, end, units, text)
    var givesWay = false
    if collapses && start > 0 && units[start - 1] == 0x20 && units[start] == HangingSpaces.ideographicSpace
      && units[spaceStart - 1] == HangingSpaces.ideographicSpace
    {
      let item = cursor.item(at: start, store.prepared)
      let followsText = HangingSpaces.followText(start, item: item, units, text, store.prepared)
      if !followsText { spaceStart = start }
      givesWay = followsText && HangingSpaces.precedeText(end, item: item, text, store.prepared)
    }
    let firstSegment = store.prepared.segments.count
    appendPieces(start, spaceStart, text, &cursor, startsText: startsText, &store)
    let last = store.prepared.segments.count - 1
    if store.trimsPunctuation(text)
      && (start..<spaceStart).contains(where: { PunctuationTrimming.contains(units[$0]) })
    {
      let collapsesAtEnd = end == text.unitCount && collapses
      store.trimPunctuation(from: firstSegment, text, start, collapsesAtEnd ? spaceStart : end)
    }
    if spaceStart > start && units[spaceStart - 1] == 0xad {
      addHyphen(to: last, cursor.item(at: spaceStart - 1, store.prepared), text, &store)
    }
    store.prepared.segments.base[last].end = Int32(truncatingIfNeeded: end)
    if end > spaceStart { measureSpaces(of: last, spaceStart..<end, text, &cursor, &store) }
    if givesWay { store.prepared.segments.base[last].traits.insert(.givesWay) }
    if units[end - 1] == 0x0a { store.prepared.segments.base[last].traits.insert(.endsLine) }
  }

  /// Appends a segment for each item between `start` and `spaceStart`, at least one.
  @inline(__always)
  private mutating func appendPieces(
    _ start: Int, _ spaceStart: Int, _ text: PreparedText, _ cursor: inout Cursor, startsText: Bool,
    _ store: inout TextStore
  ) {
    let units = UnsafePointer(store.prepared.units.base + text.unitStart)
    var unit = start
    repeat {
      let item = store.prepared.items.base + cursor.item(at: unit, store.prepared)
      let pieceEnd = min(Int(item.pointee.end), spaceStart)
      var segment = Segment(unit, spaceStart: pieceEnd, end: pieceEnd, metrics: item.pointee.metrics)
      if unit > start {
        segment.traits.insert(.continues)
        store.prepared.segments.base[store.prepared.segments.count - 1].traits.insert(.isContinued)
      }
      if Self.startsItem(unit, item, units, text) { segment.traits.insert(.startsItem) }
      if text.rules.engine == .webKit {
        segment.metrics = store.lineMetricsOfCharacters(in: unit..<pieceEnd, item.pointee, text)
      }
      if pieceEnd > unit {
        let pairs = cursor.pairs(store)
        shape(&segment, item, pairs, text, spaceStart: spaceStart, joins: unit > start || !startsText, &store)
      }
      store.prepared.segments.append(segment)
      unit = pieceEnd
    } while unit < spaceStart
  }

  /// Measures a piece: it is shaped with the space after it, whose advance is subtracted again, so that the kerning
  /// between them counts.
  private mutating func shape(
    _ segment: inout Segment, _ item: UnsafePointer<Item>, _ pairs: PairAdvances, _ text: PreparedText, spaceStart: Int,
    joins: Bool, _ store: inout TextStore
  ) {
    if let attachment = item.pointee.style.attachment {
      segment.advance = attachment.width
      return
    }
    let start = Int(segment.start)
    let end = Int(segment.spaceStart)
    let all = UnsafePointer(store.prepared.units.base + text.unitStart)
    let itemsEnd = store.prepared.items.base + store.prepared.items.count
    let isFollowed = Int(item.pointee.end) > spaceStart || (item + 1 < itemsEnd && item[1].continuesShaping)
    let takesSpace = end == spaceStart && isFollowed && all[spaceStart] == 0x20 && !item.pointee.leavesSpaces
    var shaped = ShapedSegment()
    if isCursive(item.pointee.context.script)
      && (text.traits.contains(.softHyphens) || touchesLetters(start..<end, item.pointee, all, text))
    {
      // Letters stay joined over soft hyphens, and from item to item.
      let context = item.pointee.context
      shaped.advance = store.shaper.advance(of: start..<(takesSpace ? end + 1 : end), in: all, text.unitCount, context)
      if takesSpace { shaped.spaceAdvance = Int(store.book.advance(of: 0x20, context)) }
    } else {
      let units = UnsafeBufferPointer(start: all + start, count: end - start + (takesSpace ? 1 : 0))
      let isLatin = item.pointee.context.script == HB_SCRIPT_LATIN
      shaped = pairs.sum(of: units, isLatin: isLatin) ?? store.shaper.piece(units, item.pointee.context)
    }
    let scale = item.pointee.scale
    segment.advance = Double(shaped.advance - shaped.spaceAdvance) * scale
    if item.pointee.style.letterSpacing != 0 {
      segment.advanceSpacing =
        Double(spacedClusters(start..<end, item.pointee, text, &store)) * item.pointee.style.letterSpacing
    }
    if joins { join(&segment, start..<end, all, item, pairs, text, &store) }
  }

  /// Returns whether letters of other items may join those of a piece. Below U+0600 there are none that join.
  private func touchesLetters(
    _ piece: Range<Int>, _ item: Item, _ units: UnsafePointer<UInt16>, _ text: PreparedText
  ) -> Bool {
    guard text.rules.traits.contains(.shapesAcrossItems) else { return false }
    let (start, end) = (piece.lowerBound, piece.upperBound)
    return (start == item.start && start > 0 && units[start - 1] >= 0x600)
      || (end == item.end && end < text.unitCount && units[end] >= 0x600)
  }

  /// Measures the hanging spaces of a segment.
  private mutating func measureSpaces(
    of segment: Int, _ spaces: Range<Int>, _ text: PreparedText, _ cursor: inout Cursor, _ store: inout TextStore
  ) {
    let segment = store.prepared.segments.base + segment
    for unit in spaces {
      let item = UnsafePointer(store.prepared.items.base + cursor.item(at: unit, store.prepared))
      let space = store.prepared.units[text.unitStart + unit]
      let startsItem = item.pointee.startsInline && Int(item.pointee.start) == unit && unit > 0
      if space == 0x20 || space == HangingSpaces.ideographicSpace {
        let context = item.pointee.context
        let advance =
          context.isSpecial
          ? advance(ofSpace: unit, item.pointee, text, &store) : Int(store.book.advance(of: space, context))
        if startsItem && unit == spaces.lowerBound && unit > Int(segment.pointee.start) {
          segment.pointee.traits.insert(.spacesStartItem)
        }
        segment.pointee.space += Double(advance) * item.pointee.scale
        if space == 0x20 || !isCursive(context.script) {
          segment.pointee.spaceSpacing += item.pointee.style.letterSpacing
        }
      }
      // A line is as high as the font of any character on it, also of one that has no width there.
      segment.pointee.metrics |= item.pointee.metrics
    }
  }

  /// Returns the advance of a space of a font with features or of a text in another language than English.
  ///
  /// Some fonts have another space in Latin, as which ASCII is shaped. The kerning with the next piece contains the difference if ASCII
  /// precedes the space.
  private func advance(ofSpace unit: Int, _ item: Item, _ text: PreparedText, _ store: inout TextStore) -> Int {
    let space = store.prepared.units.base + text.unitStart + unit
    let isAmongAscii = unit > Int(item.start) && unit + 1 < Int(item.end) && (space - 1).pointee < 0x7f
    let units = UnsafeBufferPointer(start: UnsafePointer(space), count: 1)
    let shaped = isAmongAscii ? store.shaper.piece(units, item.context) : store.shaper.segment(units, item.context)
    return shaped.advance
  }

  /// Notes the width of the hyphen that a line shows if it ends after a segment with a soft hyphen (text-rules 12).
  ///
  /// - Parameter item: the index of the item that the soft hyphen is in.
  private func addHyphen(to segment: Int, _ item: Int, _ text: PreparedText, _ store: inout TextStore) {
    store.prepared.segments.base[segment].endTrim = -store.book.hyphenWidth(store.prepared.items[item].style, in: text)
    store.prepared.segments.base[segment].traits.insert(.changesAtEnd)
  }
}
