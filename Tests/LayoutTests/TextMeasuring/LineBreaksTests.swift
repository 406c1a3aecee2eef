import Buffers
import CICU
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

  /// ICU only iterates over stretches around characters that are not ASCII. The breaks are the same as in the whole text.
  @Test func stretchesOfATextBreakAsTheWholeText() throws {
    var store = TextStore(book: try ChromiumFonts().book, cacheBudget: 1 << 20)
    var breaks = BreakFinder()
    let lines = try #require(galley_breaks_open(galley_breaks_lines))
    defer { galley_breaks_close(lines) }
    var random = SplitMix(seed: 21)
    var compared = 0
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
      breaks.find(in: 0..<units.count, PreparedText(), &store)

      var whole = [Bool](repeating: false, count: units.count + 1)
      try #require(galley_breaks_set_text(lines, units, Int32(units.count)))
      while case let boundary = galley_breaks_next(lines), boundary >= 0 { whole[Int(boundary)] = true }
      for unit in 1..<max(units.count, 1) where Self.isDecidedByICU(units[unit - 1], units[unit]) {
        compared += 1
        #expect(breaks[unit] == whole[unit], "text \(number), unit \(unit): \(text)")
      }
    }
    #expect(compared > 20_000)
  }

  /// Returns whether ICU decides about a break between two units, rather than a rule of Chromium.
  private static func isDecidedByICU(_ before: UInt16, _ after: UInt16) -> Bool {
    guard before > 0x20 && after > 0x20 && max(before, after) >= 0x7f else { return false }
    return !BreakFinder.isHyphen(before) && !((before == 0xa0 && after < 0x7f) || (after == 0xa0 && before < 0x7f))
  }
}
