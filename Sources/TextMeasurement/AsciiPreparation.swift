import Buffers
import CHarfBuzz

/// Printable ASCII, spaces and newlines in one style: nearly all of English. No ICU, no decoding, no fallback.
extension TextMeasurer {
  /// Whether a run can go the short way.
  func isPlainAscii(_ run: TextRun) -> Bool {
    guard book.coversAscii(run.style.face) else { return false }
    let raw = UnsafeRawPointer(run.text.start)
    var place = 0
    while place + 8 <= run.text.count {
      if !Self.isPlain(raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)) { return false }
      place += 8
    }
    while place < run.text.count {
      let byte = run.text[place]
      if byte >= 0x7f || (byte < 0x20 && byte != 0x0a) { return false }
      place += 1
    }
    return true
  }

  /// Eight bytes, all from space to ~ or a newline.
  @inline(__always)
  private static func isPlain(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let high: UInt64 = 0x8080_8080_8080_8080
    let newlines = word ^ (ones &* 0x0a)
    let isNewline = (newlines &- ones) & ~newlines & high
    let belowSpace = (word &- ones &* 0x20) & ~word & high
    let delete = word ^ (ones &* 0x7f)
    let isDelete = (delete &- ones) & ~delete & high
    return word & high == 0 && (belowSpace & ~isNewline) == 0 && isDelete == 0
  }

  mutating func prepareAscii(_ run: TextRun, into text: inout PreparedText) {
    let face = book.faces[Int(run.style.face)]
    let scale = pointsPerUnit(face, run.style.size)
    let context = ShapingContext(
      face: run.style.face, script: HB_SCRIPT_LATIN, ligatures: run.style.letterSpacing == 0)
    let bytes = run.text
    let collapses = text.options.whiteSpace == .collapse
    let metrics = prepared.bit(of: book.lineMetrics(run.style, face: run.style.face), from: text.metrics.first)
    let space = Double(face.spaceAdvance) * scale
    let kerning = face.spaceKerning
    text.unitStart = prepared.units.count
    text.unitCount = bytes.count
    keepUnits(bytes)
    prepared.items.append(
      Item(
        start: 0, end: Int32(truncatingIfNeeded: bytes.count), style: run.style, context: context, scale: scale,
        startsInline: true))

    var place = 0
    if collapses { while place < bytes.count && Self.isBlank(bytes[place]) { place += 1 } }
    while place < bytes.count {
      let start = place
      place = Self.endOfWord(bytes, start)
      let spaceStart = place
      var spaces = 0
      var endsLine = false
      while place < bytes.count && Self.isBlank(bytes[place]) {
        endsLine = bytes[place] == 0x0a && !collapses
        place += 1
        if endsLine { break }
        spaces += 1
      }
      if collapses { spaces = min(spaces, 1) }

      var segment = Segment()
      segment.start = Int32(truncatingIfNeeded: start)
      segment.spaceStart = Int32(truncatingIfNeeded: spaceStart)
      segment.end = Int32(truncatingIfNeeded: place)
      if endsLine { segment.traits = .endsLine }
      segment.metrics = metrics
      if spaceStart > start {
        // Shaped with the space that follows, whose advance is taken off again, so that kerning with it stays.
        let shapedSpace = spaces > 0 && bytes[spaceStart] == 0x20
        let shaped = shaper.segment(bytes.slice(start, spaceStart + (shapedSpace ? 1 : 0)), context)
        segment.advance = Double(shaped.advance - shaped.spaceAdvance) * scale
        segment.space = Double(shaped.spaceAdvance) * scale + Double(spaces - (shapedSpace ? 1 : 0)) * space
        if start > 0 { addKerning(to: &segment, bytes, context, scale, kerning) }
      } else {
        segment.space = Double(spaces) * space
      }
      if run.style.letterSpacing != 0 {
        segment.advanceSpacing = Double(spaceStart - start) * run.style.letterSpacing
        segment.spaceSpacing = Double(spaces) * run.style.letterSpacing
      }
      prepared.segments.append(segment)
    }
  }

  @inline(__always)
  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0a }

  /// The end of the run of characters from `start` within which no line may break.
  @inline(__always)
  private static func endOfWord(_ bytes: ByteString, _ start: Int) -> Int {
    var place = start
    while place < bytes.count && !isBlank(bytes[place]) {
      if place > start
        && AsciiBreaks.allows(place > start + 1 ? bytes[place - 2] : 0, bytes[place - 1], bytes[place])
      {
        return place
      }
      place += 1
    }
    return place
  }

  /// Kerning with what precedes on the same line: the space takes it, or after a hyphen the segment.
  @inline(__always)
  private mutating func addKerning(
    to segment: inout Segment, _ bytes: ByteString, _ context: ShapingContext, _ scale: Double,
    _ kerning: UnsafePointer<Int32>?
  ) {
    let start = Int(segment.start)
    if bytes[start - 1] == 0x20 {
      guard let kerning else { return }
      prepared.segments.base[prepared.segments.count - 1].space += Double(kerning[Int(bytes[start]) - 0x20]) * scale
    } else if bytes[start - 1] != 0x0a {
      segment.joining = Double(joiningWithin(bytes, start, Int(segment.spaceStart), context)) * scale
    }
  }

  private mutating func joiningWithin(
    _ bytes: ByteString, _ start: Int, _ end: Int, _ context: ShapingContext
  ) -> Int {
    let before = start > 1 && !Self.isBlank(bytes[start - 2]) ? start - 2 : start - 1
    let after = min(end, start + 2)
    return shaper.segment(bytes.slice(before, after), context).advance
      - shaper.segment(bytes.slice(before, start), context).advance
      - shaper.segment(bytes.slice(start, after), context).advance
  }

  private mutating func keepUnits(_ bytes: ByteString) {
    if recordsLines { for index in 0..<bytes.count { prepared.origins.append(Int32(index)) } }
    let units = prepared.units.extend(by: bytes.count)
    for index in 0..<bytes.count { units[index] = UInt16(bytes[index]) }
  }
}
