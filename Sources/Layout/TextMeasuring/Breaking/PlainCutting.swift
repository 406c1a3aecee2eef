import Buffers

/// The cutting of plain stretches, which nearly all English texts are: without ICU, and with the advances of words as sums of those of
/// their pairs.
extension SegmentCutter {
  /// Appends the segments of a plain stretch.
  mutating func cutPlain(
    _ range: Range<Int>, _ text: PreparedText, _ cursor: inout Cursor, startsText: Bool, _ store: inout TextStore
  ) {
    let units = UnsafePointer(store.prepared.units.base + text.unitStart)
    let breaks = text.rules.engine.pairs
    let first = range.lowerBound
    var item = PlainItem(at: first, text, &cursor, store)
    var start = first
    while start < range.upperBound {
      if start >= item.end { item = PlainItem(at: start, text, &cursor, store) }
      let word = Self.word(units, start, range.upperBound, item.end, breaks, item.pairs)
      let end = Self.endOfBlanks(units, word.end, range.upperBound)
      if end <= item.end && word.sum > PairAdvances.unknownSum {
        var segment = item.segment(start, word, end, endsLine: units[end - 1] == 0x0a)
        if word.end > start && item.start < start && !(startsText && start == first) {
          join(&segment, start..<word.end, item, units, text.rules.kerning, &store)
        }
        store.prepared.segments.append(segment)
      } else {
        appendSegment(start, end, text, &cursor, startsText: startsText && start == first, &store)
      }
      start = end
    }
  }

  /// Returns the offset after the word that starts at a unit, which is that unit if it is blank, and the sum of the word's advances
  /// with the kerning between it and a space after it; at most `PairAdvances.unknownSum` if it is not known.
  ///
  /// - Parameter itemEnd: the offset after the last unit of its item.
  private static func word(
    _ units: UnsafePointer<UInt16>, _ start: Int, _ limit: Int, _ itemEnd: Int, _ breaks: AsciiBreaks,
    _ pairs: PairAdvances
  ) -> (end: Int, sum: Int) {
    var last = units[start]
    guard last > 0x20 else { return (start, 0) }
    var (index, sum) = (start &+ 1, 0)
    while index < limit {
      if AsciiBreaks.isLetter(last) {
        // No line breaks after a letter.
        while index < limit, AsciiBreaks.isLetter(units[index]) {
          sum &+= Int(pairs[last, units[index]])
          last = units[index]
          index &+= 1
        }
        if index == limit { break }
      }
      let next = units[index]
      if next <= 0x20 || breaks.allows(index > start &+ 1 ? units[index &- 2] : 0, last, next) { break }
      sum &+= Int(pairs[last, next])
      last = next
      index &+= 1
    }
    sum &+= Int(index < itemEnd && units[index] == 0x20 ? pairs[last, 0x20] : pairs.alone(last))
    return (index, index &- start > PairAdvances.maxSummed ? PairAdvances.unknownSum : sum)
  }

  /// Returns the end of the blanks from `start` on, which is after the first newline.
  @inline(__always)
  private static func endOfBlanks(_ units: UnsafePointer<UInt16>, _ start: Int, _ end: Int) -> Int {
    var index = start
    while index < end && units[index] <= 0x20 {
      index &+= 1
      if units[index &- 1] == 0x0a { break }
    }
    return index
  }

  /// Adds the kerning of a word with the segment before it in its item: to that segment, or to the word's `joining`.
  @inline(__always)
  private func join(
    _ segment: inout Segment, _ word: Range<Int>, _ item: PlainItem, _ units: UnsafePointer<UInt16>,
    _ rule: BrowserRules.Kerning, _ store: inout TextStore
  ) {
    let last = units[word.lowerBound - 1]
    guard rule != .never, last != 0x0a else { return }
    let before = store.prepared.segments.base + store.prepared.segments.count - 1
    if rule == .onOneLine && last == 0x20 && item.knowsSpaceKerning {
      guard let kerning = item.spaceKerning else { return }
      before.pointee.space +=
        Double(kerning[Int(units[word.lowerBound] &- UInt16(PairAdvances.first))]) * item.kerningScale
      return
    }
    let kerning = store.shaper.kerning(
      before: word, in: units, store.prepared.items.base + item.index, item.pairs)
    if last == 0x20 {
      before.pointee.space += kerning * item.scale
    } else if rule == .always {
      before.pointee.advance += kerning * item.scale
    } else {
      segment.joining = kerning * item.scale
    }
  }
}

/// What the words of an item have in common, in a plain stretch.
private struct PlainItem {
  /// The index of the item.
  let index: Int
  let start: Int
  /// The offset after its last unit; `start` if its words are measured as those of other stretches.
  let end: Int
  let pairs: PairAdvances
  let scale: Double
  private let letterSpacing: Double
  /// The advance of a space in points at text scale 1.
  private let space: Double
  private let metrics: UInt32
  private let startsInline: Bool
  /// Whether `spaceKerning` is known for the way in which the item is shaped.
  let knowsSpaceKerning: Bool
  /// The kerning of each character after a space in font units; nil if there is none.
  let spaceKerning: UnsafePointer<Int32>?
  /// The size of a font unit in points, at text scale 1.
  let kerningScale: Double

  /// Finds the item of a unit.
  @inline(__always)
  init(at unit: Int, _ text: PreparedText, _ cursor: inout SegmentCutter.Cursor, _ store: borrowing TextStore) {
    index = cursor.item(at: unit, store.prepared)
    pairs = cursor.pairs(store)
    let item = store.prepared.items.base + index
    let context = item.pointee.context
    let face = store.book.faces[Int(context.face)]
    start = Int(item.pointee.start)
    scale = item.pointee.scale
    letterSpacing = item.pointee.style.letterSpacing
    metrics = item.pointee.metrics
    startsInline = item.pointee.startsInline
    knowsSpaceKerning = !context.isSpecial && face.coversAscii
    spaceKerning = face.spaceKerning
    kerningScale = context.rounding == 0 ? scale : pointsPerUnit(face, item.pointee.style.size)
    let known = pairs.alone(0x20)
    let isKnown = known != PairAdvances.unknown
    space = Double(isKnown ? known : store.book.advance(of: 0x20, context)) * scale
    let isSummed =
      (isKnown || !context.isSpecial) && context.ofAsciiPieces != nil && !isCursive(context.script)
      && item.pointee.style.attachment == nil
    end = isSummed ? Int(item.pointee.end) : start
  }

  /// Returns the segment of a word and its blanks, without its kerning with the segment before it.
  @inline(__always)
  func segment(_ start: Int, _ word: (end: Int, sum: Int), _ end: Int, endsLine: Bool) -> Segment {
    let spaces = Double(end &- word.end &- (endsLine ? 1 : 0))
    var segment = Segment()
    segment.start = Int32(truncatingIfNeeded: start)
    segment.spaceStart = Int32(truncatingIfNeeded: word.end)
    segment.end = Int32(truncatingIfNeeded: end)
    segment.metrics = metrics
    if endsLine { segment.traits = .endsLine }
    if startsInline && start == self.start && start > 0 { segment.traits.insert(.startsItem) }
    segment.advance = Double(word.sum) * scale
    segment.space = spaces * space
    if letterSpacing != 0 {
      segment.advanceSpacing = Double(word.end &- start) * letterSpacing
      segment.spaceSpacing = spaces * letterSpacing
    }
    return segment
  }
}
