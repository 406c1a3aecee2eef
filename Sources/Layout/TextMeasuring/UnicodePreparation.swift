import Buffers
import CHarfBuzz
import CICU

/// Texts of any script and any number of runs, cut into segments.
extension TextMeasurer {
  mutating func prepareUnicode(_ runs: UnsafeBufferPointer<TextRun>, into text: inout PreparedText) {
    text.unitStart = prepared.units.count
    let firstItem = prepared.items.count
    var previousIsSpace = true
    var traits = Traits()
    var origin: Int32 = 0
    runEnds.removeAll()
    for run in runs {
      decode(
        run.text, collapses: text.options.whiteSpace == .collapse, previousIsSpace: &previousIsSpace, &traits,
        origin: &origin)
      runEnds.append(prepared.units.count)
    }
    if text.options.whiteSpace == .collapse { dropIfBlank(from: text.unitStart) }
    text.unitCount = prepared.units.count - text.unitStart
    text.traits = traits
    var levels: UnsafePointer<UInt8>?
    if traits.contains(.bidirectional), let bidi {
      levels = galley_bidi_levels(bidi, prepared.units.base + text.unitStart, Int32(truncatingIfNeeded: text.unitCount))
    }
    var start = text.unitStart
    findScripts(from: start, to: prepared.units.count)
    var scriptRun = 0
    for (run, end) in zip(runs, 0..<runEnds.count) {
      let end = runEnds[end]
      itemize(text, from: start, to: end, run.style, levels: levels, scriptRun: &scriptRun)
      start = end
    }
    text.items = PreparedText.Run(first: firstItem, count: prepared.items.count - firstItem)
    cutSegments(text, from: 0, to: text.unitCount)
  }

  /// A text of nothing but what HTML calls white space has no lines, though a form feed elsewhere shows.
  private mutating func dropIfBlank(from start: Int) {
    for place in start..<prepared.units.count where prepared.units[place] != 0x20 && prepared.units[place] != 0x0c {
      return
    }
    prepared.units.truncate(to: start)
    for run in 0..<runEnds.count { runEnds[run] = start }
  }

  /// Cuts a stretch of the text into segments.
  mutating func cutSegments(_ text: PreparedText, from first: Int, to limit: Int) {
    guard first < limit else { return }
    findBreaks(from: text.unitStart + first, count: limit - first, text.traits)
    var cutter = SegmentCutter(text: text, item: itemIndex(at: Int32(truncatingIfNeeded: first), text))
    var start = first
    while start < limit {
      if prepared.units[text.unitStart + start] == 0x09 {
        appendTab(start, &cutter)
        start += 1
        continue
      }
      var end = start + 1
      while end < limit && !endsSegment(at: end, first, text.unitStart) { end += 1 }
      appendSegment(start, end, &cutter, startsText: start == first)
      start = end
    }
  }

  /// Where the cutting of a text stands.
  struct SegmentCutter {
    let text: PreparedText
    /// The item that was looked at last.
    var item: Int
  }

  @inline(__always)
  private func endsSegment(at place: Int, _ first: Int, _ unitStart: Int) -> Bool {
    breaks[place - first] || prepared.units[unitStart + place] == 0x09
      || prepared.units[unitStart + place - 1] == 0x0a
  }

  /// The index of the item at a place; goes along with the text.
  private func item(at place: Int, _ cutter: inout SegmentCutter) -> Int {
    while cutter.item < prepared.items.count - 1 && prepared.items[cutter.item].end <= place { cutter.item += 1 }
    return cutter.item
  }

  private mutating func appendTab(_ place: Int, _ cutter: inout SegmentCutter) {
    let item = prepared.items[self.item(at: place, &cutter)]
    var segment = Segment()
    segment.start = Int32(truncatingIfNeeded: place)
    segment.spaceStart = segment.start
    segment.end = segment.start + 1
    segment.traits = item.startsInline && item.start == segment.start ? [.tab, .startsItem] : .tab
    segment.metrics = item.metrics
    prepared.segments.append(segment)
  }

  private mutating func appendSegment(_ start: Int, _ end: Int, _ cutter: inout SegmentCutter, startsText: Bool) {
    let units = prepared.units.base + cutter.text.unitStart
    let spaceStart = startOfSpaces(start, end, units, cutter.text.options.whiteSpace)
    let firstSegment = prepared.segments.count
    var place = start
    repeat {
      let index = item(at: place, &cutter)
      let item = prepared.items[index]
      let pieceEnd = min(Int(item.end), spaceStart)
      var segment = Segment()
      segment.start = Int32(truncatingIfNeeded: place)
      segment.spaceStart = Int32(truncatingIfNeeded: pieceEnd)
      segment.end = segment.spaceStart
      if place > start {
        segment.traits.insert(.continues)
        prepared.segments.base[prepared.segments.count - 1].traits.insert(.isContinued)
      }
      if item.startsInline && Int(item.start) == place && place > 0 { segment.traits.insert(.startsItem) }
      if pieceEnd > place {
        shape(&segment, item, cutter.text, spaceStart: spaceStart, joins: place == start && !startsText)
      }
      prepared.segments.append(segment)
      place = pieceEnd
    } while place < spaceStart
    let last = prepared.segments.count - 1
    if cutter.text.traits.contains(.eastAsian) {
      let collapsesAtEnd = end == cutter.text.unitCount && cutter.text.options.whiteSpace == .collapse
      trimPunctuation(firstSegment, cutter.text, start, collapsesAtEnd ? spaceStart : end)
    }
    if spaceStart > start && units[spaceStart - 1] == 0xad { addHyphen(to: last, cutter.text, &cutter) }
    prepared.segments.base[last].end = Int32(truncatingIfNeeded: end)
    if end > spaceStart { measureSpaces(of: last, from: spaceStart, end, &cutter) }
    if cutter.text.options.whiteSpace == .collapse && start > 0 && units[start - 1] == 0x20 && units[start] == 0x3000
      && units[spaceStart - 1] == 0x3000
    {
      prepared.segments.base[last].traits.insert(.givesWay)
    }
    if units[end - 1] == 0x0a { prepared.segments.base[last].traits.insert(.endsLine) }
  }

  /// Spaces, tabs and newlines hang; ideographic spaces do after text (text-rules 9), where spaces are kept also after
  /// spaces.
  private func startOfSpaces(
    _ start: Int, _ end: Int, _ units: UnsafePointer<UInt16>, _ whiteSpace: WhiteSpace
  ) -> Int {
    var place = end
    while place > start && (Self.isBlank(units[place - 1]) || units[place - 1] == 0x3000) { place -= 1 }
    if place > start || (whiteSpace == .preserve && start > 0 && units[start - 1] == 0x20) { return place }
    place = end
    while place > start && Self.isBlank(units[place - 1]) { place -= 1 }
    return place
  }

  /// Shapes a piece with the space behind it, whose advance is taken off again, so that kerning with it stays.
  private mutating func shape(
    _ segment: inout Segment, _ item: Item, _ text: PreparedText, spaceStart: Int, joins: Bool
  ) {
    let start = Int(segment.start)
    let end = Int(segment.spaceStart)
    let takesSpace =
      end == spaceStart && Int(item.end) > spaceStart && prepared.units[text.unitStart + spaceStart] == 0x20
    let units = UnsafeBufferPointer(
      start: prepared.units.base + text.unitStart + start, count: end - start + (takesSpace ? 1 : 0))
    var shaped = ShapedSegment()
    if text.traits.contains(.softHyphens) && Self.isCursive(item.context.script) {
      // Letters stay joined over soft hyphens.
      let all = prepared.units.base + text.unitStart
      shaped.advance = shaper.advance(of: start..<end, in: all, text.unitCount, item.context)
    } else {
      shaped = shapePiece(units, item.context)
    }
    let scale = item.scale
    segment.advance = Double(shaped.advance - shaped.spaceAdvance) * scale
    if item.style.letterSpacing != 0 {
      segment.advanceSpacing = Double(spacedClusters(start, end, item, text)) * item.style.letterSpacing
    }
    segment.metrics = item.metrics
    if joins && Int(item.start) < start {
      let kerning = joining(start, end, item, text) * scale
      if prepared.units[text.unitStart + start - 1] == 0x20 {
        prepared.segments.base[prepared.segments.count - 1].space += kerning
      } else {
        segment.joining = kerning
      }
    }
  }

  /// What a piece's advance changes by when the piece before it is on the same line: kerning over a space or a
  /// hyphen. In font units.
  private mutating func joining(_ start: Int, _ end: Int, _ item: Item, _ text: PreparedText) -> Double {
    let units = prepared.units.base + text.unitStart
    guard Self.mayKern(units[start - 1]) && Self.mayKern(units[start]) else { return 0 }
    var before = start
    while before > Int(item.start) && start - before < 2 && !(before < start && Self.isBlank(units[before - 1])) {
      before -= 1
    }
    let after = min(end, start + 2)
    guard before < start, after - before <= SegmentCache.maxKeyLength / 2 else { return 0 }
    func piece(_ from: Int, _ to: Int) -> UnsafeBufferPointer<UInt16> {
      UnsafeBufferPointer(start: units + from, count: to - from)
    }
    let both = shapePiece(piece(before, after), item.context)
    let first = shapePiece(piece(before, start), item.context)
    let second = shapePiece(piece(start, after), item.context)
    return Double(both.advance - first.advance - second.advance)
  }

  /// Fonts kern Latin, Greek, Cyrillic, kana and the spaces and marks among them; ideographs and the scripts of
  /// dictionaries not.
  private static func mayKern(_ unit: UInt16) -> Bool {
    unit < 0x590 || (unit >= 0x2000 && unit <= 0x206f) || (unit >= 0x3000 && unit <= 0x30ff) || unit == 0x1680
  }

  private mutating func measureSpaces(of segment: Int, from start: Int, _ end: Int, _ cutter: inout SegmentCutter) {
    let segment = prepared.segments.base + segment
    for place in start..<end {
      let item = prepared.items[self.item(at: place, &cutter)]
      let unit = prepared.units[cutter.text.unitStart + place]
      let startsItem = item.startsInline && Int(item.start) == place && place > 0
      if unit == 0x20 || unit == 0x3000 {
        let advance = book.advance(of: unit, in: item.context.face)
        if startsItem && place == start && place > Int(segment.pointee.start) {
          segment.pointee.traits.insert(.spacesStartItem)
        }
        segment.pointee.space += Double(advance) * item.scale
        if unit == 0x20 || !Self.isCursive(item.context.script) {
          segment.pointee.spaceSpacing += item.style.letterSpacing
        }
      }
      if segment.pointee.isBlank || unit == 0x3000 { segment.pointee.metrics |= item.metrics }
    }
  }

  /// A line that ends at a soft hyphen shows U+2010 (text-rules 12).
  private mutating func addHyphen(to segment: Int, _ text: PreparedText, _ cutter: inout SegmentCutter) {
    let place = Int(prepared.segments[segment].spaceStart) - 1
    prepared.segments.base[segment].endTrim = -hyphenWidth(prepared.items[item(at: place, &cutter)].style)
    prepared.segments.base[segment].traits.insert(.changesAtEnd)
  }

  /// Takes off what the punctuation of the pieces from `first` on is set narrower than it is. `end` counts the spaces
  /// behind, except those at the end of the text that collapse.
  private mutating func trimPunctuation(_ first: Int, _ text: PreparedText, _ start: Int, _ end: Int) {
    for index in first..<prepared.segments.count {
      let segment = prepared.segments.base + index
      guard segment.pointee.spaceStart > segment.pointee.start else { continue }
      let item = prepared.items[itemIndex(at: segment.pointee.start, text)]
      guard let half = halfWidth(item) else { continue }
      for place in Int(segment.pointee.start)..<Int(segment.pointee.spaceStart) {
        switch trimming(at: place, item, text) {
        case .opening where place == start: segment.pointee.joining -= half
        case .opening, .closing: segment.pointee.advance -= half
        case .atEnd where place == end - 1:
          segment.pointee.endTrim = half
          segment.pointee.traits.insert(.changesAtEnd)
        case .atEnd, nil: break
        }
      }
    }
  }

  /// Where the mark at a place is set half as wide: behind what precedes, before what follows, or at the end of a line;
  /// nil if it never is.
  func trimming(at place: Int, _ item: Item, _ text: PreparedText) -> PunctuationTrimming.Place? {
    let units = prepared.units.base + text.unitStart
    let kind = PunctuationTrimming.kind(units[place])
    if kind == .opening && place > 0 && PunctuationTrimming.trimsOpening(after: .init(units[place - 1])) {
      return .opening
    }
    // HarfBuzz positions Hebrew with what a font has for Hebrew, and fonts with such punctuation lack that.
    if item.context.script == HB_SCRIPT_HEBREW { return nil }
    if kind.isFullWidthClosing && place + 1 < text.unitCount
      && PunctuationTrimming.trimsClosing(before: .init(units[place + 1]))
    {
      return .closing
    }
    return kind == .closing ? .atEnd : nil
  }

  /// Half an em of an item's face in points, if that can trim punctuation.
  func halfWidth(_ item: Item) -> Double? {
    let face = book.faces[Int(item.context.face)]
    return face.trimsPunctuation ? face.unitsPerEm / 2 * item.scale : nil
  }

  /// Plain ASCII pieces share the cache with plain ASCII texts.
  mutating func shapePiece(_ units: UnsafeBufferPointer<UInt16>, _ context: ShapingContext) -> ShapedSegment {
    guard units.count <= SegmentCache.maxKeyLength, !context.isRightToLeft, units.allSatisfy({ $0 < 0x7f }) else {
      return shaper.segment(units, context)
    }
    var latin = context
    latin.script = HB_SCRIPT_LATIN
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: SegmentCache.maxKeyLength) { bytes in
      for index in 0..<units.count { bytes[index] = UInt8(truncatingIfNeeded: units[index]) }
      guard let start = bytes.baseAddress else { return ShapedSegment() }
      return shaper.segment(ByteString(start: start, count: units.count), latin)
    }
  }

  /// Clusters that letter spacing is added to (text-rules 19).
  private mutating func spacedClusters(_ start: Int, _ end: Int, _ item: Item, _ text: PreparedText) -> Int {
    let units = prepared.units.base + text.unitStart
    if Self.isCursive(item.context.script) { return (start..<end).count { units[$0] == 0xa0 } }
    if (start..<end).contains(where: { Self.isIndic(units[$0]) }) {
      // Which letters are set as one is the font's decision.
      shaped.removeAll()
      shaper.shapeClusters(start..<end, in: units, text.unitCount, item.context, into: &shaped)
      return shaped.values.count { !Self.isZeroWidth(UInt32(units[Int($0.start)])) }
    }
    var count = 0
    var place = text.unitStart + start
    while place < text.unitStart + end {
      let (scalar, width) = scalar(at: place)
      let isInside = place > text.unitStart && isInsideCluster(place)
      if !isInside && !Self.isZeroWidth(scalar) { count += 1 }
      place += width
    }
    return count
  }

  /// Scripts from Devanagari to Sinhala and from Burmese to Khmer.
  private static func isIndic(_ unit: UInt16) -> Bool {
    (unit >= 0x0900 && unit < 0x0e00) || (unit >= 0x1000 && unit < 0x1800)
  }
}

extension TextMeasurer {
  /// Characters that no letter spacing is added to. Control characters take it, shown or not.
  static func isZeroWidth(_ scalar: UInt32) -> Bool {
    switch scalar {
    case UInt32(hiddenControl): false
    case 0x0c, 0xad, 0x061c, 0x115f, 0x1160, 0x180e, 0x200b...0x200f, 0x202a...0x202e, 0x2060...0x206f, 0x3164, 0xfeff,
      0xfffc:
      true
    default: false
    }
  }
}

extension PunctuationTrimming.Kind {
  fileprivate init(_ unit: UInt16) { self = PunctuationTrimming.kind(unit) }
}
