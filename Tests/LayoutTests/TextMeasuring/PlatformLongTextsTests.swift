import LayoutEngine
import Testing

@testable import TextMeasuring

/// Long words on Android and Flutter. `galley-bench --check` counts how their instructions grow with the length.
@Suite struct PlatformLongTextsTests {
  /// A word of 12,000 units, which is longer than what is shaped at once, is filled into boxes of any width.
  @Test func longWordsHaveLinesInAnyBox() throws {
    var measurer = TextMeasurer(book: try PlatformFonts(named: [], fallback: [.inter, .notoSans, .cjk]).book)
    for piece in ["a", "a/", "က\u{1039}"] {
      let text = String(repeating: piece, count: 4000 / piece.utf16.count)
      for options in Self.options {
        let prepared = measurer.prepareOnly(text, TextStyle(face: 0, size: 15), options)
        for width in [0, 200, 50_000, .infinity] {
          let measured = measurer.measure(prepared, textScale: 1, maxWidth: width, maxHeight: .infinity)
          #expect(measured.lines > 0 && measured.height.isFinite)
          #expect(measurer.platformLines.last.map { Int($0.end) } == text.utf16.count)
        }
      }
    }
  }

  private static var options: [TextOptions] {
    BreakStrategy.allCases.map { strategy in
      var texts = PlatformTexts()
      texts.android.breakStrategy = strategy
      return TextOptions(.android, texts)
    } + [TextOptions(.flutter)]
  }
}
