import Buffers
import GalleyTestSupport
import LayoutEngine

@testable import TextMeasuring

/// Texts in Inter 15 that are measured for one platform after the other.
final class BrowserTexts {
  private var measurer: TextMeasurer

  init(_ book: FontBook) {
    measurer = TextMeasurer(book: book)
    measurer.recordsLines = true
  }

  /// Creates texts in the first of some font files, whose fallback fonts are the others.
  convenience init(files: [String]) throws {
    let sources = try files.map { FontBook.Source(file: try DebianFonts.bytes($0), index: 0, weight: 0) }
    self.init(try FontBook(sources, fallback: Array(1..<Int32(files.count))))
  }

  /// Whether the text that was measured last has an emoji for which `texture` and `web` choose different fonts.
  var dependsOnEmojiFonts: Bool { measurer.dependsOnEmojiFonts }

  /// Prepares a text for a platform and calls `body` with its number.
  private func withText<Result>(
    _ string: String, _ platform: Platform, letterSpacing: Double = 0, whiteSpace: WhiteSpace = .preserve,
    _ body: (inout TextMeasurer, Int) -> Result
  ) -> Result {
    let style = TextStyle(face: 0, size: 15, lineHeight: 20, letterSpacing: letterSpacing)
    return withText([(string, style)], platform, whiteSpace: whiteSpace, body)
  }

  private func withText<Result>(
    _ runs: [(text: String, style: TextStyle)], _ platform: Platform, whiteSpace: WhiteSpace,
    _ body: (inout TextMeasurer, Int) -> Result
  ) -> Result {
    measurer.removeAll()
    var options = PlatformTexts().options(TextOptions(), for: platform)
    options.whiteSpace = whiteSpace
    let number = withRuns(runs) { measurer.prepare($0, options) }
    return body(&measurer, number)
  }

  /// Returns the height of a text whose runs are in turn 15 points with lines of 21 points, and 22 with lines of 28.
  func height(ofRuns strings: [String], _ platform: Platform, width: Double, whiteSpace: WhiteSpace) -> Double {
    let styles = [(15.0, 21.0), (22, 28)].map { TextStyle(face: 0, size: $0, lineHeight: $1) }
    let runs = strings.enumerated().map { ($1, styles[$0 % 2]) }
    return height(of: runs, platform, width: width, whiteSpace: whiteSpace)
  }

  /// Returns the height of a text.
  func height(
    of runs: [(text: String, style: TextStyle)], _ platform: Platform, width: Double = .infinity,
    whiteSpace: WhiteSpace = .preserve
  ) -> Double {
    withText(runs, platform, whiteSpace: whiteSpace) { measurer, text in
      measurer.measure(text, textScale: 1, maxWidth: width, maxHeight: .infinity).height
    }
  }

  /// Returns the number of lines of a text at each width.
  func lineCounts(of string: String, _ platform: Platform, widths: [Double]) -> [Int] {
    withText(string, platform) { measurer, text in
      widths.map {
        Int(measurer.measure(text, textScale: 1, maxWidth: $0, maxHeight: .infinity).lines)
      }
    }
  }

  /// Returns the width of a text of some runs on one line.
  func width(of runs: [(text: String, style: TextStyle)], _ platform: Platform) -> Double {
    withText(runs, platform, whiteSpace: .preserve) { measurer, text in
      measurer.measure(text, textScale: 1, maxWidth: .infinity, maxHeight: .infinity).width
    }
  }

  /// Returns the width of a text on one line.
  func width(of string: String, _ platform: Platform, letterSpacing: Double = 0) -> Double {
    withText(string, platform, letterSpacing: letterSpacing) { measurer, text in
      measurer.measure(text, textScale: 1, maxWidth: .infinity, maxHeight: .infinity).width
    }
  }

  /// Returns a text with `|` where a line can break.
  func breaks(in string: String, _ platform: Platform) -> String {
    withText(string, platform) { measurer, number in
      let text = measurer.store.prepared.texts[number]
      let starts = (text.segments.first..<text.segments.first + text.segments.count).filter {
        !measurer.store.prepared.segments[$0].traits.contains(.continues)
      }.map { Int(measurer.store.prepared.segments[$0].start) }
      var units = Array(string.utf16)
      for start in starts.dropFirst().reversed() { units.insert(UInt16(UInt8(ascii: "|")), at: start) }
      return String(decoding: units, as: UTF16.self)
    }
  }

  /// Returns the offsets at which the lines of a text start at a width.
  func lineStarts(
    of string: String, _ platform: Platform, width: Double, letterSpacing: Double = 0,
    whiteSpace: WhiteSpace = .preserve
  ) -> [Int] {
    withText(string, platform, letterSpacing: letterSpacing, whiteSpace: whiteSpace) { measurer, text in
      _ = measurer.measure(text, textScale: 1, maxWidth: width, maxHeight: .infinity)
      return measurer.lineStarts(of: text, writtenAs: string)
    }
  }
}
