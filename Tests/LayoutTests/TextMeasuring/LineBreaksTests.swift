import Buffers
import CICU
import LayoutEngine
import SeededRandom
import Testing

@testable import TextMeasuring

/// The break opportunities of texts.
@Suite struct LineBreaksTests {
  private static let words = [
    "a", "word", "Letters", "x1", "3", "(", ")", "-", "!?", "\u{201c}quoted\u{201d}", "«", "»", "…", "é", "naïve",
    "Straße",
    "слово", "λόγος", "한국어", "日本語、", "。", "ไทย", "עברית", "עברית-", "العربية", "हिन्दी", "😍", "👩‍👩‍👧", "🇩🇪", "1️⃣", "\u{a0}",
    "\u{200b}", "\u{2060}", "\u{200d}", "\u{301}", "\u{2014}", "\u{ad}", "\u{b4}", "€5", "5%", "№", "①", "\u{1680}",
    "\u{2028}",
  ]

  /// ICU only iterates over stretches around characters that are not ASCII. The breaks are the same as in the whole text. Lines can
  /// begin where a stretch does.
  @Test func stretchesOfATextBreakAsTheWholeText() throws {
    var store = TextStore(book: try ChromiumFonts().book, cacheBudget: 1 << 20)
    var breaks = BreakFinder()
    let lines = try #require(galley_breaks_open(galley_breaks_lines))
    defer { galley_breaks_close(lines) }
    var random = SplitMix(seed: 21)
    var (compared, plain) = (0, 0)
    for number in 0..<3000 {
      var text = ""
      for _ in 0..<1 + random.below(30) {
        // Long stretches of ASCII letters, so that some text is skipped.
        text +=
          random.below(3) > 0
          ? ["some", "more", "letters"][random.below(3)] : Self.words[random.below(Self.words.count)]
        if random.below(5) > 0 { text += " " }
      }
      let units = Array(text.utf16)
      store.prepared.removeAll()
      units.withUnsafeBufferPointer { store.prepared.units.append(contentsOf: $0) }
      let whole = try Self.breaks(of: units, lines)
      var stretches = Stretches(UnsafePointer(store.prepared.units.base), 0..<units.count, maxPlain: 0x7e)
      var end = 0
      while let stretch = stretches.next() {
        #expect(stretch.range.lowerBound == end && (end == 0 || whole[end]), "text \(number), unit \(end): \(text)")
        end = stretch.range.upperBound
        plain += stretch.isPlain ? 1 : 0
        #expect(!stretch.isPlain || units[stretch.range].allSatisfy { $0 < 0x7f })
        breaks.find(in: stretch.range, PreparedText(), &store)
        let first = stretch.range.lowerBound
        for unit in stretch.range.dropFirst() where Self.isDecidedByICU(units[unit - 1], units[unit]) {
          compared += 1
          #expect(breaks[unit - first] == whole[unit], "text \(number), unit \(unit): \(text)")
        }
      }
      #expect(end == units.count)
    }
    #expect(compared > 20_000 && plain > 1000)
  }

  /// ICU does not search long runs of ideographs. The breaks are the same as in the whole text, whatever is around these runs.
  @Test(arguments: [LineBreak.normal, .strict, .loose], [LanguageTag.none, LanguageTag("ja")])
  func runsOfIdeographsBreakAsTheWholeText(lineBreak: LineBreak, language: LanguageTag) throws {
    var text = PreparedText()
    text.traits.insert(.eastAsian)
    text.options.css.lineBreak = lineBreak
    text.options.css.language = language
    var store = TextStore(book: try ChromiumFonts().book, cacheBudget: 1 << 20)
    var breaks = BreakFinder()
    let lines = try #require(galley_breaks_open(text.options.css.lines))
    defer { galley_breaks_close(lines) }
    var random = SplitMix(seed: 22)
    let ranges: [ClosedRange<UInt16>] = [0x3041...0x3096, 0x30a1...0x30fa, 0x3400...0x9fff, 0xac00...0xd7a3]
    let others: [ClosedRange<UInt16>] = [
      0x3000...0x3040, 0x309d...0x309f, 0x30fb...0x30ff, 0xff01...0xff65, 0xa1...0x2fff,
    ]
    var skipped = 0
    for number in 0..<3000 {
      var units: [UInt16] = []
      for _ in 0..<1 + random.below(6) {
        let range = ranges[random.below(ranges.count)]
        for _ in 0..<random.below(14) { units.append(range.lowerBound + UInt16(random.below(range.count))) }
        let other = others[random.below(others.count)]
        for _ in 0..<random.below(3) { units.append(other.lowerBound + UInt16(random.below(other.count))) }
      }
      // What Chromium changes afterwards is not compared, nor what it replaces before.
      units.removeAll { BreakFinder.isHyphen($0) || BreakFinder.isHebrew($0) || HangingSpaces.isBlank($0) }
      store.prepared.removeAll()
      units.withUnsafeBufferPointer { store.prepared.units.append(contentsOf: $0) }
      let whole = try Self.breaks(of: units, lines)
      let searched = breaks.searchedUnits
      breaks.find(in: 0..<units.count, text, &store)
      skipped += units.count - (breaks.searchedUnits - searched)
      for unit in units.indices.dropFirst() {
        #expect(breaks[unit] == whole[unit], "text \(number), unit \(unit): \(units.map { String($0, radix: 16) })")
      }
    }
    #expect(skipped > 15_000)
  }

  /// The breaks are those of Chromium.
  @Test(arguments: [
    "abc –한국어": "abc |–|한|국|어", "abc –あいう": "abc |–|あ|い|う", "-שלום": "-שלום", "a –#tag": "a |–#tag", "a –→b": "a |–→b",
    "ab\u{200b}–cd": "ab\u{200b}|–cd", "ab\u{202f}–cd": "ab\u{202f}–cd", "a \u{58a}bc": "a |\u{58a}bc",
    "a –\u{301}bc": "a |–\u{301}bc", "a –\u{200f}bc": "a |–\u{200f}bc", "x–\u{301}bc": "x–\u{301}|bc",
    "א\u{2e17}א": "א\u{2e17}|א", "א\u{5b0}-א": "א\u{5b0}-|א",
  ])
  func hyphensStayWithTheWordThatTheyBegin(text: String, broken: String) throws {
    #expect(BrowserTexts(try ChromiumFonts().book).breaks(in: text, .web) == broken)
  }

  @Test func linesBreakBetweenHyphensOrBarsAndNoBreakSpaces() throws {
    let texts = BrowserTexts(try ChromiumFonts().book)
    for platform in [Platform.web, .webkit, .firefox] {
      #expect(texts.breaks(in: "abc-\u{a0}d", platform) == "abc-|\u{a0}d")
      #expect(texts.breaks(in: "a|\u{a0}b", platform) == "a||\u{a0}b")
      #expect(texts.breaks(in: "a/\u{a0}b", platform) == "a/\u{a0}b")
    }
  }

  /// Returns the breaks that ICU finds before the units and at the end.
  private static func breaks(of units: [UInt16], _ lines: OpaquePointer) throws -> [Bool] {
    var breaks = [Bool](repeating: false, count: units.count + 1)
    try #require(galley_breaks_set_text(lines, units, Int32(units.count)))
    while case let boundary = galley_breaks_next(lines), boundary >= 0 { breaks[Int(boundary)] = true }
    return breaks
  }

  /// Returns whether ICU decides about a break between two units, rather than a rule of Chromium.
  private static func isDecidedByICU(_ before: UInt16, _ after: UInt16) -> Bool {
    guard before > 0x20 && after > 0x20 && max(before, after) >= 0x7f else { return false }
    return !BreakFinder.isHyphen(before) && !((before == 0xa0 && after < 0x7f) || (after == 0xa0 && before < 0x7f))
  }
}
