import Buffers
import LayoutEngine
import TextMeasuring

/// A workload of texts that repeat one piece, by which a time that is not proportional to the length is found.
enum LongTexts {
  /// The UTF-16 units of the longer texts, as a multiple of those of the shorter ones.
  static let growth = 8
  private static let units = 100

  private static let pieces = [
    "a", " ", "word ", "👩\u{200d}", "\u{301}", "a\u{301}", "https://example.com/a-b?c=d&", "a/", "a@b.", "ไทย", "\t",
    "\n",
    "漢", "سلام", "aש", "א-", "\u{202e}a\u{202c}", "\u{a0}", "a\u{a0}", "\u{200b}", "🇩🇪", "a-", "a\u{ad}", "“ ", "\r\n",
    "aー", "က\u{1039}", ". ", "\u{378}", "a\u{fe0f}",
  ]

  /// A text that is repeated, and the properties that it is measured with.
  private struct Case {
    let piece: String
    let options: TextOptions
  }

  private static var cases: [Case] {
    [Platform.web, .android, .flutter].flatMap { platform in
      let strategies = platform == .android ? BreakStrategy.allCases : [.simple]
      return strategies.flatMap { strategy in
        var options = TextOptions()
        options.platform = platform
        options.android.breakStrategy = strategy
        return pieces.map { Case(piece: $0, options: options) }
      }
    }
  }

  /// Measures each case with a short text twice, and then with a long one. Valgrind runs this.
  static func run() {
    guard let fonts = TextReport.fonts() else { return }
    var measurer = TextMeasurer(book: fonts)
    for each in cases {
      // The first text reads tables of fonts.
      for units in [units, units, units * growth] {
        let text = text(each.piece, units)
        InstructionCounter.countedCall { measure(text, each.options, &measurer) }
      }
    }
  }

  /// The number of counted calls of `run`.
  static var calls: Int { cases.count * 3 }

  /// Returns the case whose instructions grow most with the length, and by which factor, from the costs of the counted calls.
  static func steepest(_ costs: ArraySlice<InstructionCounter.Cost>) -> (name: String, factor: Double) {
    cases.indices.map { index in
      let options = cases[index].options
      let strategy = options.platform == .android ? " \(options.android.breakStrategy)" : ""
      return (
        "\"\(cases[index].piece.unicodeScalars.map { $0.escaped(asASCII: true) }.joined())\", \(options.platform)\(strategy)",
        Double(costs[3 * index + 2].instructions) / Double(costs[3 * index + 1].instructions)
      )
    }.max { $0.1 < $1.1 } ?? ("", 0)
  }

  private static func text(_ piece: String, _ units: Int) -> ByteString {
    ByteString(keeping: String(repeating: piece, count: units / piece.utf16.count))
  }

  /// Measures a text in narrow and wide boxes.
  private static func measure(_ text: ByteString, _ options: TextOptions, _ measurer: inout TextMeasurer) {
    measurer.prepareAlone(text, options)
    for width in [1.0, 200, 2000] { _ = measurer.measure(0, textScale: 1, maxWidth: width, maxHeight: .infinity) }
  }
}
