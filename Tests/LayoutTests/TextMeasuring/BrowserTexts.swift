import Buffers
import LayoutEngine

@testable import TextMeasuring

/// Texts in Inter 15 that are measured for one platform after the other.
final class BrowserTexts {
  private var measurer: TextMeasurer

  init(_ book: FontBook) {
    measurer = TextMeasurer(book: book)
    measurer.recordsLines = true
  }

  /// Whether the text that was measured last has an emoji for which `texture` and `web` choose different fonts.
  var dependsOnEmojiFonts: Bool { measurer.dependsOnEmojiFonts }

  /// Prepares a text for a platform and calls `body` with its number.
  private func withText<Result>(
    _ string: String, _ platform: Platform, letterSpacing: Double = 0, whiteSpace: WhiteSpace = .preserve,
    _ body: (inout TextMeasurer, Int) -> Result
  ) -> Result {
    let bytes = ByteString(keeping: string)
    defer { UnsafeMutablePointer(mutating: bytes.start).deallocate() }
    measurer.removeAll()
    let style = TextStyle(face: 0, size: 15, lineHeight: 20, letterSpacing: letterSpacing)
    var run = TextRun(text: bytes, style: style)
    var options = PlatformTexts().options(TextOptions(), for: platform)
    options.whiteSpace = whiteSpace
    let number = withUnsafePointer(to: &run) { measurer.prepare(UnsafeBufferPointer(start: $0, count: 1), options) }
    return body(&measurer, number)
  }

  /// Returns the number of lines of a text at each width.
  func lineCounts(of string: String, _ platform: Platform, widths: [Double]) -> [Int] {
    withText(string, platform) { measurer, text in
      widths.map {
        Int(measurer.measure(text, textScale: 1, maxWidth: $0, maxHeight: .infinity).lines)
      }
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
    of string: String, _ platform: Platform, width: Double, whiteSpace: WhiteSpace = .preserve
  ) -> [Int] {
    withText(string, platform, whiteSpace: whiteSpace) { measurer, text in
      _ = measurer.measure(text, textScale: 1, maxWidth: width, maxHeight: .infinity)
      return measurer.lineStarts(of: text, writtenAs: string)
    }
  }
}
