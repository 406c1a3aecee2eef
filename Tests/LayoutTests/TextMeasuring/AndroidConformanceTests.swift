import Foundation
import GalleyTestSupport
import Testing

@testable import TextMeasuring

/// The lines of texts compared to those of Android: minikin of AOSP 15 with StaticLayout and BoringLayout.
@Suite struct AndroidConformanceTests {
  private let fonts: PlatformFonts

  init() throws {
    fonts = try PlatformFonts(
      named: [.roboto, .inter, .interBold], fallback: [.notoSans, .arabic, .devanagari, .thai, .cjk, .emoji])
  }

  @Test func linesAndHeightsOfAllStrategiesAreThoseOfMinikin() throws {
    var measurer = TextMeasurer(book: fonts.book)
    var report = ConformanceReport()
    for line in try Fixtures.compressedLines("android.jsonl.gz").dropFirst() {
      let row = try JSONDecoder().decode(StrategiesRow.self, from: line)
      let face = try #require(fonts.face(row.fonts?.first ?? PlatformFont.roboto.file))
      let text = measurer.prepareOnly(row.text, TextStyle(face: face, size: row.size), TextOptions(.android))
      for (name, heights) in row.heights { row.check(text, name, heights, &measurer, &report) }
    }
    report.print()
    #expect(report.total.rows == 1770 * 5 * 4)
    #expect(report.total.share(.starts) == 1)
    #expect(report.total.share(.heights) == 1)
    #expect(report.total.share(.widths) == 1)
  }

  /// Letter spacing, soft hyphens, sizes that are no whole pixels, and the offsets at which texts are cut.
  @Test func linesWithSpacingHyphensAndCutsAreThoseOfMinikin() throws {
    var measurer = TextMeasurer(book: fonts.book)
    var (report, desired) = (ConformanceReport(), ConformanceReport())
    for line in try Fixtures.compressedLines("android-spacing.jsonl.gz").dropFirst() {
      let row = try JSONDecoder().decode(SpacingRow.self, from: line)
      let face = try #require(fonts.face(row.fonts[0]))
      for strategy in row.starts.keys.sorted() { row.check(face, strategy, &measurer, &report, &desired) }
    }
    report.print()
    desired.print()
    #expect(report.total.rows == 750 * 6)
    #expect(report.total.share(.starts) == 1)
    #expect(report.total.share(.cuts) == 1)
    #expect(report.total.share(.widths) == 1)
    // Rounding errors can cost a pixel.
    #expect(desired.total.share(.widths) >= 0.999)
  }

  /// Lines that minikin itself gives, of texts that few fixtures are like.
  @Test(arguments: [
    ("ภาษำภา", PlatformFont.roboto, 39.0, 0.0, 80.0, BreakStrategy.highQuality, [0, 2, 3]),
    ("\u{61c}カ", .roboto, 39, 0, 20, .balanced, [0, 1]),
    ("a\n/ps:// b", .inter, 39, 0, 60, .highQuality, [0, 2, 4, 9]),
    ("رهنت حرگت ربهم", .inter, 20, 0.45, 89, .simple, [0, 5, 10]),
  ])
  func linesOfRareTextsAreThoseOfMinikin(
    text: String, font: PlatformFont, size: Double, spacing: Double, width: Double, strategy: BreakStrategy,
    starts: [Int]
  ) throws {
    var measurer = TextMeasurer(book: fonts.book)
    var options = TextOptions(.android)
    options.android.breakStrategy = strategy
    let face = try #require(fonts.face(font.file))
    let prepared = measurer.prepareOnly(text, TextStyle(face: face, size: size, letterSpacing: spacing), options)
    _ = measurer.measure(prepared, textScale: 1, maxWidth: width, maxHeight: .infinity)
    #expect(measurer.platformStarts == starts)
  }

  /// Line heights with each alignment and trim, limits, and line break style normal. The heights are those of a model that was
  /// written apart from the product.
  @Test func linesAndHeightsOfComposeAreThoseOfItsSpans() throws {
    var measurer = TextMeasurer(book: fonts.book)
    var report = ConformanceReport()
    let face = try #require(fonts.face(PlatformFont.roboto.file))
    for line in try Fixtures.compressedLines("android-compose.jsonl.gz").dropFirst() {
      let row = try JSONDecoder().decode(ComposeRow.self, from: line)
      for strategy in row.starts.keys.sorted() { row.check(face, strategy, &measurer, &report) }
    }
    report.print()
    #expect(report.total.rows == 600 * 4)
    #expect(report.total.share(.starts) == 1)
    #expect(report.total.share(.heights) == 1)
  }

  /// Line heights, line spacing, limits of lines, and the line heights of React Native.
  @Test func heightsWithSpacingAreThoseOfStaticLayout() throws {
    var measurer = TextMeasurer(book: fonts.book)
    var report = ConformanceReport()
    for line in try Fixtures.compressedLines("android-heights.jsonl.gz").dropFirst() {
      let row = try JSONDecoder().decode(HeightsRow.self, from: line)
      // No property of a TextView adds the spacing to the last line.
      if row.addLastLineSpacing == true { continue }
      row.check(faces: 0..<3, &measurer, &report)
    }
    report.print()
    #expect(report.total.rows == 609 * 4)
    #expect(report.total.share(.starts) == 1)
    #expect(report.total.share(.heights) == 1)
  }
}

extension AndroidTextOptions {
  /// Sets the break strategy and the paint that a key of the fixtures names, such as `greedy` or `balanced-integer`.
  fileprivate mutating func setStrategy(_ key: String) {
    breakStrategy = key.hasPrefix("greedy") ? .simple : key.hasPrefix("balanced") ? .balanced : .highQuality
    linearText = !key.hasSuffix("-integer")
  }
}

/// A text with its lines by the strategy that chose them.
private struct StrategiesRow: Decodable {
  let text: String
  let size: Double
  let width: Double
  let fonts: [String]?
  let starts: [String: [Int]]
  let widths: [String: [Double]]
  let heights: [String: [String: Double]]
  let boring: [String: BoringHeights]?

  func check(
    _ text: Int, _ strategy: String, _ heights: [String: Double], _ measurer: inout TextMeasurer,
    _ report: inout ConformanceReport
  ) {
    for (key, height) in heights {
      measurer.change(text) { options in
        options.android.setStrategy(strategy)
        options.android.fontPadding = key.hasSuffix("padding")
        options.android.fallbackLineSpacing = !key.hasPrefix("nofallback")
      }
      let measured = measurer.measure(text, textScale: 1, maxWidth: width, maxHeight: .infinity)
      let expected = boring?[strategy]?.height(key) ?? height
      let found = measurer.platformLines.map(\.width)
      let sameWidths = widths[strategy].map { widths in
        widths.count == found.count && zip(widths, found).allSatisfy { abs($0 - $1) < 0.011 }
      }
      report.note(
        strategy, starts: measurer.platformStarts == starts[strategy], heights: measured.height == expected,
        widths: sameWidths,
        "\(key) \(size) in \(width): \(measurer.platformStarts) \(measured.height), not "
          + "\(starts[strategy] ?? []) \(expected): \(self.text.debugDescription)")
    }
  }
}

/// A text with letter spacing, soft hyphens or a limit of lines.
private struct SpacingRow: Decodable {
  let kind: String
  let text: String
  let size: Double
  let width: Double
  let fonts: [String]
  let letterSpacing: Double?
  let maxLines: Int?
  let starts: [String: [Int]]
  let widths: [String: [Double]]
  /// The offset at which the last line ends before the truncation text, if it is cut.
  let cut: [String: Int]?
  /// The width that the text desires, with the paint's name; nil for texts with tabs.
  let desired: [String: Double]?

  func check(
    _ face: Int32, _ strategy: String, _ measurer: inout TextMeasurer, _ report: inout ConformanceReport,
    _ desiredReport: inout ConformanceReport
  ) {
    let style = TextStyle(face: face, size: size, letterSpacing: size * (letterSpacing ?? 0))
    var options = TextOptions(.android)
    options.maximumNumberOfLines = Int32(maxLines ?? 0)
    options.android.setStrategy(strategy)
    let prepared = measurer.prepareOnly(text, style, options)
    _ = measurer.measure(prepared, textScale: 1, maxWidth: width, maxHeight: .infinity)
    let lines = Array(measurer.platformLines)
    let starts = measurer.platformStarts
    let found = lines.last.flatMap { $0.showsEllipsis ? Int($0.shownEnd) : nil }
    let expected = widths[strategy] ?? []
    let desired = measurer.measure(prepared, textScale: 1, maxWidth: .infinity, maxHeight: .infinity).width
    if let known = self.desired?[options.android.linearText ? "linear" : "integer"] {
      desiredReport.note(
        "desired width", widths: desired == known,
        "\(strategy) \(size), spacing \(letterSpacing ?? 0): \(desired), not \(known): \(text.debugDescription)")
    }
    report.note(
      kind, starts: starts == self.starts[strategy], cuts: found == cut?[strategy],
      widths: expected.count == lines.count && zip(expected, lines).allSatisfy { abs($0 - $1.width) < 0.011 },
      "\(strategy) \(size) in \(width), spacing \(letterSpacing ?? 0), at most \(maxLines ?? 0): "
        + "\(starts) \(lines.map(\.width)) cut \(found ?? -1), not \(self.starts[strategy] ?? []) "
        + "\(expected) \(cut?[strategy] ?? -1): \(text.debugDescription)")
  }
}

/// A text of Compose with its lines by strategy and paint.
private struct ComposeRow: Decodable {
  let text: String
  let size: Double
  let width: Double
  let lineHeight: Double?
  let alignment: String
  let trim: String
  let maxLines: Int?
  let starts: [String: [Int]]
  let heights: [String: Double]
  let cut: [String: Int]?

  func check(_ face: Int32, _ strategy: String, _ measurer: inout TextMeasurer, _ report: inout ConformanceReport) {
    var options = TextOptions(.compose)
    options.maximumNumberOfLines = Int32(maxLines ?? 0)
    options.android.setStrategy(strategy)
    options.android.lineHeightAlignment = LineHeightAlignment.allCases.first { "\($0)" == alignment } ?? .center
    options.android.lineHeightTrim = LineHeightTrim.allCases.first { "\($0)" == trim } ?? .none
    let style = TextStyle(face: face, size: size, lineHeight: lineHeight ?? .nan)
    let prepared = measurer.prepareOnly(text, style, options)
    let measured = measurer.measure(prepared, textScale: 1, maxWidth: width, maxHeight: .infinity)
    let cut = measurer.platformLines.last.flatMap { $0.showsEllipsis ? Int($0.shownEnd) : nil }
    report.note(
      "\(alignment), \(trim)", starts: measurer.platformStarts == starts[strategy] && cut == self.cut?[strategy],
      heights: measured.height == heights[strategy],
      "\(strategy) \(size) in \(width), line height \(lineHeight ?? 0), at most \(maxLines ?? 0): "
        + "\(measurer.platformStarts) \(measured.height), not \(starts[strategy] ?? []) \(heights[strategy] ?? 0): "
        + text.debugDescription)
  }
}

/// The heights of a text with spacing, line heights or a limit of lines, chosen with high quality.
private struct HeightsRow: Decodable {
  let text: String
  let size: Double
  let width: Double
  let lineHeight: Double?
  let rnLineHeight: Double?
  let maxLines: Int?
  let spacingAdd: Double?
  let spacingMult: Double?
  let addLastLineSpacing: Bool?
  let lines: [[Double]]
  let fontMetricsInt: [String: Double]
  let heights: [String: Double]
  let boring: BoringHeights?

  private var kind: String {
    let spacing =
      rnLineHeight != nil
      ? "React Native" : lineHeight != nil ? "line height" : spacingMult != nil ? "multiplier" : "added space"
    return maxLines == nil ? spacing : lineHeight != nil ? "line height, limit" : "limit"
  }

  private var options: TextOptions {
    var options = TextOptions(rnLineHeight != nil ? .reactNative : .android)
    options.maximumNumberOfLines = Int32(maxLines ?? 0)
    options.lineSpacing = spacingAdd ?? 0
    options.android.lineSpacingMultiplier = spacingMult ?? 1
    return options
  }

  /// The row does not name the font of its text: those are tried that have its metrics.
  func check(faces: Range<Int32>, _ measurer: inout TextMeasurer, _ report: inout ConformanceReport) {
    let starts = lines.prefix(maxLines ?? .max).map { Int($0[0]) }
    for (key, height) in heights {
      let expected = rnLineHeight == nil ? boring?.height(key) ?? height : height
      var results: [(starts: [Int], height: Double)] = []
      for face in faces where hasMetrics(face, measurer.store.book) {
        results.append(measure(face, key, &measurer))
      }
      let result = results.first { $0.starts == starts && $0.height == expected } ?? results.first
      report.note(
        kind, starts: result?.starts == starts, heights: result?.height == expected,
        "\(key) \(size) in \(width): \(results), not \(starts) \(expected): \(text.debugDescription)")
    }
  }

  private func hasMetrics(_ face: Int32, _ book: FontBook) -> Bool {
    let metrics = AndroidFontMetrics(book.faces[Int(face)], size: Float(size))
    let found = ["top": metrics.top, "ascent": metrics.ascent, "descent": metrics.descent, "bottom": metrics.bottom]
    return found.mapValues { Double($0) } == fontMetricsInt
  }

  private func measure(_ face: Int32, _ key: String, _ measurer: inout TextMeasurer) -> (starts: [Int], height: Double)
  {
    let style = TextStyle(face: face, size: size, lineHeight: rnLineHeight ?? lineHeight ?? .nan)
    let prepared = measurer.prepareOnly(text, style, options)
    measurer.change(prepared) { options in
      options.android.fontPadding = key.hasSuffix("padding")
      options.android.fallbackLineSpacing = !key.hasPrefix("nofallback")
    }
    let measured = measurer.measure(prepared, textScale: 1, maxWidth: width, maxHeight: .infinity)
    return (measurer.platformStarts, measured.height)
  }
}

/// The height of a text that is laid out without a line breaker if it fits on a line.
private struct BoringHeights: Decodable {
  let fits: Bool
  private let heights: [String: Double]

  private struct Key: CodingKey {
    let stringValue: String
    let intValue: Int? = nil
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    fits = try values.decode(Bool.self, forKey: Key(stringValue: "fits"))
    let keys = values.allKeys.filter { $0.stringValue != "fits" && $0.stringValue != "width" }
    heights = try Dictionary(
      uniqueKeysWithValues: keys.map { ($0.stringValue, try values.decode(Double.self, forKey: $0)) })
  }

  func height(_ key: String) -> Double? { fits ? heights[key] : nil }
}
