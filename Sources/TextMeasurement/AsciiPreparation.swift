import Buffers
import CHarfBuzz

/// Printable ASCII, nearly all of English: no ICU, no decoding, no fallback.
extension TextMeasurer {
  /// Whether a text can go the short way: runs of plain ASCII of which each ends with a space and the next does not begin
  /// with one, so that no word and no space has two styles.
  func isPlainAscii(_ runs: UnsafeBufferPointer<TextRun>, _ whiteSpace: WhiteSpace) -> Bool {
    guard runs.count != 1 else { return isPlainAscii(runs[0], whiteSpace) }
    var endsWithSpace = true
    for run in runs where !run.text.isEmpty {
      guard isPlainAscii(run, whiteSpace), endsWithSpace, !Self.isBlank(run.text[0]) else { return false }
      endsWithSpace = Self.isBlank(run.text[run.text.count - 1])
    }
    return true
  }

  private func isPlainAscii(_ run: TextRun, _ whiteSpace: WhiteSpace) -> Bool {
    guard book.coversAscii(run.style.face) else { return false }
    var scan = PlainAsciiScan(whiteSpace)
    return scan.passes(run.text)
  }

  mutating func prepareAscii(_ runs: UnsafeBufferPointer<TextRun>, into text: inout PreparedText) {
    text.unitStart = prepared.units.count
    for run in runs where !run.text.isEmpty { prepareAscii(run, text) }
    text.unitCount = prepared.units.count - text.unitStart
  }

  private mutating func prepareAscii(_ run: TextRun, _ text: PreparedText) {
    let runStart = prepared.units.count - text.unitStart
    let face = book.faces[Int(run.style.face)]
    let scale = pointsPerUnit(face, run.style.size)
    let context = ShapingContext(
      face: run.style.face, script: HB_SCRIPT_LATIN, ligatures: run.style.letterSpacing == 0)
    let bytes = run.text
    let metrics = prepared.bit(of: book.lineMetrics(run.style, face: run.style.face), from: text.metrics.first)
    let space = Double(face.spaceAdvance) * scale
    let kerning = face.spaceKerning
    keepUnits(bytes, startingAt: runStart)
    prepared.items.append(
      Item(
        start: Int32(truncatingIfNeeded: runStart), end: Int32(truncatingIfNeeded: runStart + bytes.count),
        style: run.style, context: context, scale: scale, startsInline: true))

    var place = 0
    // Of white space that collapses, what a text begins with is not shown.
    if text.options.whiteSpace == .collapse && bytes[0] == 0x20 { place = 1 }
    while place < bytes.count {
      let start = place
      place = Self.endOfWord(bytes, start)
      let spaceStart = place
      var spaces = 0
      var endsLine = false
      while place < bytes.count && Self.isBlank(bytes[place]) {
        endsLine = bytes[place] == 0x0a
        place += 1
        if endsLine { break }
        spaces += 1
      }

      var segment = Segment()
      segment.start = Int32(truncatingIfNeeded: runStart + start)
      segment.spaceStart = Int32(truncatingIfNeeded: runStart + spaceStart)
      segment.end = Int32(truncatingIfNeeded: runStart + place)
      if endsLine { segment.traits = .endsLine }
      if start == 0 && runStart > 0 { segment.traits.insert(.startsItem) }
      segment.metrics = metrics
      if spaceStart > start {
        // Shaped with the space that follows, whose advance is taken off again, so that kerning with it stays.
        let shapedSpace = spaces > 0 && bytes[spaceStart] == 0x20
        let shaped = shaper.segment(bytes.slice(start, spaceStart + (shapedSpace ? 1 : 0)), context)
        segment.advance = Double(shaped.advance - shaped.spaceAdvance) * scale
        segment.space = Double(shaped.spaceAdvance) * scale + Double(spaces - (shapedSpace ? 1 : 0)) * space
        if start > 0 { addKerning(to: &segment, bytes, start, spaceStart, context, scale, kerning) }
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
    to segment: inout Segment, _ bytes: ByteString, _ start: Int, _ end: Int, _ context: ShapingContext,
    _ scale: Double, _ kerning: UnsafePointer<Int32>?
  ) {
    if bytes[start - 1] == 0x20 {
      guard let kerning else { return }
      prepared.segments.base[prepared.segments.count - 1].space += Double(kerning[Int(bytes[start]) - 0x20]) * scale
    } else if bytes[start - 1] != 0x0a {
      segment.joining = Double(joiningWithin(bytes, start, end, context)) * scale
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

  private mutating func keepUnits(_ bytes: ByteString, startingAt runStart: Int) {
    if recordsLines { for index in 0..<bytes.count { prepared.origins.append(Int32(runStart + index)) } }
    let units = prepared.units.extend(by: bytes.count)
    for index in 0..<bytes.count { units[index] = UInt16(bytes[index]) }
  }
}
