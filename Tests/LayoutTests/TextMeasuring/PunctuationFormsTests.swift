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
    var measurer = try Self.measurer()
    for font in fonts {
      let apart = try Self.marks.map { try Self.measure("中\($0)中", font, &measurer).width }
      let trimmed = try Self.marks.indices.map { first in
        try Self.marks.indices.map { second in
          let width = try Self.measure("中\(Self.marks[first])\(Self.marks[second])中", font, &measurer).width
          return apart[first] + apart[second] - 32 - width > 4 ? "1" : "0"
        }.joined()
      }
      #expect(trimmed.joined(separator: " ") == pairs, "\(font)")
    }
  }

  /// For each mark, the least number of 1/64 points beyond four and a half ems in which it fits behind four ideographs.
  @Test(arguments: [
    ("JP ja", 16.0, "」1 ）1 。512 ：512"), ("SC zh", 16.0, "」1 ”1 ’1 。512 ：512"), ("TC zh-TW", 14.0, "」-1 ”-1 ：447"),
  ])
  func closingMarksAreTrimmedAtTheEndOfALine(font: String, size: Double, places: String) throws {
    var measurer = try Self.measurer()
    measurer.recordsLines = true
    for part in places.split(separator: " ") {
      let (mark, place) = (part.prefix(1), try #require(Double(part.dropFirst())))
      for (width, end) in [(place - 1, 3), (place, 5)] {
        _ = try Self.measure("中中中中\(mark)中", font, size: size, in: 4.5 * size + width / 64, &measurer)
        #expect(measurer.lineEnds.first?.unit == Int32(end), "\(mark) \(width)")
      }
    }
  }

  /// Whether a quotation mark is trimmed after a stop, for each size from 8 to 30.
  @Test(arguments: [
    ("NotoSerifCJK-Bold.ttc", "00000000010101010101010"), ("NotoSerifCJK-Regular.ttc", "01010111111111111111111"),
    ("NotoSansCJK-Bold.ttc", "01111111111111111111111"),
  ])
  func extentsAreRoundedOutwardsToPixels(file: String, sizes: String) throws {
    var measurer = try Self.measurer(file)
    let trimmed = try (8...30).map { size in
      let widths = try ["中。中", "中“中", "中。“中"].map {
        try Self.measure($0, "SC zh", size: Double(size), &measurer).width
      }
      return widths[0] + widths[1] - widths[2] > 2.25 * Double(size) ? "1" : "0"
    }
    #expect(trimmed.joined() == sizes)
  }

  @Test func languagesWithNewNumbersHaveFormsOfTheirOwn() throws {
    var measurer = try Self.measurer()
    let before = try ["JP ja", "JP zh-TW"].map { try Self.measure("中。」中", $0, &measurer).width.rounded() }
    #expect(before == [56, 64])
    for number in 0..<100 { _ = try Self.measure("中", "JP xa-0a\(number)", &measurer) }
    let after = try ["JP zh-TW", "JP ja"].map { try Self.measure("中。」中", $0, &measurer).width.rounded() }
    #expect(after == before.reversed())
  }

  private static func measurer(_ name: String = "NotoSansCJK-Regular.ttc") throws -> TextMeasurer {
    let file = try DebianFonts.bytes(name)
    let sources = (0..<UInt32(fonts.count)).map { FontBook.Source(file: file, index: $0, weight: 0) }
    return TextMeasurer(book: try FontBook(sources, fallback: []))
  }

  /// Measures a text of a row of its own.
  private static func measure(
    _ text: String, _ font: String, size: Double = 16, in width: Double = .infinity, _ measurer: inout TextMeasurer
  ) throws -> TextMeasurement {
    let parts = font.split(separator: " ")
    let style = TextStyle(face: Int32(try #require(fonts.firstIndex(of: String(parts[0])))), size: size)
    var options = TextOptions()
    options.css.language = try #require(LanguageTag(ByteString(keeping: String(parts[1]))))
    measurer.removeAll()
    let number = withRuns([(text, style)]) { measurer.prepare($0, options) }
    return measurer.measure(number, textScale: 1, maxWidth: width, maxHeight: .infinity)
  }
}
