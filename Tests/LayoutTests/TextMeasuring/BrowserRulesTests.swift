import LayoutEngine
import Testing

@testable import TextMeasuring

/// The rules in which browsers differ (text-rules 21 and 22). The breaks were measured in the browsers.
@Suite struct BrowserRulesTests {
  private let fonts: ChromiumFonts
  private let texts: BrowserTexts

  init() throws {
    fonts = try ChromiumFonts()
    texts = BrowserTexts(fonts.book)
  }

  @Test(arguments: [
    "x-(a": ["x-|(a", "x-|(a", "x-|(a"], "x-)a": ["x-)a", "x-|)a", "x-)a"], "x/a": ["x/a", "x/a", "x/|a"],
    "x!a": ["x!a", "x!a", "x!|a"], "x|a": ["x|a", "x|a", "x||a"], "x--a": ["x-|-|a", "x-|-|a", "x--|a"],
    "x=(a": ["x=|(a", "x=|(a", "x=(a"], "x$%a": ["x$%a", "x$%a", "x$|%a"],
  ])
  func pairsOfAsciiCharactersBreakByTheTableOfTheBrowser(text: String, broken: [String]) {
    for (platform, expected) in zip([Platform.web, .webkit, .firefox], broken) {
      #expect(texts.breaks(in: text, platform) == expected, "\(platform.name)")
    }
  }

  @Test func hyphensBeforeDigitsDoNotBreakInFirefox() {
    #expect(texts.breaks(in: "10-20", .web) == "10-|20")
    #expect(texts.breaks(in: "10-20", .webkit) == "10-|20")
    #expect(texts.breaks(in: "10-20", .firefox) == "10-20")
  }

  @Test func smallKanaDoNotBeginLinesInWebKitAndFirefox() {
    #expect(texts.breaks(in: "ちょっ、コー", .web) == "ち|ょ|っ、|コ|ー")
    #expect(texts.breaks(in: "ちょっ、コー", .webkit) == "ちょっ、|コー")
    #expect(texts.breaks(in: "ちょっ、コー", .firefox) == "ちょっ、|コー")
  }

  @Test func quotationMarksBreakLikeBracketsInChromiumOnly() {
    #expect(texts.breaks(in: "说“再”我", .web) == "说|“再”|我")
    // Flags, mathematical letters and some emoji are not wide, unlike Han beyond the basic plane.
    for narrow in ["🇩🇪", "𝗕", "🌡"] {
      #expect(texts.breaks(in: "说“\(narrow)”我", .web) == "说“\(narrow)”我")
    }
    #expect(texts.breaks(in: "说“𠀀”我", .web) == "说|“𠀀”|我")
    #expect(texts.breaks(in: "说“再”我", .webkit) == "说“再”我")
    #expect(texts.breaks(in: "说“再”我", .firefox) == "说“再”我")
  }

  @Test func webKitAsksIcuAfterCharactersBeyondLatin1() {
    #expect(texts.breaks(in: "漢/a", .webkit) == "漢/|a")
    #expect(texts.breaks(in: "漢/1", .webkit) == "漢/1")
    #expect(texts.breaks(in: "é/a", .webkit) == "é/a")
    #expect(texts.breaks(in: "x-é", .webkit) == "x-é")
    #expect(texts.breaks(in: "x-ж", .webkit) == "x-|ж")
    // A letter after a Hebrew letter and a hyphen begins a line, which ICU does not allow.
    #expect(texts.breaks(in: "ב-Google", .webkit) == "ב-|Google")
  }

  @Test func firefoxKeepsNumbersWithTheirSignsAndBreaksAfterHyphensThatBeginWords() {
    #expect(texts.breaks(in: "漢）￥漢", .web) == "漢）|￥漢")
    #expect(texts.breaks(in: "漢）￥漢", .firefox) == "漢）￥漢")
    #expect(texts.breaks(in: "漢℃「漢", .firefox) == "漢℃「漢")
    #expect(texts.breaks(in: "x \u{2010}é", .web) == "x |\u{2010}é")
    #expect(texts.breaks(in: "x \u{2010}é", .firefox) == "x |\u{2010}|é")
  }

  @Test func punctuationIsTrimmedInChromiumOnly() {
    #expect((texts.width(of: "漢」「漢", .web) - 52.5).magnitude < 0.01)
    #expect((texts.width(of: "漢」「漢", .webkit) - 60).magnitude < 0.01)
    #expect((texts.width(of: "漢」「漢", .firefox) - 60).magnitude < 0.01)
  }

  @Test func controlCharactersAreShownInWebKitAndHiddenInFirefox() {
    let letters = texts.width(of: "aa", .webkit)
    #expect((texts.width(of: "a\u{7f}a", .webkit) - letters - 14.915).magnitude < 0.01)
    #expect((texts.width(of: "a\u{c}a", .webkit) - letters - 14.915).magnitude < 0.01)
    #expect((texts.width(of: "a\u{2028}a", .webkit) - letters - 9).magnitude < 0.01)
    #expect(texts.width(of: "a\ra", .webkit) == letters)
    for control in ["\u{1}", "\u{c}", "\u{7f}", "\u{2028}"] {
      #expect(texts.width(of: "a\(control)a", .firefox) == texts.width(of: "aa", .firefox))
    }
  }

  @Test func advancesAreRoundedInFirefox() {
    let sixtieths = texts.width(of: "Rounded to 1/60 point", .firefox) * 60
    #expect((sixtieths - sixtieths.rounded()).magnitude < 1e-6)
    #expect((texts.width(of: "😀", .firefox) - 19).magnitude < 1e-9)
    #expect((texts.width(of: "😀", .webkit) - 18.7156).magnitude < 1e-4)
  }

  /// The advances of the space of Inter in 12 points, of its w in 14, and of a letter of Noto Sans in 15 lie between two units.
  @Test func advancesOnTiesAreRoundedUpInFirefox() {
    for (family, size, sixtieths) in [("Inter", 12.0, 3588.0), ("Inter", 14, 4185), ("Noto Sans", 15, 4425)] {
      let style = TextStyle(face: fonts.face(family, 400), size: size, lineHeight: 20)
      let narrow = texts.height(of: [("12 reviews", style)], .firefox, width: (sixtieths - 2) / 60)
      let wide = texts.height(of: [("12 reviews", style)], .firefox, width: sixtieths / 60)
      #expect(narrow == 40 && wide == 20, "\(family)")
    }
  }

  @Test(arguments: [
    ("Inter", 16.0, 20.0, 19.0), ("Inter", 17, 20, 21), ("Roboto", 16, 19, 21), ("Roboto", 32, 38, 42),
    ("Noto Sans", 15, 20, 22), ("Noto Sans CJK", 15, 21, 23),
  ])
  func fontsHaveOtherHeightsInFirefox(family: String, size: Double, height: Double, inFirefox: Double) {
    let runs = [("Hxg", TextStyle(face: fonts.face(family, 400), size: size))]
    for platform in [Platform.web, .webkit] { #expect(texts.height(of: runs, platform) == height) }
    #expect(texts.height(of: runs, .firefox) == inFirefox)
  }

  /// Inter lacks U+0500. The height of Roboto is 21 points with its leading.
  @Test func fallbackFontsHaveNoLeadingInFirefox() throws {
    let texts = try BrowserTexts(files: ["Inter-Regular.otf", "Roboto-Regular.ttf"])
    let heights = (0...1).map { texts.height(of: [("\u{500}", TextStyle(face: $0, size: 16))], .firefox) }
    #expect(heights == [19, 21])
  }

  /// 45 points at the text scale 1.4 are 62.99999999999999 in double precision.
  @Test func lineHeightsOfWebKitAreCutInSinglePrecision() {
    let style = TextStyle(face: 0, size: 15, lineHeight: 45 * 1.4)
    #expect(texts.height(of: [("a\nb", style)], .webkit) == 126)
  }

  @Test func lineHeightsAreWholeInWebKitAndHalvedExactlyInFirefox() {
    let inter = TextStyle(face: 0, size: 15, lineHeight: 20.5)
    #expect([.web, .webkit, .firefox].map { texts.height(of: [("a\nb", inter)], $0) } == [41, 40, 41])
    let roboto = TextStyle(face: fonts.face("Roboto", 400), size: 20, lineHeight: 20)
    let runs = [("a", TextStyle(face: 0, size: 15, lineHeight: 20)), ("b", roboto)]
    #expect([.web, .webkit, .firefox].map { texts.height(of: runs, $0) } == [22, 22, 21.5])
  }

  @Test func aSoftHyphenThatEndsATextNeedsRoomInChromiumOnly() {
    let text = "off\u{ad}ice yel\u{ad}low\u{ad}"
    #expect([.web, .webkit, .firefox].map { texts.lineCounts(of: text, $0, widths: [90])[0] } == [2, 1, 1])
  }

  @Test func aHyphenThatIsShownHasLetterSpacingInWebKitAndFirefox() {
    let style = TextStyle(face: 0, size: 16, lineHeight: 20, letterSpacing: 2)
    let heights = [Platform.web, .webkit, .firefox].map {
      texts.height(of: [("aa Kranken\u{ad}verx", style)], $0, width: 111)
    }
    #expect(heights == [40, 60, 60])
  }

  @Test func aLineEndsAtItsOnlySoftHyphenInWebKitThoughTheHyphenDoesNotFit() {
    let style = TextStyle(face: 0, size: 16, lineHeight: 20)
    let heights = [62.0, 30].map { texts.height(of: [("Haupt\u{ad}bahn", style)], .webkit, width: $0) }
    #expect(heights == [40, 80])
    #expect(texts.lineCounts(of: "unn\u{ad}der", .webkit, widths: [24])[0] == 3)
  }

  /// Firefox rounds sizes to 1/60 pixel, and those of TrueType then to 1/64. The widths are those of the browsers.
  @Test func fontSizesAreCutInWebKitAndRoundedInFirefox() {
    let text = "The quick brown fox jumps over the lazy dog"
    for (family, platform, width) in [
      ("Roboto", Platform.webkit, 285.602), ("Inter", .webkit, 306.173), ("Roboto", .firefox, 285.517),
      ("Inter", .firefox, 306.133),
    ] {
      let style = TextStyle(face: fonts.face(family, 400), size: 14.47, lineHeight: 20)
      let found = texts.width(of: [(text, style)], platform)
      #expect((found - width).magnitude < 0.02, "\(family) in \(platform): \(found)")
    }
  }

  /// Inter has lookups with the space. Those of Roboto only kern it.
  @Test func spacesAreKernedInFirefoxIfOtherLookupsHaveThem() {
    for (family, width) in [("Roboto", 126.117), ("Inter", 137.683)] {
      let style = TextStyle(face: fonts.face(family, 400), size: 18, lineHeight: 20)
      #expect((texts.width(of: [("over Type Type)", style)], .firefox) - width).magnitude < 0.001, "\(family)")
    }
  }

  @Test func firefoxCutsNoLigatureAndShapesPartsOfWordsOnce() {
    let notoSans = TextStyle(face: fonts.face("Noto Sans", 400), size: 24, lineHeight: 30)
    let heights = [Platform.web, .firefox].map { texts.height(of: [("office", notoSans)], $0, width: 36) }
    #expect(heights == [60, 90])
    // The V is narrower before the second A than at the end of a word.
    let roboto = TextStyle(face: fonts.face("Roboto", 400), size: 16, lineHeight: 20)
    #expect([Platform.web, .firefox].map { texts.height(of: [("AVA", roboto)], $0, width: 19.6) } == [60, 40])
    // Words are shaped in stretches of 32 units and more.
    let long = String(repeating: "AV", count: 40)
    let whole = texts.width(of: [(String(repeating: "AV", count: 39) + "A", roboto)], .firefox)
    #expect(texts.height(of: [(long, roboto)], .firefox, width: whole - 0.1) == 40)
  }

  /// A skin tone is in Noto Sans Symbols2, which no cluster is shown in. U+20DD has no width.
  @Test func theFirstFontOfEachCharacterCountsInWebKit() throws {
    let texts = try BrowserTexts(files: ["Inter-Regular.otf", "NotoSansSymbols2-Regular.ttf", "NotoColorEmoji.ttf"])
    let heights = ["\u{1f44d}\u{1f3fd}", "1\u{fe0f}\u{20e3}", "\u{1f600}", "x\u{20dd}"].map {
      texts.height(of: [($0, TextStyle(face: 0, size: 16))], .webkit)
    }
    #expect(heights == [27, 27, 20, 20])
    let broken = String(repeating: "1\u{fe0f}\u{20e3}", count: 3)
    #expect(texts.height(of: [(broken, TextStyle(face: 0, size: 16))], .webkit, width: 30) == 81)
  }

  @Test func tabsThatAreLessThanHalfAZeroReachTheNextStopInFirefox() {
    #expect(texts.width(of: "мир\tмир", .firefox) - texts.width(of: "мир\tмир", .web) > 30)
  }

  @Test func tabStopsHaveNoLetterSpacingInWebKit() {
    let spaces = [Platform.web, .webkit].map { texts.width(of: "a\ta", $0, letterSpacing: 2) }
    #expect((spaces[0] - spaces[1] - 16).magnitude < 0.02)
  }

  @Test func runsOfOneFontAreKernedInFirefoxButNotInWebKit() {
    let style = TextStyle(face: 0, size: 15, lineHeight: 20)
    let heights = [Platform.firefox, .webkit].map { texts.height(of: [("AV", style), ("AV", style)], $0, width: 38) }
    #expect(heights == [20, 40])
  }

  @Test func tabsStayWithTheWordBeforeThemInFirefox() {
    let expected: [(Double, [Int])] = [(45, [0, 3]), (40, [0, 3, 6]), (68, [0, 6]), (100, [0])]
    for (width, starts) in expected {
      #expect(texts.lineStarts(of: "aa aa\tb", .firefox, width: width) == starts, "\(width)")
    }
  }

  /// Half of -2.01 points is -1 point in Chromium, and not -2 points.
  @Test func theLeadingIsCutBeforeItsHalfIsRounded() throws {
    let texts = try BrowserTexts(files: ["Inter-Regular.otf"])
    let styles = [16.99, 17].map { TextStyle(face: 0, size: 15, lineHeight: $0) }
    #expect(texts.height(of: [("ab", styles[0]), ("cd", styles[1])], .web) == 17)
  }

  @Test func aCharacterOfADirectionNeedsNoGlyph() throws {
    let texts = try BrowserTexts(files: ["Inter-Regular.otf", "NotoNastaliqUrdu-Regular.ttf"])
    #expect(texts.height(of: [("abc\u{61c}", TextStyle(face: 0, size: 16))], .web) == 20)
  }
}
