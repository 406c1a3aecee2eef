import LayoutEngine
import Testing

@testable import TextMeasuring

/// Short texts in Inter 15, as Chromium 156 lays them out.
@Suite struct ChromiumTextsTests {
  private let texts: BrowserTexts

  init() throws { texts = BrowserTexts(try ChromiumFonts().book) }

  @Test(arguments: [
    ("ហាងកាហ្វេស្តារបាក់នៅសៀមរាបមានអ៊ីនធឺណិត", "ហាងកា|ហ្វេ|ស្តារ|បាក់|នៅ|សៀមរាប|មាន|អ៊ីនធឺណិត"),
    ("ខ្ញុំទើបតែទិញទូរស័ព្ទថ្មីម៉ាកសាមសុង", "ខ្ញុំ|ទើបតែទិញ|ទូរស័ព្ទ|ថ្មី|ម៉ាក|សាមសុង"), ("ភាសាខ", "ភាសាខ"),
  ])
  func namesInKhmerAreCombinedWithShortWords(text: String, broken: String) {
    #expect(texts.breaks(in: text, .web) == broken)
  }

  @Test(arguments: [
    // Hangul has no contextual alternates, which make an arrow.
    ("한국 => b", 65.13), ("b => c", 40.45),
    // Inter lacks ≮ and composes it of < and U+0338.
    ("a ≮ b", 36.11),
    // No font has both characters, or the mark is of another script.
    ("आज\u{301}", 30.27), ("ก\u{301}", 14.92), ("α\u{e35}", 9.63), ("е\u{93c}\u{94c}", 20.28), ("😀\u{301}", 18.72),
    // A selector after a space requires no emoji, and a tab is no part of one.
    ("ab \u{fe0f}cd", 39.69), ("\t\u{1f3fd}", 52.48),
    // A skin tone or a joiner after a letter makes no emoji sequence with it.
    ("α\u{2060}\u{1f3fd}", 28.33), (" \u{1f3fd}м", 34.2), ("a\u{200d}😀", 27.19),
  ])
  func widthsAreThoseOfChromium(text: String, width: Double) {
    #expect((texts.width(of: text, .web) - width).magnitude < 0.03)
  }

  @Test(arguments: [("漢\u{200d}漢", 32.02), ("سلام（", 44.03), ("नक्\u{200d}ष", 29.05)])
  func lettersAreSpacedAsInChromium(text: String, width: Double) {
    #expect((texts.width(of: text, .web, letterSpacing: 1) - width).magnitude < 0.03)
  }

  @Test(arguments: [
    // The conjuncts of Khmer and Burmese are not cut.
    ("ខ្មែ", 4.0, [0]), ("က္က", 4, [0]),
    // The second line is wider than the box, as the font kerns its characters with those around them.
    ("AVATAR", 18.5, [0, 1, 3, 5]), ("ToTypeWaveYou", 16, [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12]),
    ("AVATAVATAVATAV", 35.5, [0, 3, 6, 9, 12]),
    // An emoji whose second unit is that of the virama of Chakma joins no letter.
    ("\u{1f533}\u{11107}", 4, [0, 2]), ("\u{11107}\u{11133}\u{11144}", 4, [0]),
    // Letters of Yiddish are Hebrew letters, and ligatures from right to left are cut.
    ("ײ־נאר", 22, [0, 2, 4]), ("لا", 4, [0, 1]),
    // A bracket before a tab keeps its width.
    ("ああ「本」\t値", 73, [0, 2, 6]),
    // The width of tabs is rounded up.
    ("aaaaaaaa\t\t漢", 150, [0, 10]), ("aaaaaaaa\t\t漢", 150.02, [0]),
  ])
  func linesStartWhereTheyDoInChromium(text: String, width: Double, starts: [Int]) {
    #expect(texts.lineStarts(of: text, .web, width: width) == starts)
  }

  /// Letters of cursive scripts have no letter spacing, but a no-break space among them has.
  @Test func aNoBreakSpaceAmongCursiveLettersIsSpacedWhereAWordIsCut() {
    #expect(texts.lineStarts(of: "68\u{a0}ر", .web, width: 28.5, letterSpacing: 1) == [0, 3])
  }

  @Test(arguments: [
    // A word of the dictionary begins with a letter that the font puts below another one.
    ("NotoSansMyanmar-Regular.ttf", "ကမ္ဘာ့", 0.0, 33.83),
    // The font decides which letters are one cluster.
    ("NotoSansChakma-Regular.ttf", "𑄇𑄳𑄢𑄯𑄚𑄴", 1, 31.84),
    // The font kerns the comma and the space after it between Arabic letters of another font.
    ("Inter-SemiBoldItalic.otf", "ل, آس", 0, 39.91),
  ])
  func piecesOfWordsAreShapedTogether(font: String, text: String, letterSpacing: Double, width: Double) throws {
    let texts = try BrowserTexts(files: [font, "NotoSansArabic-Regular.ttf"])
    #expect((texts.width(of: text, .web, letterSpacing: letterSpacing) - width).magnitude < 0.03)
  }

  @Test func ideographicSpacesGiveWayToTextOfTheirDirectionOnly() {
    for (text, width, starts) in [
      ("word \u{3000} fffahr", 94.0, [0, 5]), ("abcd \u{3000} صباحصباحص", 60, [0, 7, 14]),
      ("صباح \u{3000} fffahr", 94, [0, 7]),
      ("صباح \u{3000} fffahr", 50, [0, 7]), ("صباح \u{3000} fffahr", 100, [0]),
    ] {
      #expect(texts.lineStarts(of: text, .web, width: width, whiteSpace: .collapse) == starts, "\(text) \(width)")
    }
  }

  /// A line is as high as the font of any character on it, also of a space, tab or newline that hangs at its end. Spaces that
  /// collapse with another one are on no line.
  @Test(arguments: [
    ("quick while the dog and until characters| continue and characters", 56.0, 56.0),
    ("quick while the dog and until characters| |continue and characters", 49, 49),
    ("quick while the dog and until characters|\ncontinue", 56, 56),
    ("quick while the dog and until characters|\tcontinue", 56, 56),
    ("quick while the dog and until characters | continue", 56, 49),
    ("quick while the dog and until characters| ", 28, 28), ("quick|\ncontinue", 56, 28),
    ("quick|\n|continue", 49, 28), ("quick|\t", 28, 28),
  ])
  func hangingSpacesHaveTheHeightOfTheirRun(runs: String, preserved: Double, collapsed: Double) {
    let strings = runs.split(separator: "|").map(String.init)
    #expect(texts.height(ofRuns: strings, .web, width: 320, whiteSpace: .preserve) == preserved)
    #expect(texts.height(ofRuns: strings, .web, width: 320, whiteSpace: .collapse) == collapsed)
  }
}
