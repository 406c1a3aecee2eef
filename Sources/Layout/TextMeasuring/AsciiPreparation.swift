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
    let bytes = run.text
    let start = Int32(truncatingIfNeeded: prepared.units.count - text.unitStart)
    appendPlain(bytes.bytes, at: start, from: start)
    appendItem(
      text, Int(start), Int(start) + bytes.count, run.style, run.style.face, HB_SCRIPT_LATIN, 0, true)
    let item = prepared.items[prepared.items.count - 1]

    let first = prepared.segments.count
    // Of white space that collapses, what a text begins with is not shown.
    let shown = text.options.whiteSpace == .collapse && bytes[0] == 0x20 ? 1 : 0
    cutWords(bytes, from: shown, item)
    shapeWords(first, bytes, item)
  }

  /// Appends the segments of a run without their widths, and their words.
  private mutating func cutWords(_ bytes: ByteString, from first: Int, _ item: Item) {
    words.removeAll()
    let cacheContext = item.context.cacheContext(wide: false)
    var place = first
    while place < bytes.count {
      let start = place
      place = Self.endOfWord(bytes, start)
      let spaceStart = place
      var endsLine = false
      while place < bytes.count && Self.isBlank(bytes[place]) {
        endsLine = bytes[place] == 0x0a
        place += 1
        if endsLine { break }
      }

      var segment = Segment()
      segment.start = item.start + Int32(truncatingIfNeeded: start)
      segment.spaceStart = item.start + Int32(truncatingIfNeeded: spaceStart)
      segment.end = item.start + Int32(truncatingIfNeeded: place)
      if endsLine { segment.traits = .endsLine }
      if start == 0 && item.start > 0 { segment.traits.insert(.startsItem) }
      segment.metrics = item.metrics
      prepared.segments.append(segment)
      if spaceStart > start {
        // Shaped with the space that follows, whose advance is taken off again, so that kerning with it stays.
        let end = spaceStart < place && bytes[spaceStart] == 0x20 ? spaceStart + 1 : spaceStart
        let word = SegmentCache.Key(bytes.slice(start, end), context: cacheContext)
        shaper.cache.prefetch(word)
        words.append(word)
      }
    }
  }

  /// Gives the segments from `first` on their widths. Looking up a word waits for memory, for all of them at once if all
  /// have been asked for before.
  private mutating func shapeWords(_ first: Int, _ bytes: ByteString, _ item: Item) {
    let (context, scale, letterSpacing) = (item.context, item.scale, item.style.letterSpacing)
    let face = book.faces[Int(context.face)]
    let space = Double(face.spaceAdvance) * scale
    let kerning = face.spaceKerning
    var wordsDone = 0
    for index in first..<prepared.segments.count {
      let segment = prepared.segments.base + index
      let start = Int(segment.pointee.start - item.start)
      let spaceStart = Int(segment.pointee.spaceStart - item.start)
      let endsLine = segment.pointee.traits.contains(.endsLine)
      var spaces = Int(segment.pointee.end - segment.pointee.spaceStart) - (endsLine ? 1 : 0)
      if letterSpacing != 0 {
        segment.pointee.advanceSpacing = Double(spaceStart - start) * letterSpacing
        segment.pointee.spaceSpacing = Double(spaces) * letterSpacing
      }
      if spaceStart > start {
        let word = words[wordsDone]
        wordsDone += 1
        let shaped = shaper.segment(word, context)
        segment.pointee.advance = Double(shaped.advance - shaped.spaceAdvance) * scale
        segment.pointee.space = Double(shaped.spaceAdvance) * scale
        if index > first { addKerning(to: index, bytes, start, spaceStart, context, scale, kerning) }
        spaces -= word.bytes.count - (spaceStart - start)
      }
      segment.pointee.space += Double(spaces) * space
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
    to segment: Int, _ bytes: ByteString, _ start: Int, _ end: Int, _ context: ShapingContext,
    _ scale: Double, _ kerning: UnsafePointer<Int32>?
  ) {
    if bytes[start - 1] == 0x20 {
      guard let kerning else { return }
      prepared.segments.base[segment - 1].space += Double(kerning[Int(bytes[start]) - 0x20]) * scale
    } else if bytes[start - 1] != 0x0a {
      prepared.segments.base[segment].joining = Double(joiningWithin(bytes, start, end, context)) * scale
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
}
