import Buffers
import CHarfBuzz

/// The cutting of plain stretches, which nearly all texts in Latin letters are: without ICU, and with the advances of words as sums of
/// those of their pairs.
extension SegmentCutter {
  /// Appends the segments of a plain stretch.
  mutating func cutPlain(
    _ range: Range<Int>, _ text: PreparedText, _ cursor: inout Cursor, startsText: Bool, _ store: inout TextStore
  ) {
    let units = UnsafePointer(store.prepared.units.base + text.unitStart)
    let rules = (ascii: text.rules.engine.pairs, plain: breaks.plainBreaks(text.rules.engine))
    let first = range.lowerBound
    var start = first
    while start < range.upperBound {
      let item = PlainItem(at: start, units, text, &cursor, store)
      repeat {
        var word = PlainWord(at: start)
        if units[start] > 0x20 {
          word.addFirst(units)
          word.addLetters(units, range.upperBound, item.pairs)
          if word.end == range.upperBound || units[word.end] > 0x20 {
            let whole = word.whole(units, range.upperBound, item.pairs, rules)
            if !whole.isDecided {
              breaks.decide(units[whole.word.end - 1], units[whole.word.end], text, store)
              continue
            }
            word = whole.word
          }
          word.addLast(units, item)
        }
        let end = Self.endOfBlanks(units, word.end, range.upperBound)
        if end <= item.end && word.sum > PairAdvances.unknownSum {
          var segment = item.segment(start, word, end, endsLine: units[end - 1] == 0x0a)
          if word.end > start && !(startsText && start == first) && item.mayKern(units, start, text.rules.kerning) {
            join(
              &segment, start..<word.end, units, store.prepared.items.base + item.index, item.pairs, text, &store)
          }
          store.prepared.segments.append(segment)
        } else {
          appendSegment(start, end, text, &cursor, startsText: startsText && start == first, &store)
        }
        start = end
      } while start < min(item.end, range.upperBound)
    }
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
}

/// A word of a plain stretch while its characters are added.
private struct PlainWord {
  private let start: Int
  /// The offset after the characters that were added.
  private(set) var end: Int
  /// The number of the last character.
  private var last = PlainCharacters.none
  private var highest: UInt16 = 0
  /// The sum of the advances of all characters but the last, with their bias.
  private var biased = 0
  /// The sum of the advances of all characters; at most `PairAdvances.unknownSum` if it is not known.
  private(set) var sum = 0

  @inline(__always)
  init(at start: Int) { (self.start, end) = (start, start) }

  @inline(__always)
  mutating func addFirst(_ units: UnsafePointer<UInt16>) {
    last = PlainCharacters.number(of: units[start])
    highest = last
    end = start &+ 1
  }

  /// Adds the ASCII letters that follow an ASCII letter: no line breaks between them.
  @inline(__always)
  mutating func addLetters(_ units: UnsafePointer<UInt16>, _ limit: Int, _ pairs: PairAdvances) {
    guard AsciiBreaks.isLetter(last) else { return }
    while end < limit, AsciiBreaks.isLetter(units[end]) {
      biased &+= pairs.biased(last, units[end])
      last = units[end]
      end &+= 1
    }
  }

  /// Returns the word with the characters up to a blank or to where a line can end, or up to where it is not known whether one can end.
  @inline(never)
  func whole(
    _ units: UnsafePointer<UInt16>, _ limit: Int, _ pairs: PairAdvances,
    _ rules: (ascii: AsciiBreaks, plain: PlainBreaks)
  ) -> (word: PlainWord, isDecided: Bool) {
    var word = self
    while word.end < limit && units[word.end] > 0x20 {
      let (last, next) = (word.last, PlainCharacters.number(of: units[word.end]))
      if max(last, next) < 0x7f {
        if rules.ascii.allows(word.end > start &+ 1 ? units[word.end &- 2] : 0, last, next) { break }
      } else {
        let decision = rules.plain[last, next]
        if decision == .unknown { return (word, false) }
        if decision == .allowed { break }
        word.highest = max(word.highest, next)
      }
      word.biased &+= pairs.biased(last, next)
      word.last = next
      word.end &+= 1
      word.addLetters(units, limit, pairs)
    }
    return (word, true)
  }

  /// Completes the sum, with the kerning between the last character and a space after it.
  @inline(__always)
  mutating func addLast(_ units: UnsafePointer<UInt16>, _ item: PlainItem) {
    let hasSpace = end < item.end && units[end] == 0x20
    let count = end &- start
    biased &+= item.pairs.biased(last, hasSpace ? 0x20 : PlainCharacters.none)
    let isKnown = count <= PairAdvances.maxSummed && (item.isLatin || highest < 0x7f)
    sum = isKnown ? PairAdvances.sum(biased, of: count) : PairAdvances.unknownSum
  }
}

/// What the words of an item have in common, in a plain stretch.
private struct PlainItem {
  /// The index of the item.
  let index: Int
  let start: Int
  /// The offset from which on words can kern with the segment before them.
  private let kerningStart: Int
  /// The offset after its last unit; `start` if its words are measured as those of other stretches.
  let end: Int
  let pairs: PairAdvances
  /// Whether it is shaped as Latin. In other scripts, the advances of pairs are known for ASCII only.
  let isLatin: Bool
  let scale: Double
  private let letterSpacing: Double
  /// The advance of a space in points at text scale 1.
  private let space: Double
  private let metrics: UInt32
  /// The offset of the segment that starts a stretch whose width is rounded up; negative if none does.
  private let roundedStart: Int
  private let spaceKerning: SpaceKerning

  /// Finds the item of a unit.
  @inline(__always)
  init(
    at unit: Int, _ units: UnsafePointer<UInt16>, _ text: PreparedText, _ cursor: inout SegmentCutter.Cursor,
    _ store: borrowing TextStore
  ) {
    index = cursor.item(at: unit, store.prepared)
    pairs = cursor.pairs(store)
    let item = store.prepared.items.base + index
    let context = item.pointee.context
    start = Int(item.pointee.start)
    kerningStart = item.pointee.continuesShaping ? start : start + 1
    scale = item.pointee.scale
    letterSpacing = item.pointee.style.letterSpacing
    metrics = item.pointee.metrics
    roundedStart = SegmentCutter.startsItem(unit, item, units, text) ? unit : -1
    spaceKerning = SpaceKerning(item, store.shaper)
    isLatin = context.script == HB_SCRIPT_LATIN
    let known = context.isSpecial ? pairs[0x20, PlainCharacters.none] : store.book.advance(of: 0x20, context)
    space = Double(known ?? 0) * scale
    let isSummed =
      known != nil && context.ofAsciiPieces != nil && !isCursive(context.script)
      && item.pointee.style.attachment == nil
    end = isSummed ? Int(item.pointee.end) : start
  }

  /// Returns whether a word can kern with the segment before it in the item.
  @inline(__always)
  func mayKern(_ units: UnsafePointer<UInt16>, _ word: Int, _ rule: BrowserRules.Kerning) -> Bool {
    guard kerningStart <= word, units[word - 1] != 0x0a else { return false }
    return units[word - 1] != 0x20 || rule != .onOneLine || !spaceKerning.isNone(before: units[word])
  }

  /// Returns the segment of a word and its blanks, without its kerning with the segment before it.
  @inline(__always)
  func segment(_ start: Int, _ word: PlainWord, _ end: Int, endsLine: Bool) -> Segment {
    var segment = Segment(start, spaceStart: word.end, end: end, metrics: metrics)
    if endsLine { segment.traits = .endsLine }
    if start == roundedStart { segment.traits.insert(.startsItem) }
    segment.advance = Double(word.sum) * scale
    segment.advanceSpacing = Double(word.end &- start) * letterSpacing
    // Spaces are added one by one as in other stretches, so that the sum is the same to the last bit.
    let spaces = end &- word.end &- (endsLine ? 1 : 0)
    if spaces > 0 { (segment.space, segment.spaceSpacing) = (space, letterSpacing) }
    if spaces > 1 {
      for _ in 1..<spaces {
        segment.space += space
        segment.spaceSpacing += letterSpacing
      }
    }
    return segment
  }
}
