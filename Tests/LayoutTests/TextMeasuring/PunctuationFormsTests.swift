import Buffers
import GalleyTestSupport
import Testing

@testable import TextMeasuring

/// Tests of the marks that are trimmed in each font and language, as Chromium 156 trims them.
@Suite struct PunctuationFormsTests {
  private static let marks = ["。", "：", "“", "”", "（", "」"]
  /// The faces of `NotoSansCJK-Regular.ttc`, from its first one on.
  private static let fonts = ["JP", "KR", "SC", "TC", "HK"]

  /// For each mark as the first one, a digit for each mark as the second one: whether half an em between the two is left out.
  @Test(arguments: [
    (
      "110111 000010 000010 000000 000010 110111",
      ["JP en", "JP ja", "JP ko", "KR en", "KR ja", "KR ko", "SC ko", "TC ko", "HK ko"]
    ),
    (
      "111111 111111 001010 111111 001010 111111", ["JP zh", "KR zh", "SC en", "SC zh", "TC zh", "HK zh"]
    ),
    (
      "001010 001010 001010 111111 001010 111111",
      ["JP zh-TW", "KR zh-TW", "SC zh-TW", "TC en", "TC zh-TW", "HK en", "HK zh-TW"]
    ),
    ("110111 110111 000010 000010 000010 110111", ["SC ja"]),
    ("000010 000010 000010 000010 000010 110111", ["TC ja", "HK ja"]),
  ])
  func marksAreTrimmedByTheirFormsInTheFont(pairs: String, fonts: [String]) throws {
    let file = try DebianFonts.bytes("NotoSansCJK-Regular.ttc")
    let sources = (0..<UInt32(Self.fonts.count)).map { FontBook.Source(file: file, index: $0, weight: 0) }
    var measurer = TextMeasurer(book: try FontBook(sources, fallback: []))
    for font in fonts {
      let parts = font.split(separator: " ")
      let style = TextStyle(face: Int32(try #require(Self.fonts.firstIndex(of: String(parts[0])))), size: 16)
      var options = TextOptions()
      options.css.language = try #require(LanguageTag(ByteString(keeping: String(parts[1]))))
      func width(_ text: String) -> Double {
        measurer.removeAll()
        let number = withRuns([(text, style)]) { measurer.prepare($0, options) }
        return measurer.measure(number, textScale: 1, maxWidth: .infinity, maxHeight: .infinity).width
      }
      let apart = Self.marks.map { width("中\($0)中") }
      let trimmed = Self.marks.indices.map { first in
        Self.marks.indices.map { second in
          let width = width("中\(Self.marks[first])\(Self.marks[second])中")
          return apart[first] + apart[second] - 32 - width > 4 ? "1" : "0"
        }.joined()
      }
      #expect(trimmed.joined(separator: " ") == pairs, "\(font)")
    }
  }
}
