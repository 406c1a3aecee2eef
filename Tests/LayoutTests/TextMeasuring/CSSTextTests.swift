import Buffers
import CICU
import GalleyTestSupport
import SeededRandom
import Testing

@testable import TextMeasuring

/// Properties of CSS that hold for random texts and boxes. `ChromiumConformanceTests` compares texts with those of Chromium.
@Suite struct CSSTextTests {
  private static let pieces = [
    "the", "office", "привет", "漢字", "カタカナ", "きゃっと", "한국어", "สวัสดี", "שלום", "सलाम", "12.5", "x-y", "…", "」",
    "(a)", "\u{3000}",
  ]

  /// Calls a function with a measurer that has prepared a random text with properties.
  private func withTexts(
    seed: UInt64, _ change: (inout CSSTextOptions) -> Void,
    _ body: (inout TextMeasurer, _ plain: Int, _ changed: Int, _ text: String) -> Void
  ) throws {
    var measurer = TextMeasurer(book: try ChromiumFonts().book)
    measurer.recordsLines = true
    var random = SplitMix(seed: seed)
    for _ in 0..<150 {
      let separators = ["", "", " ", " ", "\u{ad}", "\n"]
      let text = (0..<2 + random.below(14)).map { _ in
        Self.pieces[random.below(Self.pieces.count)] + separators[random.below(separators.count)]
      }.joined()
      withRuns([(text, TextStyle(face: Int32(random.below(4)), size: 14, lineHeight: 20))]) { runs in
        measurer.removeAll()
        let plain = measurer.prepare(runs, TextOptions())
        var options = TextOptions()
        change(&options.css)
        body(&measurer, plain, measurer.prepare(runs, options), text)
      }
    }
  }

  private func ends(_ measurer: inout TextMeasurer, _ text: Int, _ width: Double) -> [Int32] {
    _ = measurer.measure(text, textScale: 1, maxWidth: width, maxHeight: .infinity)
    return measurer.lineEnds.map(\.unit)
  }

  @Test(arguments: [TextWrap.balance, .pretty])
  func chosenLinesAreAsManyAsFullOnesAndFit(wrap: TextWrap) throws {
    var changes = 0
    try withTexts(seed: 3, { $0.textWrap = wrap }) { measurer, plain, chosen, text in
      for width in [60, 133.3, 240] as [Double] {
        let full = measurer.measure(plain, textScale: 1, maxWidth: width, maxHeight: .infinity)
        let fullEnds = measurer.lineEnds.map(\.unit)
        let other = measurer.measure(chosen, textScale: 1, maxWidth: width, maxHeight: .infinity)
        #expect(full.lines == other.lines && full.height == other.height, "\(text) in \(width)")
        #expect(other.width <= max(full.width, width + 1 / 64), "\(text) in \(width)")
        #expect(measurer.lineEnds.last?.unit == fullEnds.last, "\(text) in \(width)")
        if measurer.lineEnds.map(\.unit) != fullEnds { changes += 1 }
      }
    }
    #expect(changes > 10)
  }

  /// The width of two words has nothing to choose and is halved.
  @Test(arguments: ["my wonderful", "Getting started", "A conversation"])
  func aBalancedTextIsNotCutAtItsOwnNumberOfLines(string: String) throws {
    var measurer = TextMeasurer(book: try ChromiumFonts().book)
    let style = TextStyle(face: try ChromiumFonts().face("Noto Sans", 400), size: 17, lineHeight: 17)
    var options = TextOptions()
    options.css.textWrap = .balance
    options.maximumNumberOfLines = 2
    let text = measurer.prepareOnly(string, style, options)
    let measured = measurer.measure(text, textScale: 1, maxWidth: 110, maxHeight: .infinity)
    #expect(measured.lines == 2 && !measured.isTruncated)
  }

  /// A line holds 中中」 and half of 「, which begins the next line then.
  @Test(arguments: [WordBreak.breakAll, .normal])
  func anOpeningMarkIsTrimmedOnce(wordBreak: WordBreak) throws {
    let book = try FontBook(
      [FontBook.Source(file: DebianFonts.bytes("NotoSansCJK-Regular.ttc"), index: 2, weight: 0)], fallback: [])
    var measurer = TextMeasurer(book: book)
    measurer.recordsLines = true
    var options = TextOptions()
    options.css.wordBreak = wordBreak
    let style = TextStyle(face: 0, size: 16, lineHeight: 20)
    let number = withRuns([("中中」「中中", style)]) { measurer.prepare($0, options) }
    // As in Chromium 156.
    #expect(ends(&measurer, number, 66) == [3, 6])
  }

  @Test func aTextWhoseLastWordIsBrokenIsNotBalanced() throws {
    var measurer = TextMeasurer(book: try ChromiumFonts().book)
    measurer.recordsLines = true
    var options = TextOptions()
    options.css.textWrap = .balance
    let text = "new incomprehensibilities"
    let number = withRuns([(text, TextStyle(face: 0, size: 15, lineHeight: 20))]) { measurer.prepare($0, options) }
    // As in Chromium 156.
    #expect(ends(&measurer, number, 60).dropLast() == [4, 11, 19])
    #expect(ends(&measurer, number, 90).dropLast() == [4, 14])
    #expect(ends(&measurer, number, 110).dropLast() == [4, 17])
  }

  @Test func keepAllNeverBreaksBetweenLettersThatFit() throws {
    try withTexts(seed: 4, { $0.wordBreak = .keepAll }) { measurer, _, kept, text in
      let units = Array(text.utf16)
      for end in ends(&measurer, kept, 400).dropLast() where text.utf16.count < 40 {
        let (before, after) = (UInt32(units[Int(end) - 1]), UInt32(units[Int(end)]))
        let isWord = galley_kept(before) == galley_kept_letter && galley_kept(after) == galley_kept_letter
        #expect(!isWord, "\(text) breaks at \(end)")
      }
    }
  }

  /// Where lines end between any clusters, the next cluster never fits on a line.
  @Test func linesThatEndAnywhereAreAsFullAsClustersAllow() throws {
    try withTexts(seed: 5, { $0.lineBreak = .anywhere }) { measurer, plain, anywhere, text in
      for width in [40, 90, 200] as [Double] {
        let most = measurer.measure(plain, textScale: 1, maxWidth: width, maxHeight: .infinity).lines
        let lines = measurer.measure(anywhere, textScale: 1, maxWidth: width, maxHeight: .infinity).lines
        #expect(lines <= most, "\(text)")
      }
    }
  }

  @Test(arguments: [WordBreak.normal, .breakAll, .keepAll])
  func linesContainTheWholeTextWithAnyProperties(wordBreak: WordBreak) throws {
    var random = SplitMix(seed: 6)
    func change(_ css: inout CSSTextOptions) {
      css.wordBreak = wordBreak
      css.lineBreak = LineBreak.allCases[random.below(5)]
      css.overflowWrap = OverflowWrap.allCases[random.below(2)]
      css.textWrap = TextWrap.allCases[random.below(3)]
      css.language = LanguageTag(ByteString(keeping: ["ja", "zh-Hant", "ko", "en"][random.below(4)])) ?? .none
    }
    try withTexts(seed: 7, change) { measurer, _, changed, text in
      let count = measurer.store.prepared.texts[changed].unitCount
      for width in [0, 7, 40, 133.3, .infinity] as [Double] {
        let measured = measurer.measure(changed, textScale: 1, maxWidth: width, maxHeight: .infinity)
        let ends = measurer.lineEnds.map { Int($0.unit) }
        #expect(ends == Set(ends).sorted() && ends.last == count, "\(text) in \(width)")
        #expect(Int(measured.lines) == ends.count)
        let again = measurer.measure(changed, textScale: 1, maxWidth: width, maxHeight: .infinity)
        #expect(again == measured, "\(text) in \(width)")
      }
    }
  }

  /// Chromium ends the lines so. The spaces are in a font of their own, and the mark after them was lost.
  @Test(arguments: [LineBreak.anywhere, .auto], [("abc", 5), ("\u{5e9}\u{5dc}\u{5d5}\u{5dd}", 6)])
  func ideographicSpacesHangInsideWords(lineBreak: LineBreak, word: (text: String, end: Int32)) throws {
    var measurer = TextMeasurer(book: try ChromiumFonts().book)
    measurer.recordsLines = true
    var options = TextOptions()
    options.css.lineBreak = lineBreak
    let number = withRun(word.text + "\u{3000}\u{3000}\u{3001}x") { measurer.prepare($0, options) }
    for width in [40, 60] as [Double] {
      #expect(ends(&measurer, number, width) == [word.end, word.end + 2], "in \(width)")
    }
  }

  @Test func wordsThatOverflowAreNotBroken() throws {
    try withTexts(seed: 8, { $0.overflowWrap = .normal }) { measurer, plain, overflowing, text in
      // In a box without a width each line ends at an opportunity, of which a wide box has none that are not of the text.
      let count = measurer.store.prepared.texts[overflowing].segments.count
      #expect(ends(&measurer, overflowing, 0).count <= count, "\(text)")
      #expect(ends(&measurer, overflowing, 1e4) == ends(&measurer, plain, 1e4), "\(text)")
    }
  }
}

@Suite struct LanguageTagTests {
  @Test(arguments: ["ja", "zh-Hant", "zh-hant-tw", "sr-Latn", "de-1901", "EN"])
  func tagsAreReadWithoutRegardToCase(tag: String) {
    #expect(LanguageTag(ByteString(keeping: tag))?.name == tag.lowercased())
  }

  @Test(arguments: ["", "j", "j1", "ja-", "-ja", "ja--jp", "ja_JP", "languages", "ca-ES-valencias-x_y", "日本"])
  func otherTextsAreRefused(text: String) {
    #expect(LanguageTag(ByteString(keeping: text)) == nil)
  }

  @Test(arguments: [("ca-ES-valencia", "ca-es"), ("zh-Hant-HK-xy", "zh-hant-hk"), ("sr-Latn-RSrs-x", "sr-latn-rsrs")])
  func longTagsLoseTheirLastParts(tag: String, kept: String) throws {
    #expect(LanguageTag(ByteString(keeping: tag))?.name == kept)
  }

  @Test func languagesThatBeginAlikeAreToldApart() {
    let tags = ["zh", "zh-TW", "zha", "ja-JP", "jam", "ko", "kok", "en"]
    let lines = tags.map { LanguageTag(ByteString(keeping: $0))?.lines }
    #expect(lines == [.chinese, .chinese, .other, .japanese, .other, .korean, .other, .other])
  }

  @Test func aRowInManyLanguagesIsFollowedByRowsInOthers() {
    var languages = Languages()
    var numbers: [Int] = []
    for row in 0..<40 {
      _ = languages.startRow()
      for number in 0..<Languages.maxLanguagesOfRow {
        let tag = "x\(["a", "b", "c", "d"][row % 4])-\(row)a\(number)"
        if let tag = LanguageTag(ByteString(keeping: tag)) { numbers.append(languages.number(of: tag)) }
      }
      let areTooMany = languages.areTooMany
      #expect(!areTooMany)
    }
    #expect(numbers.allSatisfy { (1...ShapingContext.maxLanguage).contains($0) })
    for number in 0..<2 {
      if let tag = LanguageTag(ByteString(keeping: "yy-\(number)")) { _ = languages.number(of: tag) }
    }
    let areTooMany = languages.areTooMany
    #expect(areTooMany)
  }
}
