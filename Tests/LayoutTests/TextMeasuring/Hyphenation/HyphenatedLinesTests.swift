import Buffers
import GalleyTestSupport
import LayoutEngine
import SeededRandom
import Testing

@testable import TextMeasuring

/// Properties of hyphenated lines. `ChromiumConformanceTests` compares them with those of Chromium.
@Suite struct HyphenatedLinesTests {
  private static let words = [
    "hyphenation", "internationalization", "the", "Organization", "responsibility", "“photograph”", "e-mail", "a",
    "tomor\u{ad}row", "naïve", "漢字", "typesetting.", "😀", "environment", "x\u{200b}y",
  ]

  private func withTexts(
    seed: UInt64, _ change: (inout TextOptions, inout SplitMix) -> Void,
    _ body: (inout TextMeasurer, _ text: Int, _ units: [UInt16]) -> Void
  ) throws {
    var measurer = TextMeasurer(book: try ChromiumFonts().book, dictionaries: try DebianDictionaries.all.get())
    measurer.recordsLines = true
    var random = SplitMix(seed: seed)
    for _ in 0..<200 {
      let separators = [" ", " ", " ", "  ", "", "\n"]
      let pieces = (0..<1 + random.below(12)).map { _ in
        Self.words[random.below(Self.words.count)] + separators[random.below(separators.count)]
      }
      var options = TextOptions()
      options.css.hyphens = .auto
      options.css.language = try #require(LanguageTag(ByteString(keeping: "en-US")))
      change(&options, &random)
      // The text is of one or two runs, of which the second one can begin in a word.
      let text = Array(pieces.joined().unicodeScalars)
      let middle = random.below(3) == 0 ? random.below(text.count) : text.count
      let parts = [text[..<middle], text[middle...]].map { part in
        String(String.UnicodeScalarView(part))
      }
      let runs = parts.enumerated().map { index, part in
        (part, TextStyle(face: Int32(2 * index), size: 14 + Double(index) * 3, lineHeight: 20))
      }
      measurer.removeAll()
      let number = withRuns(runs) { measurer.prepare($0, options) }
      body(&measurer, number, Array(parts.joined().utf16))
    }
  }

  @Test(arguments: [OverflowWrap.anywhere, .normal])
  func linesContainTheWholeTextAndFit(wrap: OverflowWrap) throws {
    var hyphens = 0
    try withTexts(seed: 58, { options, _ in options.css.overflowWrap = wrap }) { measurer, text, units in
      for width in [0, 9, 40, 77.3, 133, 300, .infinity] as [Double] {
        let measured = measurer.measure(text, textScale: 1, maxWidth: width, maxHeight: .infinity)
        let ends = Array(measurer.lineEnds)
        #expect(ends.map(\.unit) == Set(ends.map(\.unit)).sorted() && Int(ends.last?.unit ?? 0) == units.count)
        #expect(Int(measured.lines) == ends.count && measured.height >= 20 * Double(ends.count))
        if wrap == .anywhere && width >= 40 {
          #expect(
            ends.allSatisfy { $0.width <= width + 1 / 32 }, "\(String(decoding: units, as: UTF16.self)) in \(width)")
        }
        hyphens += ends.filter(\.isHyphenated).count
        #expect(measurer.measure(text, textScale: 1, maxWidth: width, maxHeight: .infinity) == measured)
      }
    }
    #expect(hyphens > 200)
  }

  @Test func linesContainTheWholeTextWithOtherPropertiesToo() throws {
    func change(_ options: inout TextOptions, _ random: inout SplitMix) {
      options.css.textWrap = TextWrap.allCases[random.below(3)]
      options.css.wordBreak = WordBreak.allCases[random.below(3)]
      options.css.overflowWrap = OverflowWrap.allCases[random.below(2)]
      if random.below(4) == 0 { options.css.lineBreak = LineBreak.allCases[random.below(5)] }
      if random.below(3) == 0 { options.paragraphs.headIndent = 12 }
      options.whiteSpace = random.below(2) == 0 ? .collapse : .preserve
    }
    var hyphens = 0
    let path = ExclusionPath(side: .left, y: 10, width: 30, height: 45)
    try withTexts(seed: 62, change) { measurer, text, units in
      let count = measurer.store.prepared.texts[text].unitCount
      for width in [0, 33, 61.5, 120, 240] as [Double] {
        for paths in [[], [path]] {
          var exclusions = ExclusionPaths(paths)
          let measured = measurer.measure(
            text, textScale: 1, maxWidth: width, maxHeight: .infinity, around: &exclusions)
          let ends = measurer.lineEnds.map { Int($0.unit) }
          #expect(ends == Set(ends).sorted() && (ends.last ?? 0) == count && Int(measured.lines) == ends.count)
          hyphens += measurer.lineEnds.filter(\.isHyphenated).count
        }
      }
    }
    #expect(hyphens > 200)
  }

  @Test func hyphensAreBetweenLetters() throws {
    try withTexts(seed: 59, { _, _ in }) { measurer, text, units in
      for width in [50, 90, 140] as [Double] {
        _ = measurer.measure(text, textScale: 1, maxWidth: width, maxHeight: .infinity)
        for end in measurer.lineEnds where end.isHyphenated && units[Int(end.unit) - 1] != 0xad {
          let around = units[Int(end.unit) - 2..<Int(end.unit) + 3]
          #expect(around.allSatisfy { (0x61...0x7a).contains($0 | 0x20) }, "\(String(decoding: units, as: UTF16.self))")
        }
      }
    }
  }

  /// A change of the width within the margins leaves the number of lines as it is.
  @Test func marginsHold() throws {
    try withTexts(seed: 60, { options, random in options.css.overflowWrap = OverflowWrap.allCases[random.below(2)] }) {
      measurer, text, units in
      for width in [41.5, 88, 150] as [Double] {
        let measured = measurer.measure(text, textScale: 1, maxWidth: width, maxHeight: .infinity)
        guard let margins = measured.margins else { continue }
        for change in [-margins.narrower + 1e-6, min(margins.wider, 1e4) - 1e-6] where margins.wider > 1e-5 {
          let other = measurer.measure(text, textScale: 1, maxWidth: width + change, maxHeight: .infinity)
          #expect(other.lines == measured.lines, "\(String(decoding: units, as: UTF16.self)) in \(width) + \(change)")
        }
      }
    }
  }

  @Test func aTextWithoutADictionaryIsNotHyphenated() throws {
    let swedish = try #require(LanguageTag(ByteString(keeping: "sv")))
    try withTexts(seed: 61, { options, random in options.css.language = random.below(2) == 0 ? .none : swedish }) {
      measurer, text, units in
      guard !units.contains(0xad) else { return }
      _ = measurer.measure(text, textScale: 1, maxWidth: 70, maxHeight: .infinity)
      #expect(!measurer.lineEnds.contains { $0.isHyphenated })
    }
  }
}
