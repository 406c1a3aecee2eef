import Foundation
import GalleyTestSupport
import LayoutEngine
import SeededRandom
import Testing

@testable import TextMeasuring

/// Tests of the bounds within which a text keeps its number of lines.
@Suite struct TextMarginsTests {
  private static let strategies: [(Platform, BreakStrategy)] = [
    (.texture, .simple), (.android, .simple), (.android, .highQuality), (.reactNative, .balanced), (.flutter, .simple),
    (.compose, .simple),
  ]

  private func options(_ platform: Platform, _ strategy: BreakStrategy) -> TextOptions {
    var options = TextOptions(platform)
    options.android.breakStrategy = strategy
    return options
  }

  /// `GALLEY_MARGIN_TEXTS=100000` measures more texts.
  private static var textCount: Int {
    ProcessInfo.processInfo.environment["GALLEY_MARGIN_TEXTS"].flatMap { Int($0) } ?? 3000
  }

  @Test(arguments: [Platform.android, .reactNative, .compose, .flutter, .web], [Double.nan, 20])
  func aCutLineInOneFontHasNoBounds(platform: Platform, lineHeight: Double) throws {
    var measurer = TextMeasurer(book: try ChromiumFonts().book)
    var options = options(platform, .simple)
    options.maximumNumberOfLines = 1
    let style = TextStyle(face: 0, size: 15, lineHeight: lineHeight)
    let prepared = measurer.prepareOnly("Hello world and more text that is long enough to be cut", style, options)
    let measured = measurer.measure(prepared, textScale: 1, maxWidth: 120, maxHeight: .infinity, pixels: 2)
    #expect(measured.isTruncated && measured.margins == .unlimited)
  }

  /// On Android a line before an empty one that the limit hides is not the last where it is whole, and a fallback face has other
  /// metrics in a text on one line.
  @Test(arguments: [Platform.android, .reactNative, .compose], ["abc def ghi jkl\n", "日本語のテキストです日本"])
  func aCutLineThatIsHigherThanAWholeOneHasBounds(platform: Platform, text: String) throws {
    var measurer = TextMeasurer(
      book: try PlatformFonts(named: [], fallback: [.inter, .cjk]).book)
    var options = options(platform, .simple)
    options.maximumNumberOfLines = 1
    options.lineSpacing = 5
    let prepared = measurer.prepareOnly(text, TextStyle(face: 0, size: 10), options)
    func measure(_ width: Double) -> TextMeasurement {
      measurer.measure(prepared, textScale: 1, maxWidth: width, maxHeight: .infinity, pixels: 2)
    }
    let heights = [60.0, 390].map { measure($0).height }
    if heights[0] != heights[1] {
      for (width, other) in [(60.0, 390.0), (390, 60)] {
        let margins = measure(width).margins ?? TextMargins(narrower: 0, wider: 0)
        #expect(Double(other < width ? margins.narrower : margins.wider) < abs(other - width))
      }
    }
    #expect(heights[0] != heights[1] || platform != .android)
  }

  @Test func aTextKeepsItsNumberOfLinesWithinItsMargins() throws {
    var measurer = TextMeasurer(book: try ChromiumFonts().book)
    var random = SplitMix(seed: 20_261_124)
    var checks = 0
    for number in 0..<Self.textCount {
      let (platform, strategy) = Self.strategies[number % Self.strategies.count]
      var options = random.options()
      let platformOptions = self.options(platform, strategy)
      (options.platform, options.android) = (platform, platformOptions.android)
      let text = random.marginText()
      let scale = random.next() % 4 == 0 ? 1.35 : 1
      let width = Double(random.next() % 4000) / 10
      withRun(text, letterSpacing: Double(random.next() % 3) - 0.5) { run in
        measurer.removeAll()
        let prepared = measurer.prepare(run, options)
        func measure(_ width: Double) -> TextMeasurement {
          measurer.measure(prepared, textScale: scale, maxWidth: width, maxHeight: .infinity, pixels: 2.625)
        }
        let measured = measure(width)
        guard let margins = measured.margins else { return }
        #expect(margins.narrower >= 0 && margins.wider >= 0)
        for share in [0.3, 0.9, 1 - 1e-7] {
          for change in [-share * min(margins.narrower, width), share * min(margins.wider, 1000)] {
            checks += 1
            #expect(
              measure(width + change).lines == measured.lines,
              "text \(number) \(text.debugDescription) in \(width) by \(change) on \(platform.name)")
          }
        }
      }
    }
    #expect(checks > Self.textCount * 2)
  }

  private func measure(
    _ text: String, _ width: Double, _ options: TextOptions = TextOptions()
  ) throws -> TextMeasurement {
    var measurer = TextMeasurer(book: try ChromiumFonts().book)
    return withRun(text) { run in
      let prepared = measurer.prepare(run, options)
      return measurer.measure(prepared, textScale: 1, maxWidth: width, maxHeight: .infinity)
    }
  }

  @Test func theMarginsEndWhereALineChanges() throws {
    for (platform, strategy) in Self.strategies where strategy == .simple {
      let options = options(platform, strategy)
      let text = "some words that fill a few lines of a text"
      let measured = try measure(text, 100, options)
      let margins = try #require(measured.margins)
      #expect(margins.narrower > 0 && margins.narrower < 40 && margins.wider > 0 && margins.wider < 40)
      // The last word of a line moves to the next one, or the first word of the next one back.
      let narrow = try measure(text, 100 - margins.narrower - 1.1, options)
      let wide = try measure(text, 100 + margins.wider + 1.1, options)
      #expect(narrow.margins != measured.margins && wide.margins != measured.margins, "\(platform.name)")
    }
  }

  @Test func aTextThatCannotChangeHasNoBounds() throws {
    #expect(try measure("", 100).margins == .unlimited)
    #expect(try measure("a\nb", .infinity).margins == .unlimited)
    #expect(try measure("word", 100).margins?.wider == .infinity)
  }

  @Test func linesThatAreChosenTogetherHaveNoMargins() throws {
    for strategy in [BreakStrategy.highQuality, .balanced] {
      let options = options(.android, strategy)
      #expect(try measure("some words that fill a few lines", 60, options).margins == nil)
      #expect(try measure("word", 100, options).margins?.wider == .infinity)
    }
  }
}

extension SplitMix {
  /// Returns a text of words, some of which are long, or of random scalars.
  fileprivate mutating func marginText() -> String {
    if next() % 3 == 0 { return text(length: Int(next() % 60)) }
    let words = [
      "a", "the", "margin", "of", "lines", "今日は、", "Donaudampfschiffahrt", "https://x.y/z?q=1", "\u{ad}", "👩‍👩‍👧", "كتاب",
    ]
    return (0..<Int(next() % 16)).map { _ in words[Int(next() % UInt64(words.count))] }
      .joined(separator: next() % 6 == 0 ? "\u{ad}" : " ")
  }
}
