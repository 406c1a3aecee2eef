import LayoutEngine
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@testable import TextMeasuring

/// The time of long texts on Android and Flutter grows in proportion to their length, whatever they consist of.
@Suite struct PlatformLongTextsTests {
  private static let pieces = [
    "a", " ", "word ", "👩\u{200d}", "\u{301}", "a\u{301}", "https://example.com/a-b?c=d&", "a/", "a@b.", "ไทย", "\t",
    "\n",
    "漢", "سلام", "aש", "א-", "\u{202e}a\u{202c}", "\u{a0}", "a\u{a0}", "\u{200b}", "🇩🇪", "a-", "a\u{ad}", "“ ", "\r\n",
    "aー", "က\u{1039}", ". ", "\u{378}", "a\u{fe0f}",
  ]

  @Test func timeIsProportionalToTheLength() throws {
    let fonts = try PlatformFonts(named: [], fallback: [.inter, .notoSans, .arabic, .thai, .cjk, .emoji])
    var measurer = TextMeasurer(book: fonts.book)
    for piece in Self.pieces {
      for options in Self.options {
        // The first texts read tables of fonts.
        _ = measurer.time(piece, units: 300, options)
        // Other work of the machine prolongs some measurements, but not all: a time that is quadratic is 64 times as long in
        // each of them.
        let isProportional = (0..<5).contains { _ in
          let short = min(measurer.time(piece, units: 300, options), measurer.time(piece, units: 300, options))
          return measurer.time(piece, units: 2400, options) < 24 * short + 0.004
        }
        #expect(isProportional, "\(piece.debugDescription) \(options.platform) \(options.android.breakStrategy)")
      }
    }
  }

  /// A word of 12,000 units, which is longer than what is shaped at once, is filled into boxes of any width.
  @Test func longWordsHaveLinesInAnyBox() throws {
    var measurer = TextMeasurer(book: try PlatformFonts(named: [], fallback: [.inter, .notoSans, .cjk]).book)
    for piece in ["a", "a/", "က\u{1039}"] {
      let text = String(repeating: piece, count: 12_000 / piece.utf16.count)
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

extension TextMeasurer {
  /// Returns the processor time of a text in narrow and wide boxes, in seconds.
  fileprivate mutating func time(_ piece: String, units: Int, _ options: TextOptions) -> Double {
    let text = String(repeating: piece, count: units / piece.utf16.count)
    let start = Self.processorTime
    let prepared = prepareOnly(text, TextStyle(face: 0, size: 15), options)
    for width in [1.0, 200, 2000] {
      _ = measure(prepared, textScale: 1, maxWidth: width, maxHeight: .infinity)
    }
    return Self.processorTime - start
  }

  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
