import Buffers
import CHarfBuzz

/// The phase that prepares texts of printable ASCII, which nearly all English texts are: without ICU, decoding and
/// fallback.
///
/// It replaces `TextDecoder`, `Itemizer` and `SegmentCutter`, with the same results.
struct AsciiSegmentCutter: ~Copyable {
  /// The sums of advances of the words of the run that is being prepared, with the space after a word but without its advance;
  /// `PairAdvances.unknown` for a word of `words`.
  private var sums = FlatBuffer<Int32>(capacity: 64)
  /// The words of the run that are no sums.
  private var words = FlatBuffer<SegmentCache.Key>(capacity: 8)

  /// Appends the units, items and segments of a text; see `TextStore.isPlainAscii`.
  mutating func prepare(
    _ runs: UnsafeBufferPointer<TextRun>, into text: inout PreparedText, _ store: inout TextStore
  ) {
    text.unitStart = store.prepared.units.count
    for run in runs where !run.text.isEmpty { prepare(run, text, &store) }
    text.unitCount = store.prepared.units.count - text.unitStart
  }

  private mutating func prepare(_ run: TextRun, _ text: PreparedText, _ store: inout TextStore) {
    let bytes = run.text
    let start = store.prepared.units.count - text.unitStart
    let origin = Int32(truncatingIfNeeded: start)
    store.prepared.appendPlain(bytes.bytes, at: origin, from: origin)
    let context = ShapingContext(
      face: run.style.face, script: HB_SCRIPT_LATIN, ligatures: run.style.letterSpacing == 0,
      rounding: text.rules.rounding(run.style, textScale: store.textScale))
    store.appendItem(text, start..<start + bytes.count, run.style, context, startsInline: true)
    let item = store.prepared.items[store.prepared.items.count - 1]

    let first = store.prepared.segments.count
    // A collapsing space at the start of a text is not shown.
    let shown = text.options.whiteSpace == .collapse && bytes[0] == 0x20 ? 1 : 0
    let table = store.shaper.pairs.table(context)
    cutWords(bytes, from: shown, item, text.rules.engine.pairs, table, &store)
    measureWords(first, bytes, item, text.rules.kerning, table, &store)
  }

  /// Appends the segments of a run without their widths, and their words to `words`.
  private mutating func cutWords(
    _ bytes: ByteString, from first: Int, _ item: Item, _ pairs: AsciiBreaks, _ table: PairAdvances,
    _ store: inout TextStore
  ) {
    words.removeAll()
    sums.removeAll()
    let cacheContext = item.context.cacheContext(wide: false)
    var index = first
    while index < bytes.count {
      let start = index
      let word = Self.word(bytes, start, pairs, table)
      index = word.end
      let spaceStart = index
      var endsLine = false
      while index < bytes.count && HangingSpaces.isBlank(bytes[index]) {
        endsLine = bytes[index] == 0x0a
        index += 1
        if endsLine { break }
      }

      var segment = Segment()
      segment.start = item.start + Int32(truncatingIfNeeded: start)
      segment.spaceStart = item.start + Int32(truncatingIfNeeded: spaceStart)
      segment.end = item.start + Int32(truncatingIfNeeded: index)
      if endsLine { segment.traits = .endsLine }
      if start == 0 && item.start > 0 { segment.traits.insert(.startsItem) }
      segment.metrics = item.metrics
      store.prepared.segments.append(segment)
      if spaceStart > start {
        // A word is measured with the space after it, whose advance is subtracted again, so that the kerning between them
        // counts.
        let hasSpace = spaceStart < index && bytes[spaceStart] == 0x20
        let last = table[word.last, hasSpace ? 0 : PairAdvances.alone]
        if last == PairAdvances.unknown || word.isUnknown || spaceStart - start >= Shaper.maxStretch {
          let word = SegmentCache.Key(bytes.slice(start, hasSpace ? spaceStart + 1 : spaceStart), context: cacheContext)
          store.shaper.cache.prefetch(word)
          words.append(word)
          sums.append(PairAdvances.unknown)
        } else {
          sums.append(word.sum &+ last)
        }
      }
    }
  }

  /// Sets the widths of the segments from the index `first` on.
  ///
  /// Looking up a word waits for memory. As all words were prefetched by `cutWords`, these waits overlap.
  private mutating func measureWords(
    _ first: Int, _ bytes: ByteString, _ item: Item, _ joins: BrowserRules.Kerning, _ table: PairAdvances,
    _ store: inout TextStore
  ) {
    let (context, scale, letterSpacing) = (item.context, item.scale, item.style.letterSpacing)
    let face = store.book.faces[Int(context.face)]
    let rounding = AdvanceRounding(face, context)
    let space = Double(rounding(face.spaceAdvance)) * scale
    let kerning = face.spaceKerning
    let kerningScale = context.rounding == 0 ? scale : pointsPerUnit(face, item.style.size)
    let spaceAdvance = table[0, PairAdvances.alone]
    var (sumsDone, wordsDone) = (0, 0)
    for index in first..<store.prepared.segments.count {
      let segment = store.prepared.segments.base + index
      let start = Int(segment.pointee.start - item.start)
      let spaceStart = Int(segment.pointee.spaceStart - item.start)
      let endsLine = segment.pointee.traits.contains(.endsLine)
      var spaces = Int(segment.pointee.end - segment.pointee.spaceStart) - (endsLine ? 1 : 0)
      if letterSpacing != 0 {
        segment.pointee.advanceSpacing = Double(spaceStart - start) * letterSpacing
        segment.pointee.spaceSpacing = Double(spaces) * letterSpacing
      }
      if spaceStart > start {
        let hasSpace = spaces > 0 && bytes[spaceStart] == 0x20
        let sum = sums[sumsDone]
        sumsDone += 1
        if sum == PairAdvances.unknown {
          let shaped = store.shaper.segment(words[wordsDone], context)
          wordsDone += 1
          segment.pointee.advance = Double(shaped.advance - shaped.spaceAdvance) * scale
          segment.pointee.space = Double(shaped.spaceAdvance) * scale
        } else {
          segment.pointee.advance = Double(sum) * scale
          segment.pointee.space = hasSpace ? Double(spaceAdvance) * scale : 0
        }
        if index > first {
          switch joins {
          case .onOneLine:
            Self.addKerning(
              to: segment, bytes, start..<spaceStart, context, scale, kerning, kerningScale, &store.shaper)
          case .always: Self.keepKerning(in: segment - 1, bytes, start..<spaceStart, context, scale, &store.shaper)
          case .never: break
          }
        }
        if hasSpace { spaces -= 1 }
      }
      segment.pointee.space += Double(spaces) * space
    }
  }

  /// A word of a run.
  private struct Word {
    /// The offset after its last byte.
    var end: Int
    /// The sum of the advances of its characters but the last.
    var sum: Int32 = 0
    /// Whether some of these were not measured, or are not those of pairs.
    var isUnknown = false
    /// The row of its last character.
    var last: Int
  }

  /// Returns the word that begins at `start`: the characters between which no line breaks.
  @inline(__always)
  private static func word(_ bytes: ByteString, _ start: Int, _ pairs: AsciiBreaks, _ table: PairAdvances) -> Word {
    guard start < bytes.count, !HangingSpaces.isBlank(bytes[start]) else { return Word(end: start, last: 0) }
    var word = Word(end: start + 1, last: Int(bytes[start] &- PairAdvances.first))
    while word.end < bytes.count && !HangingSpaces.isBlank(bytes[word.end]) {
      if pairs.allows(word.end > start + 1 ? bytes[word.end - 2] : 0, bytes[word.end - 1], bytes[word.end]) { break }
      let next = Int(bytes[word.end] &- PairAdvances.first)
      let advance = table[word.last, next]
      word.isUnknown = word.isUnknown || advance == PairAdvances.unknown
      word.sum &+= advance
      word.last = next
      word.end += 1
    }
    return word
  }

  /// Adds the kerning of a word with the word before it on the same line: to the space between them, or after a hyphen
  /// to the segment's `joining`.
  @inline(__always)
  private static func addKerning(
    to segment: UnsafeMutablePointer<Segment>, _ bytes: ByteString, _ word: Range<Int>, _ context: ShapingContext,
    _ scale: Double, _ kerning: UnsafePointer<Int32>?, _ kerningScale: Double, _ shaper: inout Shaper
  ) {
    let start = word.lowerBound
    if bytes[start - 1] == 0x20 {
      guard let kerning else { return }
      (segment - 1).pointee.space += Double(kerning[Int(bytes[start]) - 0x20]) * kerningScale
    } else if bytes[start - 1] != 0x0a {
      segment.pointee.joining = Double(joining(bytes, word, context, &shaper)) * scale
    }
  }

  /// Adds the kerning of a word with the segment before it to that segment, where it counts even if a line ends after it.
  private static func keepKerning(
    in segment: UnsafeMutablePointer<Segment>, _ bytes: ByteString, _ word: Range<Int>, _ context: ShapingContext,
    _ scale: Double, _ shaper: inout Shaper
  ) {
    let last = bytes[word.lowerBound - 1]
    guard last != 0x0a else { return }
    let joining = Double(joining(bytes, word, context, &shaper)) * scale
    if last == 0x20 { segment.pointee.space += joining } else { segment.pointee.advance += joining }
  }

  /// Returns the kerning of a word with what is before it, in the units of the context's advances.
  private static func joining(
    _ bytes: ByteString, _ word: Range<Int>, _ context: ShapingContext, _ shaper: inout Shaper
  ) -> Int {
    let start = word.lowerBound
    let before = start > 1 && !HangingSpaces.isBlank(bytes[start - 2]) ? start - 2 : start - 1
    let after = min(word.upperBound, start + 2)
    return shaper.segment(bytes.slice(before, after), context).advance
      - shaper.segment(bytes.slice(before, start), context).advance
      - shaper.segment(bytes.slice(start, after), context).advance
  }
}

extension TextStore {
  /// Returns whether a text can be prepared by `AsciiSegmentCutter`: each run is plain ASCII, ends with a space, and does
  /// not begin with one, so that no word and no space has two styles.
  func isPlainAscii(_ runs: UnsafeBufferPointer<TextRun>, _ whiteSpace: WhiteSpace) -> Bool {
    guard runs.count != 1 else { return isPlainAscii(runs[0], whiteSpace) }
    var endsWithSpace = true
    for run in runs where !run.text.isEmpty {
      guard isPlainAscii(run, whiteSpace), endsWithSpace, !HangingSpaces.isBlank(run.text[0]) else { return false }
      endsWithSpace = HangingSpaces.isBlank(run.text[run.text.count - 1])
    }
    return true
  }

  private func isPlainAscii(_ run: TextRun, _ whiteSpace: WhiteSpace) -> Bool {
    guard book.coversAscii(run.style.face) else { return false }
    var scan = PlainAsciiScan(whiteSpace)
    return scan.passes(run.text)
  }
}
