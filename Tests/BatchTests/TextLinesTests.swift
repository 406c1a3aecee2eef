import Buffers
import CellTemplates
import Foundation
import GalleyTestSupport
import LayoutEngine
import LayoutTables
import SeededRandom
import Testing
import TextMeasuring

@testable import BatchLayout

/// Tests of the lines and texts in the results of jobs.
@Suite struct TextLinesTests {
  private static let cells = #"""
    {"fonts":{"body":{"face":0,"size":15,"lineHeight":20},"small":{"face":0,"size":12},
      "wide":{"face":0,"size":15,"letterSpacing":2},"narrow":{"face":0,"size":15,"letterSpacing":-20}},"fallback":[1],"cells":{
      "Wide":{"layout":{"type":"text","id":"t","runs":[{"text":"{t}","url":"u"}],"font":"wide"}},
      "Narrow":{"layout":{"type":"text","id":"t","runs":[{"text":"{t}","url":"u"}],"font":"narrow"}},
      "Text":{"layout":{"type":"text","id":"t","text":"{t}","font":"body"}},
      "Cut":{"layout":{"type":"text","id":"t","text":"{t}","font":"body","maximumNumberOfLines":2}},
      "Runs":{"layout":{"type":"stack","direction":"vertical","children":[
        {"type":"text","id":"a","runs":[{"text":"{t} "},{"text":"{t}","font":"small"}],"font":"body",
         "whiteSpace":"collapse"},
        {"type":"button","id":"b","title":"{t}","style":{"maxWidth":90}}]}},
      "Header":{"layout":{"type":"stack","alignItems":"center","children":[
        {"type":"text","id":"a","text":"{t}","style":{"flexGrow":1,"flexShrink":1}},
        {"type":"text","id":"b","text":"A long time ago, two hours"}]}},
      "Empty":{"layout":{"type":"stack","direction":"vertical","children":[
        {"type":"text","id":"a","text":"{t}"},{"type":"text","id":"b","runs":[]}]}}}}
    """#

  private static func program() throws -> CellProgram {
    try Programs.compile(
      cells, faces: [Programs.face("Inter-Regular.otf"), Programs.face("NotoSansHebrew-Regular.ttf")])
  }

  /// A text of a job with its lines.
  private struct Text: Equatable {
    var text: String
    var truncation: String
    var runs: [String] = []
    var lines: [String] = []
    var traits: [UInt8] = []
    var frameLines = 0
    var width: Float = 0
    var places: [[Float]] = []
  }

  private func texts(_ layout: JobLayout, _ rows: [String], variant: Int = 0) throws -> [Text] {
    layout.layOut(rows)
    let bytes = layout.encodedColumns()[variant]
    let job = try JobTable(bytes.bytes, rows: rows.count, typeCount: ElementType.names.count)
    return read(job)
  }

  private func read(_ job: JobTable) -> [Text] {
    let columns = job.columns
    var (byte, run, line) = (0, 0, 0)
    return (0..<columns.textFrame.count).map { index in
      let end = byte + Int(columns.textLength[index])
      let truncationEnd = end + Int(columns.truncationLength[index])
      var text = Text(
        text: columns.textBytes.slice(byte..<end).string,
        truncation: columns.textBytes.slice(end..<truncationEnd).string)
      byte = truncationEnd
      for _ in 0..<columns.textRunCount[index] {
        text.runs.append("\(columns.runEnd[run]) \(job.names[Int(columns.runFont[run])].string)")
        run += 1
      }
      let units = Array(text.text.utf16)
      while line < columns.lineFrame.count, columns.lineFrame[line] == columns.textFrame[index] {
        let range = Int(columns.lineStart[line])..<Int(columns.lineEnd[line])
        text.lines.append(String(decoding: units[range], as: UTF16.self))
        text.traits.append(columns.lineTraits[line])
        text.places.append([
          columns.lineRect.x[line], columns.lineRect.y[line], columns.lineBaseline[line], columns.lineRect.width[line],
        ])
        line += 1
      }
      text.width = columns.frameRect.width[Int(columns.textFrame[index])]
      text.frameLines = Int(columns.lines[Int(columns.textFrame[index])])
      return text
    }
  }

  private func layout(_ variants: [Variant]) throws -> JobLayout {
    try JobLayout(
      Self.program(),
      variants: variants.map { variant in
        var variant = variant
        variant.hasLines = true
        return variant
      })
  }

  @Test(arguments: [Platform.texture, .android, .flutter])
  func textsHaveAsManyLinesAsTheirFrames(platform: Platform) throws {
    let rows = ["Header", "Empty"].map { #"{"cell":"\#($0)","t":"Hello world"}"# }
    let texts = try texts(layout([Variant(width: 150, platform: platform)]), rows)
    #expect(texts.map(\.lines.count) == texts.map(\.frameLines))
    // A flexible text without room is not measured.
    #expect(texts.map(\.frameLines) == [0, 1, 1, platform == .android ? 1 : 0])
  }

  private func row(_ cell: String, _ text: String) -> String {
    #"{"cell":"\#(cell)","t":"\#(text.replacingOccurrences(of: "\n", with: "\\n"))"}"#
  }

  @Test func linesAreThoseOfTheFrameWithoutHangingSpaces() throws {
    let texts = try texts(layout([Variant(width: 100)]), [row("Text", "one two  three\nfour\n")])
    #expect(texts[0].lines == ["one two", "three", "four"])
    #expect(texts[0].frameLines == 3 && texts[0].runs == ["20 body"] && texts[0].truncation == "…")
    #expect(texts[0].places.map { $0[1] } == [0, 20, 40] && texts[0].places.map { $0[2] } == [15, 35, 55])
  }

  @Test func aCutLineEndsBeforeTheTruncationString() throws {
    let texts = try texts(layout([Variant(width: 100)]), [row("Cut", "one two three four five six seven")])
    #expect(texts[0].traits == [0, 1])
    #expect(texts[0].places[1][3] <= 100)
    #expect("three four five six seven".contains(texts[0].lines[1]))
  }

  @Test func aSoftHyphenAtTheEndOfALineIsShown() throws {
    let texts = try texts(layout([Variant(width: 60)]), [row("Text", "extra\u{ad}ordinary")])
    #expect(texts[0].lines.first == "extra\u{ad}" && texts[0].traits.first == 2)
  }

  @Test func linesFromRightToLeftAreAtTheRight() throws {
    let texts = try texts(layout([Variant(width: 300)]), [row("Text", "שלום עולם\nabc")])
    #expect(texts[0].traits == [4, 0])
    #expect(texts[0].places[0][0] + texts[0].places[0][3] == texts[0].width && texts[0].places[1][0] == 0)
  }

  @Test func runsEndWhereTheirFontsDo() throws {
    let texts = try texts(layout([Variant(width: 300)]), [row("Runs", "a  b")])
    #expect(texts[0].text == "a b a b" && texts[0].runs == ["4 body", "7 small"])
    #expect(texts[1].text == "a  b" && texts[1].lines == ["a  b"])
  }

  @Test func aVariantWithoutLinesHasNoTexts() throws {
    let layout = try JobLayout(Self.program(), variants: [Variant(width: 100)])
    #expect(try texts(layout, [row("Text", "one")]).isEmpty)
  }

  private static let variants = Platform.allCases.flatMap { platform in
    [60.0, 137.5, 320].map { Variant(width: $0, scale: platform.isAndroid ? 2.625 : 2, platform: platform) }
  }

  private func randomRows(_ count: Int) -> [String] {
    var random = SplitMix(seed: 7)
    let alphabet = Array("abc de fg\u{ad}-.é今日שא9 \n")
    return (0..<count).map { _ in
      let text = String((0..<random.below(60)).map { _ in alphabet[random.below(alphabet.count)] })
      return row(["Text", "Cut", "Runs", "Wide", "Narrow"][random.below(5)], text)
    }
  }

  /// The number of lines in the frame table is that of the records, no line is outside of its text, and none is narrower than
  /// nothing, as letter spacing could make it.
  @Test func eachLineOfEachFrameHasARecordOnEveryPlatform() throws {
    let rows = randomRows(60)
    let layout = try layout(Self.variants)
    for variant in Self.variants.indices {
      for text in try texts(layout, rows, variant: variant) {
        #expect(text.lines.count == text.frameLines, "\(Self.variants[variant].name): \(text)")
        #expect(text.places.map { $0[1] } == text.places.map { $0[1] }.sorted())
        #expect(text.places.allSatisfy { $0[3] >= 0 })
      }
    }
  }

  /// An empty text on Flutter is no row that is bad, and newlines are no characters without a glyph.
  @Test(arguments: Platform.allCases)
  func emptyTextsAndNewlinesAreGoodOnEveryPlatform(platform: Platform) throws {
    let layout = try layout([Variant(width: 137.5, platform: platform)])
    let rows = [row("Runs", ""), row("Text", ""), row("Text", "a\nb\n")]
    layout.layOut(rows)
    let bytes = layout.encodedColumns()[0]
    let job = try JobTable(bytes.bytes, rows: rows.count, typeCount: ElementType.names.count)
    #expect(job.badRowCount == 0)
    #expect((0..<rows.count).allSatisfy { job.columns.missingGlyphs[$0] == 0 })
  }

  /// The columns of a job have the traits of lines as the measurer has them.
  @Test func tablesReadTheTraitsOfMeasuredLines() {
    #expect(LineTraits.ellipsis.rawValue == TextLine.Traits.ellipsis.rawValue)
    #expect(LineTraits.hyphen.rawValue == TextLine.Traits.hyphen.rawValue)
    #expect(LineTraits.rightToLeft.rawValue == TextLine.Traits.rightToLeft.rawValue)
  }

  /// Rows with the same content are taken from the cache, with their lines.
  @Test func repeatedRowsHaveTheSameLines() throws {
    let rows = randomRows(30)
    let layout = try layout([Variant(width: 137.5)])
    let once = try texts(layout, rows)
    #expect(try texts(layout, rows + rows) == once + once && layout.cacheHits > 0)
  }
}
