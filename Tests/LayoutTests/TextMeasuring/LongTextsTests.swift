import CHarfBuzz
import CICU
import SeededRandom
import Testing

@testable import TextMeasuring

/// Texts of any length take work in proportion to it, and end no process.
@Suite struct LongTextsTests {
  /// A text whose work is counted.
  private struct Pattern: CustomStringConvertible {
    /// The characters at the start.
    var first = ""
    /// The characters that are repeated.
    let piece: String
    /// The characters at the end.
    var last = ""

    var description: String {
      [first, piece + "…", last].joined().unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
    }

    func text(scalars count: Int) -> String {
      let piece = Array(piece.unicodeScalars)
      var text = String.UnicodeScalarView()
      text.append(contentsOf: first.unicodeScalars)
      for index in 0..<count { text.append(piece[index % piece.count]) }
      text.append(contentsOf: last.unicodeScalars)
      return String(text)
    }
  }

  private static let patterns: [Pattern] =
    [
      "a", "word ", "a\u{ad}", "-", "\u{2010}", "a/", "“", "漢", "「", "漢」「", "\u{3000}", "\t", "\n",
      "ก", "กรุงเทพ", "\u{e33}", "ก\u{e34}\u{e48}", "aก", "ລາວ", "ភាសាខ្មែរ", "ក\u{17d2}", "\u{17b6}", "မြန်မာ", "က\u{1039}",
      "क\u{94d}", "हिन्दी", "\u{93f}", "ক\u{9cd}", "க\u{bcd}", "ක\u{dca}\u{200d}", "\u{f40}\u{f90}", "ക\u{d4d}",
      "\u{301}", "\u{301}\u{323}", "ب", "\u{64b}", "ש", "\u{5b0}", "\u{1f1e9}", "\u{fe0f}", "a\u{fe0f}", "👍🏽",
      "😀\u{200d}", "\u{200d}", "\u{200b}", "\u{202e}", "\u{202e}a\u{202c}", "\u{2067}a", "\u{2068}a\u{2069}", "aש1",
      "\u{1}", "\u{85}", "\u{1100}\u{1161}", "\u{1820}", "\u{378}", "\u{e000}", "\u{fffd}", "aя",
    ].map { Pattern(piece: $0) } + [
      Pattern(first: "ก", piece: "a"), Pattern(piece: "a", last: "ก"), Pattern(first: "\u{ad}", piece: "aя"),
      Pattern(piece: "aя", last: "\u{ad}"), Pattern(first: "a", piece: "\u{301}"),
      Pattern(first: "🏴", piece: "\u{e0061}"),
      Pattern(first: "ب", piece: "\u{651}"), Pattern(first: "\u{202e}", piece: "😀\u{1}"),
    ]

  /// The units that HarfBuzz and ICU process for a unit of a text in any box.
  private static let maxWork = 150

  /// Four times as long a text takes about four times as much work, whatever it consists of.
  @Test func workIsProportionalToTheLength() throws {
    var measurer = TextMeasurer(book: try ChromiumFonts().book)
    for pattern in Self.patterns {
      for letterSpacing in [0.0, 1] {
        for width in letterSpacing == 0 ? [1.0, 200, .infinity] : [1, 200] {
          let work = [250, 1000].map { count in
            let text = pattern.text(scalars: count)
            return Double(measurer.work(text, letterSpacing: letterSpacing, width: width)) / Double(text.utf16.count)
          }
          #expect(work[1] < 1.5 * work[0] + 25, "\(pattern), spacing \(letterSpacing), width \(width)")
          #expect(work[1] < Double(Self.maxWork), "\(pattern), spacing \(letterSpacing), width \(width)")
        }
      }
    }
  }

  /// Long sequences of any special characters are measured, and again with the same result.
  @Test func randomLongSequencesAreMeasured() throws {
    var measurer = TextMeasurer(book: try ChromiumFonts().book)
    var random = SplitMix(seed: 18)
    for number in 0..<60 {
      var text = ""
      for _ in 0..<1 + random.below(4) {
        let pattern = Self.patterns[random.below(Self.patterns.count)]
        text += pattern.text(scalars: 1 + random.below(random.below(8) == 0 ? 8000 : 300))
      }
      let width = [0, 1, 37.5, 200, .infinity][random.below(5)]
      let work = measurer.work(text, letterSpacing: Double(random.below(2)), width: width)
      #expect(work < 2 * Self.maxWork * text.utf16.count, "text \(number)")
    }
  }

  /// The advance of thousands of emoji that are one cluster does not fit in 32 bits.
  @Test func emojiThatAreJoinedTenThousandTimesAreOneCluster() throws {
    var measurer = TextMeasurer(book: try ChromiumFonts().book)
    withRun(Pattern(piece: "😀\u{200d}").text(scalars: 20_000)) { run in
      let prepared = measurer.prepare(run, TextOptions())
      let measured = measurer.measure(prepared, textScale: 1, maxWidth: 200, maxHeight: .infinity)
      #expect(measured.lines == 1)
      #expect(measured.width > 10_000 * 10)
    }
  }

  /// The stretches in which long words are shaped have the advance of the word shaped as a whole.
  @Test(arguments: ["AVAWATo,y.", "fficeflow", "سلامعليكم", "漢字", "हिन्दी", "שלום", "ภาษาไทย", "👩‍👩‍👧🇩🇪"])
  func longWordsHaveTheAdvanceOfTheWhole(piece: String) throws {
    var measurer = TextMeasurer(book: try ChromiumFonts().book)
    let units = Array(String(repeating: piece, count: 3000 / piece.utf16.count).utf16)
    units.withUnsafeBufferPointer { units in
      for face in measurer.store.book.faces.indices {
        let context = ShapingContext(
          face: Int32(face),
          script: piece == "سلامعليكم"
            ? HB_SCRIPT_ARABIC : piece == "हिन्दी" ? HB_SCRIPT_DEVANAGARI : HB_SCRIPT_LATIN,
          ligatures: true, isRightToLeft: piece == "سلامعليكم" || piece == "שלום")
        #expect(
          measurer.store.shaper.segment(units, context).advance == measurer.store.shaper.wholeAdvance(units, context),
          "face \(face)")
      }
    }
  }

  /// Flags are pairs, counted from the start of their own text.
  @Test func theFlagsOfATextDoNotDependOnTheTextBefore() throws {
    var measurer = TextMeasurer(book: try ChromiumFonts().book)
    var widths: [Double] = []
    for before in ["", "\u{1f1e9}"] {
      measurer.removeAll()
      withRun(before) { _ = measurer.prepare($0, TextOptions()) }
      withRun(String(repeating: "🇩🇪", count: 5), letterSpacing: 10) { run in
        let text = measurer.prepare(run, TextOptions())
        widths.append(measurer.measure(text, textScale: 1, maxWidth: .infinity, maxHeight: .infinity).width)
      }
    }
    #expect(widths[0] == widths[1])
  }

  /// Brackets that are nested deeper than the limit are neutral characters; all others keep their direction.
  @Test func onlyBracketsThatAreNestedDeeplyAreReplaced() {
    var brackets = BidiBrackets()
    func isReplaced(_ text: String) -> Bool {
      let units = Array(text.utf16)
      return units.withUnsafeBufferPointer { units in
        guard let start = units.baseAddress else { return false }
        return brackets.bounded(start, count: units.count) != start
      }
    }
    #expect(!isReplaced(String(repeating: "(ש) [a] ", count: 1000)))
    #expect(!isReplaced(String(repeating: "(", count: 100) + "ש\n" + String(repeating: "(", count: 100)))
    #expect(isReplaced(String(repeating: "(", count: 200) + "ש" + String(repeating: "]", count: 200)))
    #expect(isReplaced("ש" + String(repeating: "(\u{2067})\u{2069}]", count: 200)))
  }
}

extension Shaper {
  /// Returns the advance of a text that HarfBuzz shapes at once.
  fileprivate func wholeAdvance(_ units: UnsafeBufferPointer<UInt16>, _ context: ShapingContext) -> Int {
    guard let start = units.baseAddress else { return 0 }
    let strike = book.faces[Int(context.face)].strikeAdvance
    return glyphs(of: units.indices, in: start, units.count, context).positions.reduce(0) { sum, glyph in
      let own = glyph.x_advance
      return sum + Int(own > 0 ? strike ?? own : own)
    }
  }
}

extension TextMeasurer {
  /// Measures a text and returns the number of units that HarfBuzz and ICU processed.
  fileprivate mutating func work(_ text: String, letterSpacing: Double, width: Double) -> Int {
    let before = store.shaper.shapedUnits + lineFiller.cutter.breaks.searchedUnits
    removeAll()
    let prepared = withRun(text, letterSpacing: letterSpacing) { prepare($0, TextOptions()) }
    let measured = measure(prepared, textScale: 1, maxWidth: width, maxHeight: .infinity)
    #expect(measured.width.isFinite && measured.height.isFinite)
    return store.shaper.shapedUnits + lineFiller.cutter.breaks.searchedUnits - before
  }
}
