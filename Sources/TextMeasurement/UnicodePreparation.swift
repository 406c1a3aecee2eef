import Buffers
import CHarfBuzz
import CICU

/// Texts of any script and any number of runs: decoded to UTF-16, itemised by style, face and script, broken by ICU
/// where Chromium has no rule of its own.
extension TextMeasurer {
  mutating func prepareUnicode(_ runs: UnsafeBufferPointer<TextRun>, into text: inout PreparedText) {
    text.unitStart = prepared.units.count
    let firstItem = prepared.items.count
    var previousIsSpace = true
    for run in runs {
      let start = prepared.units.count
      decode(run.text, collapses: text.options.whiteSpace == .collapse, previousIsSpace: &previousIsSpace)
      itemize(from: start, base: text.unitStart, run.style)
    }
    text.items = PreparedText.Run(first: firstItem, count: prepared.items.count - firstItem)
    findBreaks(from: text.unitStart)
    cutSegments(text)
  }

  // MARK: Decoding

  /// Appends UTF-8 as UTF-16, U+FFFD for what is no character; leaves out what has no width anywhere (text-rules 18).
  private mutating func decode(_ bytes: ByteString, collapses: Bool, previousIsSpace: inout Bool) {
    for scalar in Scalars(bytes) {
      var value = scalar
      switch value {
      case 0x0d, 0x0c: if collapses { value = 0x20 } else { continue }
      case 0x7f...0x9f: continue
      case 0x2028, 0x2029: value = 0x20
      case 0x09, 0x0a: if collapses { value = 0x20 }
      default: break
      }
      if collapses {
        if value == 0x20 && previousIsSpace { continue }
        previousIsSpace = value == 0x20
      }
      if value > 0xffff {
        prepared.units.append(UInt16(truncatingIfNeeded: 0xd7c0 + value >> 10))
        prepared.units.append(UInt16(truncatingIfNeeded: 0xdc00 | value & 0x3ff))
      } else {
        prepared.units.append(UInt16(truncatingIfNeeded: value))
      }
    }
  }

  // MARK: Items

  /// Cuts the units from `start` on into stretches of one face and script.
  private mutating func itemize(from start: Int, base: Int, _ style: TextStyle) {
    var place = start
    var script = HB_SCRIPT_COMMON
    var face = style.face
    var itemStart = start
    var itemScript = HB_SCRIPT_COMMON
    while place < prepared.units.count {
      let (scalar, width) = scalar(at: place)
      let ownScript = hb_unicode_script(unicode, scalar)
      let extends = scalar > 0x2ff && galley_extends_cluster(scalar)
      let isReal = ownScript != HB_SCRIPT_COMMON && ownScript != HB_SCRIPT_INHERITED
      if isReal { script = ownScript }
      let newFace = self.face(for: scalar, at: place + width, extends: extends, style.face, current: face)
      let scriptChanges = isReal && itemScript != HB_SCRIPT_COMMON && script != itemScript
      if place > itemStart && (newFace != face || scriptChanges) {
        appendItem(itemStart - base, place - base, style, face, itemScript)
        itemStart = place
        itemScript = isReal ? ownScript : HB_SCRIPT_COMMON
      }
      if itemScript == HB_SCRIPT_COMMON && isReal { itemScript = ownScript }
      face = newFace
      place += width
    }
    if place > itemStart { appendItem(itemStart - base, place - base, style, face, itemScript) }
  }

  private mutating func appendItem(
    _ start: Int, _ end: Int, _ style: TextStyle, _ face: Int32, _ script: hb_script_t
  ) {
    prepared.items.append(
      Item(
        start: Int32(truncatingIfNeeded: start), end: Int32(truncatingIfNeeded: end), style: style,
        context: ShapingContext(face: face, script: script, ligatures: style.letterSpacing == 0)))
  }

  /// Fallback per cluster: marks stay with what they stand on, spaces with the primary face, emoji go to a face that
  /// has them even when an earlier face has a plain glyph (text-rules 17).
  private func face(for scalar: UInt32, at next: Int, extends: Bool, _ primary: Int32, current: Int32) -> Int32 {
    if scalar == 0x20 || scalar == 0x0a || scalar == 0x09 { return primary }
    if extends && (scalar == 0x200d || scalar == 0xfe0f || book.faces[Int(current)].covers(scalar)) { return current }
    if scalar >= 0x200c && scalar <= 0x200f { return current }
    let styled = next < prepared.units.count && prepared.units[next] == 0xfe0f
    if scalar > 0x22 && (styled || (scalar > 0x2300 && galley_is_emoji(scalar))), let emoji = book.emojiFace,
      book.faces[Int(emoji)].covers(scalar)
    {
      return emoji
    }
    return book.face(for: scalar, primary: primary)
  }

  func scalar(at place: Int) -> (UInt32, Int) {
    let unit = UInt32(prepared.units[place])
    if unit & 0xfc00 == 0xd800 && place + 1 < prepared.units.count {
      return ((unit - 0xd7c0) << 10 + UInt32(prepared.units[place + 1]) & 0x3ff, 2)
    }
    return (unit, 1)
  }

  // MARK: Breaks

  /// Notes for each unit from `start` on whether a line may begin there.
  private mutating func findBreaks(from start: Int) {
    let count = prepared.units.count - start
    breaks.removeAll()
    breaks.extend(by: count + 1).initialize(repeating: false, count: count + 1)
    let units = prepared.units.base + start
    if let lineBreaks, galley_breaks_set_text(lineBreaks, units, Int32(truncatingIfNeeded: count)) {
      var boundary = galley_breaks_next(lineBreaks)
      while boundary >= 0 {
        breaks[Int(boundary)] = true
        boundary = galley_breaks_next(lineBreaks)
      }
    }
    var index = 1
    while index < count {
      let before = units[index - 1]
      let after = units[index]
      if Self.isBlank(after) {
        breaks[index] = false
      } else if Self.isBlank(before) {
        breaks[index] = true
      } else if before < 0x7f && after < 0x7f && before > 0x20 && after > 0x20 {
        let beforeThat = index > 1 && units[index - 2] < 0x7f ? UInt8(truncatingIfNeeded: units[index - 2]) : 0
        breaks[index] = AsciiBreaks.allows(
          beforeThat, UInt8(truncatingIfNeeded: before), UInt8(truncatingIfNeeded: after))
      } else if (before == 0xa0 && after < 0x7f) || (after == 0xa0 && before < 0x7f) {
        breaks[index] = false
      }
      index += 1
    }
  }

  @inline(__always)
  private static func isBlank(_ unit: UInt16) -> Bool { unit == 0x20 || unit == 0x09 || unit == 0x0a }

  // MARK: Segments

  private mutating func cutSegments(_ text: PreparedText) {
    let count = prepared.units.count - text.unitStart
    var item = text.items.first
    var start = 0
    while start < count {
      var end = start
      if prepared.units[text.unitStart + start] == 0x09 {
        appendTab(start, text, prepared.items[self.item(at: start, from: &item)])
        start += 1
        continue
      }
      repeat { end += 1 } while end < count && !endsSegment(at: end, text.unitStart)
      var segment = Segment()
      segment.start = Int32(truncatingIfNeeded: start)
      segment.end = Int32(truncatingIfNeeded: end)
      segment.endsLine = prepared.units[text.unitStart + end - 1] == 0x0a
      var spaceStart = end
      while spaceStart > start && Self.isBlank(prepared.units[text.unitStart + spaceStart - 1]) { spaceStart -= 1 }
      segment.spaceStart = Int32(truncatingIfNeeded: spaceStart)
      measure(&segment, text, from: &item)
      prepared.segments.append(segment)
      start = end
    }
  }

  @inline(__always)
  private func endsSegment(at place: Int, _ unitStart: Int) -> Bool {
    breaks[place] || prepared.units[unitStart + place] == 0x09 || prepared.units[unitStart + place - 1] == 0x0a
  }

  private mutating func appendTab(_ place: Int, _ text: PreparedText, _ item: Item) {
    var segment = Segment()
    segment.start = Int32(truncatingIfNeeded: place)
    segment.spaceStart = segment.start
    segment.end = segment.start + 1
    segment.isTab = true
    segment.metrics = prepared.bit(
      of: book.lineMetrics(item.style, face: item.style.face), from: text.metrics.first)
    prepared.segments.append(segment)
  }

  /// The item at a place; `from` moves along with the text.
  private func item(at place: Int, from item: inout Int) -> Int {
    while item < prepared.items.count - 1 && prepared.items[item].end <= place { item += 1 }
    return item
  }

  /// Shapes a segment, a piece for each item it touches.
  private mutating func measure(_ segment: inout Segment, _ text: PreparedText, from item: inout Int) {
    var place = Int(segment.start)
    let spaceStart = Int(segment.spaceStart)
    while place < spaceStart {
      let current = prepared.items[self.item(at: place, from: &item)]
      let end = min(Int(current.end), spaceStart)
      let takesSpace =
        end == spaceStart && Int(current.end) > spaceStart && prepared.units[text.unitStart + spaceStart] == 0x20
      let units = UnsafeBufferPointer(
        start: prepared.units.base + text.unitStart + place, count: end - place + (takesSpace ? 1 : 0))
      let shaped = shapePiece(units, current.context)
      let scale = pointsPerUnit(book.faces[Int(current.context.face)], current.style.size)
      segment.advance += Double(shaped.advance - shaped.spaceAdvance) * scale
      if current.style.letterSpacing != 0 {
        segment.advanceSpacing += Double(spacedClusters(units.prefix(end - place))) * current.style.letterSpacing
      }
      segment.metrics |= metricsBit(current, text)
      place = end
    }
    measureSpaces(&segment, text, from: &item)
  }

  private mutating func measureSpaces(_ segment: inout Segment, _ text: PreparedText, from item: inout Int) {
    var place = Int(segment.spaceStart)
    while place < Int(segment.end) {
      let current = prepared.items[self.item(at: place, from: &item)]
      if prepared.units[text.unitStart + place] == 0x20 {
        let face = book.faces[Int(current.style.face)]
        segment.space += Double(face.spaceAdvance) * pointsPerUnit(face, current.style.size)
        segment.spaceSpacing += current.style.letterSpacing
      }
      if segment.isBlank { segment.metrics |= metricsBit(current, text) }
      place += 1
    }
  }

  /// With a line height of its own, a style's fallback faces do not move the line.
  private mutating func metricsBit(_ item: Item, _ text: PreparedText) -> UInt32 {
    var bit = prepared.bit(of: book.lineMetrics(item.style, face: item.style.face), from: text.metrics.first)
    if item.style.lineHeight.isNaN && item.context.face != item.style.face {
      bit |= prepared.bit(of: book.lineMetrics(item.style, face: item.context.face), from: text.metrics.first)
    }
    return bit
  }

  /// Plain ASCII pieces share the cache with plain ASCII texts.
  private mutating func shapePiece(_ units: UnsafeBufferPointer<UInt16>, _ context: ShapingContext) -> ShapedSegment {
    guard units.count <= SegmentCache.maxKeyLength, units.allSatisfy({ $0 < 0x7f }) else {
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

  private func spacedClusters(_ units: Slice<UnsafeBufferPointer<UInt16>>) -> Int {
    var count = 0
    for unit in units where unit & 0xfc00 != 0xdc00 && !(unit > 0x2ff && galley_extends_cluster(UInt32(unit))) {
      count += 1
    }
    return count
  }
}

/// The scalars of UTF-8 bytes, U+FFFD in place of what is none.
private struct Scalars: Sequence, IteratorProtocol {
  private var decoder = UTF8()
  private var source: UnsafeBufferPointer<UInt8>.Iterator

  init(_ bytes: ByteString) { source = bytes.bytes.makeIterator() }

  mutating func next() -> UInt32? {
    switch decoder.decode(&source) {
    case .scalarValue(let scalar): scalar.value
    case .emptyInput: nil
    case .error: 0xfffd
    }
  }
}
