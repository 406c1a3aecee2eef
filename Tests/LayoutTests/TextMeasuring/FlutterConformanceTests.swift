import Buffers
import Foundation
import GalleyTestSupport
import Testing

@testable import TextMeasuring

/// The lines of texts compared to those of Flutter's engine: SkParagraph in CanvasKit.
@Suite struct FlutterConformanceTests {
  private static let fonts: [PlatformFont] = [.inter, .cjk, .emoji, .thai, .arabic, .devanagari, .notoSans]

  @Test func linesAndHeightsAreThoseOfSkParagraph() throws {
    let report = try report(Fixtures.compressedLines("flutter.jsonl.gz").dropFirst())
    #expect(report.total.rows == 2331 - 12)
    #expect(report.total.share(.starts) == 1)
    #expect(report.total.share(.heights) == 1)
    #expect(report.total.share(.widths) == 1)
  }

  /// Results of the engine for texts that the fixture has none of.
  @Test func rareTextsAreThoseOfSkParagraph() throws {
    let fonts = try PlatformFonts(named: [], fallback: Self.fonts)
    var measurer = TextMeasurer(book: fonts.book)
    func measure(
      _ text: String, lineHeight: Double = .nan, size: Double = 15, width: Double = 200,
      _ change: (inout FlutterTextOptions) -> Void = { _ in }
    ) -> TextMeasurement {
      var options = TextOptions(.flutter)
      change(&options.flutter)
      let style = TextStyle(face: 0, size: size, lineHeight: lineHeight)
      let prepared = measurer.prepareOnly(text, style, options)
      return measurer.measure(prepared, textScale: 1, maxWidth: width, maxHeight: .infinity)
    }
    #expect(measure("", lineHeight: 30) { $0.appliesHeightToLastDescent = false }.height == 28)
    #expect(measure("", lineHeight: 21.3, size: 14.2).height == 22)
    let forced = measure("a") {
      var strut = FlutterStrut()
      (strut.isForced, strut.leading) = (true, 0.5)
      $0.strut = strut
    }
    #expect((forced.ascender - 18.28).magnitude < 0.01)
    _ = measure("Preis 20\u{a0}-foo bar", width: 70)
    #expect(measurer.platformStarts == [0, 6, 14])
  }

  /// Measures the cases in the file that the environment variable `GALLEY_FLUTTER_CASES` names, which have the form of the
  /// fixture.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["GALLEY_FLUTTER_CASES"] != nil))
  func casesOfTheEnvironmentBreakAsInSkParagraph() throws {
    let file = try #require(ProcessInfo.processInfo.environment["GALLEY_FLUTTER_CASES"])
    let report = try report(Data(contentsOf: URL(fileURLWithPath: file)).split(separator: 0x0a)[...])
    #expect(report.total.share(.starts) >= 0.998)
    #expect(report.total.share(.heights) >= 0.998)
  }

  private func report(_ lines: ArraySlice<Data>) throws -> ConformanceReport {
    var measurer = TextMeasurer(book: try PlatformFonts(named: [], fallback: Self.fonts).book)
    var report = ConformanceReport()
    for line in lines {
      let row = try JSONDecoder().decode(FlutterRow.self, from: line)
      // A cells file cannot state an ellipsis that ends the first line that is too long.
      if row.ellipsis != nil && row.maxLines == nil { continue }
      row.check(&measurer, &report)
    }
    report.print()
    return report
  }
}

/// A text with the lines of Flutter's engine.
private struct FlutterRow: Decodable {
  struct Strut: Decodable {
    let heightMultiplier: Double?
    let halfLeading: Bool?
    let leading: Double?
    let forceStrutHeight: Bool?
  }

  let group: String
  let text: String
  let size: Double
  let width: Double
  let multiplier: Double?
  let halfLeading: Bool?
  let letterSpacing: Double?
  let maxLines: Int?
  let ellipsis: String?
  /// The text height behaviour.
  let thb: String?
  let strut: Strut?
  let lines: Int
  let starts: [Int]
  let ends: [Int]
  let height: Double
  let widths: [Double]
  /// The width of the widest line with the ellipsis.
  let longest: Double?
  let exceeded: Bool

  func check(_ measurer: inout TextMeasurer, _ report: inout ConformanceReport) {
    let style = TextStyle(
      face: 0, size: size, lineHeight: multiplier.map { $0 * size } ?? .nan, letterSpacing: letterSpacing ?? 0)
    let truncation = ByteString(keeping: ellipsis ?? "")
    defer { UnsafeMutablePointer(mutating: truncation.start).deallocate() }
    var options = TextOptions(.flutter, platformTexts)
    options.maximumNumberOfLines = Int32(maxLines ?? 0)
    options.truncation = truncation
    let prepared = measurer.prepareOnly(text, style, options)
    let measured = measurer.measure(prepared, textScale: 1, maxWidth: width, maxHeight: .infinity)
    let found = measurer.platformLines
    let expected = expectedLines
    report.note(
      group,
      starts: expected.starts == found.map { Int($0.start) } && expected.ends == found.map { Int($0.shownEnd) }
        && measured.isTruncated == exceeded,
      heights: abs(measured.height - height) < 0.01, widths: hasWidths(of: found),
      "\(size) in \(width): \(found.map { [$0.start, $0.shownEnd] }) \(measured.height) \(found.map(\.width)), not "
        + "\(expected) \(height) \(widths) \(longest ?? 0): \(text.debugDescription)")
  }

  /// The starts and ends of the lines. SkParagraph gives the line after a last newline the place of the newline, and an
  /// empty text the height of a line.
  private var expectedLines: (starts: [Int], ends: [Int]) {
    var (starts, ends) = (starts, ends)
    if !exceeded, lines > 1, ends.last == text.utf16.count, widths.last == 0, let last = text.utf16.last,
      [0x0a, 0x0b, 0x0c, 0x2028, 0x2029].contains(last)
    {
      starts[starts.count - 1] = text.utf16.count
      ends[ends.count - 1] = text.utf16.count
    }
    return (starts, ends)
  }

  private func hasWidths(of lines: UnsafeBufferPointer<PlatformLine>) -> Bool {
    guard lines.count == widths.count else { return false }
    for (line, width) in zip(lines, widths) where !line.showsEllipsis && abs(line.width - width) > 0.02 { return false }
    guard let last = lines.last, last.showsEllipsis else { return true }
    return abs((longest ?? 0) - (lines.map(\.width).max() ?? 0)) < 0.02
  }

  private var platformTexts: PlatformTexts {
    var texts = PlatformTexts()
    texts.flutter.leadingDistribution = halfLeading == true ? .even : .proportional
    texts.flutter.appliesHeightToFirstAscent = thb != "DisableAll" && thb != "DisableFirstAscent"
    texts.flutter.appliesHeightToLastDescent = thb != "DisableAll" && thb != "DisableLastDescent"
    texts.flutter.strut = strut.map { stated in
      var strut = FlutterStrut()
      strut.height = stated.heightMultiplier
      strut.leading = max(stated.leading ?? 0, 0)
      strut.leadingDistribution = stated.halfLeading == true ? .even : .proportional
      strut.isForced = stated.forceStrutHeight ?? false
      return strut
    }
    return texts
  }
}
