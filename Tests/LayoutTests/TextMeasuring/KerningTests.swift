import GalleyTestSupport
import LayoutEngine
import SeededRandom
import Testing

@testable import TextMeasuring

/// The kerning between the parts of a text.
@Suite struct KerningTests {
  /// The width of a line is rounded up to 1/64 point at the end of each run.
  private static let rounding = 1.0 / 64

  /// Chromium shapes neighbors of one font together, whatever else separates them.
  @Test func runsOfOneFontAreKernedLikeOneRun() throws {
    var measurer = TextMeasurer(book: try ChromiumFonts().book)
    var random = SplitMix(seed: 21)
    var kerned = 0
    for number in 0..<1500 {
      let words = (0..<1 + random.below(4)).map { _ in
        String((0..<1 + random.below(5)).map { _ in "TVWAYorea.,7-яТА".randomElement(using: &random) ?? "a" })
      }
      let text = words.joined(separator: " ")
      let style = TextStyle(face: Int32(random.below(6)), size: 15, lineHeight: 20)
      let parts = text.split(into: 1 + random.below(4), using: &random)
      let whole = measurer.width(of: [(text, style)])
      let divided = measurer.width(of: parts.map { ($0, style) })
      #expect(abs(whole - divided) <= Double(parts.count) * Self.rounding, "text \(number): \(parts)")
      // A distance from the baseline separates the runs.
      var raised = style
      raised.baselineOffset = 2
      let apart = measurer.width(of: parts.enumerated().map { ($1, $0 % 2 == 0 ? style : raised) })
      if abs(whole - apart) > 0.2 { kerned += 1 }
    }
    #expect(kerned > 100)
  }

  /// The space after a middle dot, which is not of the script Hangul, is not that of Hangul in Korean.
  @Test(arguments: [("4 · 리", 39.78), ("점 4 · 리", 59.83), ("점4 · 4", 49.52), ("점 · 리", 46.48), ("점1 리", 42.8)])
  func spacesBesideHangulAreThoseOfTheirScript(text: String, width: Double) throws {
    let source = FontBook.Source(file: try DebianFonts.bytes("NotoSansCJK-Regular.ttc"), index: 1, weight: 0)
    var measurer = TextMeasurer(book: try FontBook([source], fallback: []))
    var options = TextOptions()
    options.css.language = LanguageTag("ko")
    let number = withRuns([(text, TextStyle(face: 0, size: 16))]) { measurer.prepare($0, options) }
    // Measured in Chromium 156.
    #expect(abs(measurer.measure(number, textScale: 1, maxWidth: .infinity, maxHeight: .infinity).width - width) < 0.06)
  }

  @Test func syllablesOfTibetanAreKerned() throws {
    let texts = try BrowserTexts(files: ["NotoSerifTibetan-Regular.ttf"])
    // Measured in Chromium 156.
    let width = texts.width(of: "བསླབ་པ་ས།སྤྲིན་འདུག་སློབ་པ་ཡག་གནམ་ས།", .web)
    #expect(abs(width - 221.34375) < Self.rounding)
  }

  /// HarfBuzz gets the text around an item too, also where a distance from the baseline separates the runs.
  @Test func arabicLettersJoinFromRunToRun() throws {
    var measurer = TextMeasurer(book: try ChromiumFonts().book)
    var random = SplitMix(seed: 22)
    var style = TextStyle(face: 0, size: 15, lineHeight: 20)
    let text = "بمدينة سعيد كتبت"
    let whole = measurer.width(of: [(text, style)])
    for _ in 0..<100 {
      let parts = text.split(into: 2, using: &random)
      #expect(abs(whole - measurer.width(of: parts.map { ($0, style) })) <= 2 * Self.rounding, "\(parts)")
    }
    let joined = measurer.width(of: [("بمحمد", style)])
    style.baselineOffset = 4
    let raised = measurer.width(of: [("ب", style), ("محمد", style)])
    #expect(abs(joined - raised) <= 2 * Self.rounding)
  }
}

extension String {
  /// Returns the parts of a string between random places.
  fileprivate func split(into count: Int, using random: inout SplitMix) -> [String] {
    var rest = Substring(self)
    var parts: [String] = []
    for _ in 1..<max(count, 1) {
      let part = rest.prefix(random.below(rest.count + 1))
      parts.append(String(part))
      rest = rest.dropFirst(part.count)
    }
    return parts + [String(rest)]
  }
}

extension TextMeasurer {
  /// Returns the width of the only line of a text of several runs.
  fileprivate mutating func width(of parts: [(text: String, style: TextStyle)]) -> Double {
    removeAll()
    let text = withRuns(parts) { prepare($0, TextOptions()) }
    return measure(text, textScale: 1, maxWidth: .infinity, maxHeight: .infinity).width
  }
}
