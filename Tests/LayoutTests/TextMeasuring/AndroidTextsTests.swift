import Buffers
import LayoutEngine
import Testing

@testable import TextMeasuring

/// Lines of texts in several runs, and of rare characters, which minikin itself gives, with the heights of `StaticLayout`.
@Suite struct AndroidTextsTests {
  private let fonts: PlatformFonts

  init() throws {
    fonts = try PlatformFonts(
      named: [.roboto, .inter, .interBold], fallback: [.notoSans, .arabic, .devanagari, .thai, .cjk, .emoji])
  }

  /// A run of the font Inter, if no other is stated.
  struct Run {
    let text: String
    var font = PlatformFont.inter
    var size = 15.0
    var spacing = 0.0
  }

  @Test func letterSpacingAtTheEndsOfLinesIsThatOfTheRunsThere() throws {
    let simple = try lines(
      [Run(text: "letter spacing ", spacing: 4), Run(text: "of two runs in a line")], in: 151, .simple)
    #expect(simple.map(\.start) == [0, 15])
    let optimal = try lines(
      [
        Run(text: "?a=b?a=b##", font: .interBold, size: 20, spacing: 2),
        Run(text: "?\u{5d1}", font: .interBold, size: 39, spacing: -0.5),
      ], in: 80, .highQuality)
    #expect(optimal.map(\.start) == [0, 5, 8, 11])
    #expect(optimal.map(\.width) == [69, 44.25, 52, 41])
  }

  @Test func charactersInTheTextsOwnFaceDoNotContinueAnEmoji() throws {
    let lines = try lines([Run(text: "😀\u{200d}1")], in: 30, .simple)
    #expect(lines.map(\.start) == [0])
    #expect(lines[0].width == 25.67578125)
  }

  @Test func formatCharactersBeyondTheBasicPlaneTakeLetterSpacing() throws {
    let lines = try lines([Run(text: "（\u{e0067}a", font: .roboto, spacing: 2)], in: 10, .highQuality)
    #expect(lines.map(\.start) == [0, 1])
  }

  @Test func eachParagraphHasItsOwnDirections() throws {
    let lines = try lines([Run(text: "ﻻ\n\u{1}॑र", spacing: 1)], in: 10, .highQuality)
    #expect(lines.map(\.start) == [0, 2, 3, 4])
  }

  @Test func partsOfWordsHaveTheHeightsOfTheirOwnFaces() throws {
    #expect(try lines([Run(text: "각,")], in: 10, .balanced).map(\.height) == [21, 19])
  }

  @Test func aHiddenLastLineLeavesTheSpacingOfTheLineBefore() throws {
    var options = TextOptions(.android)
    options.android.lineSpacingMultiplier = 1.5
    options.maximumNumberOfLines = 2
    #expect(try lines([Run(text: "one\ntwo\n")], in: 100, .simple, options).map(\.height) == [32, 29])
    #expect(try lines([Run(text: "one\ntwo\nx")], in: 100, .simple, options).map(\.height) == [32, 20])
  }

  @Test func aLineThatIsCutHasTheHeightOfAllStylesOfItsParagraph() throws {
    var options = TextOptions(.android)
    options.android.fontPadding = false
    options.maximumNumberOfLines = 1
    let runs = [Run(text: "The quick brown fox jumps over the lazy dog and runs "), Run(text: "BIG", size: 40)]
    #expect(try lines(runs, in: 120, .simple, options).map(\.height) == [49])
    options.truncation = ByteString("")
    #expect(try lines(runs, in: 120, .simple, options).map(\.height) == [19])
  }

  @Test func lineHeightsOfReactNativeChangeTheMetricsOfEachStyle() throws {
    let lines = try lines(
      [Run(text: "aaaa bbbb cccc dddd "), Run(text: "eeee ffff gggg hhhh", font: .interBold)], in: 90, .simple,
      TextOptions(.reactNative), lineHeight: 20)
    #expect(lines.map(\.height) == [19, 20, 19, 20])
  }

  @Test func fontPaddingOfComposeReachesOverTheFallbackFacesOfAllLines() throws {
    var options = TextOptions(.compose)
    options.android.fontPadding = true
    let lines = try lines([Run(text: "abc سلام abc abc abc abc")], in: 90, .simple, options, lineHeight: 40)
    #expect(lines.map(\.height) == [36, 40])
  }

  /// Spans of colors and links do not divide a text. React Native sets spans of sizes for each run, which do.
  @Test(arguments: [Platform.android, .compose, .reactNative])
  func runsOfOneStyleAreShapedTogetherExceptInReactNative(platform: Platform) throws {
    func widths(_ texts: String...) throws -> [Double] {
      try lines(texts.map { Run(text: $0, font: .roboto) }, in: 90, .simple, TextOptions(platform)).map(\.width)
    }
    #expect(try (widths("(AVAT", "AV), To", "day") == widths("(AVATAV), Today")) == (platform != .reactNative))
    #expect(try widths("👩", "\u{200d}🚀 ab") == widths("👩\u{200d}🚀 ab") || platform == .reactNative)
  }

  private func lines(
    _ runs: [Run], in width: Double, _ strategy: BreakStrategy, _ options: TextOptions? = nil,
    lineHeight: Double = .nan
  ) throws -> [(start: Int, width: Double, height: Double)] {
    var unpadded = TextOptions(.android)
    unpadded.android.fontPadding = false
    var options = options ?? unpadded
    options.android.breakStrategy = strategy
    let styled = try runs.map { run in
      (
        run.text,
        TextStyle(
          face: try #require(fonts.face(run.font.file)), size: run.size, lineHeight: lineHeight,
          letterSpacing: run.spacing)
      )
    }
    var measurer = TextMeasurer(book: fonts.book)
    let text = withRuns(styled) { measurer.prepare($0, options) }
    _ = measurer.measure(text, textScale: 1, maxWidth: width, maxHeight: .infinity)
    return measurer.platformLines.map { (Int($0.start), $0.width, $0.above + $0.below) }
  }
}
