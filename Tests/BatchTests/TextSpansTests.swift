import Buffers
import CellTemplates
import GalleyTestSupport
import LayoutEngine
import LayoutTables
import SeededRandom
import Testing

@testable import BatchLayout

/// Rectangles of links, mentions and attachments, and the lines that these are in.
@Suite struct TextSpansTests {
  private static let cells = #"""
    {"fonts":{"body":{"face":0,"size":15,"lineHeight":20},"small":{"face":0,"size":12}},"fallback":[1],"cells":{
      "Runs":{"layout":{"type":"text","id":"t","runs":"{spans}","alignment":"{a?}"}},
      "Cut":{"layout":{"type":"text","id":"t","runs":"{spans}","maximumNumberOfLines":1}},
      "Marks":{"layout":{"type":"text","id":"t","text":"{t}","marks":"{m?}"}}}}
    """#

  /// The rectangles of a job, and its lines.
  private struct Result: Equatable {
    var spans: [Span] = []
    /// The left side, the width, the top and the height of each line.
    var lines: [[Float]] = []
    var height: Float = 0
  }

  private struct Span: Equatable {
    var line: UInt16
    var text: String
    var frame: [Float]
    var url: String
    var kind: String
  }

  private let layout: JobLayout

  init() throws { layout = try Self.layout(.texture) }

  private static func layout(
    _ platform: Platform, width: Double = 120, font: String = "Inter-Regular.otf"
  ) throws -> JobLayout {
    var variant = Variant(width: width, platform: platform)
    variant.hasLines = true
    return try JobLayout(
      Programs.compile(Self.cells, faces: [Programs.face(font), Programs.face("NotoSansHebrew-Regular.ttf")]),
      variants: [variant])
  }

  /// Returns the spans of rows, which have one text each.
  private func results(_ rows: [String], _ layout: JobLayout? = nil) throws -> [Result] {
    let layout = layout ?? self.layout
    layout.layOut(rows)
    let bytes = layout.encodedColumns()[0]
    let job = try JobTable(bytes.bytes, rows: rows.count, typeCount: ElementType.names.count)
    let columns = job.columns
    try #require(columns.textFrame.count == rows.count)
    var (byte, line) = (0, 0)
    return (0..<rows.count).map { index in
      var result = Result()
      let end = byte + Int(columns.textLength[index])
      let units = Array(columns.textBytes.slice(byte..<end).string.utf16)
      byte = end + Int(columns.truncationLength[index])
      for number in 0..<columns.spanText.count where Int(columns.spanText[number]) == index {
        let range = Int(columns.spanStart[number])..<Int(columns.spanEnd[number])
        result.spans.append(
          Span(
            line: columns.spanLine[number], text: String(decoding: units[range], as: UTF16.self),
            frame: columns.spanRect.all.map { $0[number] },
            url: job.names[Int(columns.spanURL[number])].string, kind: job.names[Int(columns.spanKind[number])].string))
      }
      while line < columns.lineFrame.count, columns.lineFrame[line] == columns.textFrame[index] {
        result.lines.append([
          columns.lineRect.x[line], columns.lineRect.width[line], columns.lineRect.y[line],
          columns.lineRect.height[line],
        ])
        line += 1
      }
      result.height = columns.height[index]
      return result
    }
  }

  private func result(_ row: String) throws -> Result { try results([row])[0] }

  @Test func aLinkHasARectangleInEachOfItsLines() throws {
    let found = try result(
      #"{"cell":"Runs","spans":[{"text":"See "},{"text":"the whole thread","url":"https://a/1"},{"text":" now"}]}"#)
    #expect(found.spans.map(\.text) == ["the whole", "thread"])
    #expect(found.spans.map(\.url) == ["https://a/1", "https://a/1"] && found.spans.map(\.line) == [0, 1])
    let (first, second) = (found.spans[0].frame, found.spans[1].frame)
    // The first one ends where its line does, the second one begins there.
    #expect(first[0] > 20 && abs(first[0] + first[2] - found.lines[0][1]) < 0.1 && second[0] == 0)
    #expect(first[1] == 0 && first[3] == 20 && second[1] == 20 && second[3] == 20)
  }

  /// Measured in Chromium 156: punctuation of East Asian scripts next to other punctuation is half as wide.
  @Test func spansAreBehindPunctuationThatIsNarrower() throws {
    let layout = try Self.layout(.web, width: 500, font: "NotoSansCJK-Regular.ttc")
    let row =
      #"{"cell":"Runs","spans":[{"text":"「『東京』」、（大阪）。"},{"text":"@ada","url":"u"},"#
      + #"{"text":"さんと長い文章を書きました"},{"attachment":[20,18],"kind":"k"},{"text":"（東京）"}]}"#
    let found = try results([row], layout)[0]
    let expected: [(x: Float, width: Float)] = [(142.5, 40.38), (377.88, 20)]
    for (span, expected) in zip(found.spans, expected) {
      #expect(abs(span.frame[0] - expected.x) < 0.05 && abs(span.frame[2] - expected.width) < 0.05, "\(span)")
    }
    #expect(found.spans.count == 2)
  }

  @Test func marksHaveURLsAndKinds() throws {
    let found = try result(
      #"{"cell":"Marks","t":"Hi @ada, #swift","m":[{"start":3,"end":7,"kind":"mention","url":"u/1"},"#
        + #"{"start":9,"length":6,"kind":"hashtag"}]}"#)
    #expect(found.spans.map(\.text) == ["@ada", "#swift"] && found.spans.map(\.kind) == ["mention", "hashtag"])
    #expect(found.spans.map(\.url) == ["u/1", ""])
  }

  /// Rows whose texts are alike share a layout, but not what their texts link to.
  @Test func rowsOfOneTextHaveTheirOwnURLs() throws {
    let rows = ["a", "b", "a"].map { #"{"cell":"Runs","spans":[{"text":"here","url":"\#($0)"}]}"# }
    #expect(try results(rows).map(\.spans[0].url) == ["a", "b", "a"])
  }

  /// The cache keeps rows of a moderate size, so that its memory is bounded.
  @Test(arguments: [(100, 1), (20_000, 0)]) func aRowWithALongURLIsNotKept(length: Int, hits: Int) {
    let url = String(repeating: "u", count: length)
    let row = #"{"cell":"Runs","spans":[{"text":"here","url":"\#(url)"}]}"#
    layout.layOut([row, row])
    #expect(layout.cacheHits == hits)
  }

  /// With a `lineHeight` below the fonts' heights, the line spacing of Android takes more than a line of the smaller font has. A pool
  /// refuses rectangles of negative heights.
  @Test func aLinkInALineOfNegativeHeightHasNone() throws {
    let row =
      #"{"layout":{"type":"text","lineHeight":1,"runs":[{"text":"abc\nx","font":"body"},{"text":"abc\nx","font":"small","url":"u"},"#
      + #"{"text":"abc\nx","font":"small","url":"u"},{"text":"abc\nx","font":"body","url":"u"}]}}"#
    let found = try results([row], Self.layout(.android))[0]
    #expect(found.spans.allSatisfy { $0.frame[3] >= 0 })
    #expect(found.lines.contains { $0[3] < 0 } && found.spans.contains { $0.frame[3] == 0 }, "\(found)")
  }

  /// If all runs are links, their rectangles cover each line from end to end.
  @Test(arguments: [Platform.texture, .web, .android, .reactNative, .compose, .flutter])
  func theRectanglesOfAllRunsCoverTheirLines(platform: Platform) throws {
    let layout = try Self.layout(platform)
    var random = SplitMix(seed: 3)
    for _ in 0..<200 {
      let spans = (0..<1 + random.below(6)).map { index in
        let words = (0..<1 + random.below(5)).map { _ in
          ["a", "seven", "שלום", "wonderful", "(x)", "iiiiii"][random.below(6)]
        }
        let font = ["body", "small"][random.below(2)]
        return #"{"text":"\#(words.joined(separator: " ")) ","url":"\#(index)","font":"\#(font)"}"#
      }
      let alignment = ["start", "center", "end", "justified"][random.below(4)]
      let row = #"{"cell":"Runs","spans":[\#(spans.joined(separator: ","))],"a":"\#(alignment)"}"#
      let found = try results([row], layout)[0]
      #expect(Set(found.spans.map(\.url)).count == spans.count, "\(row)")
      for (number, line) in found.lines.enumerated() {
        var x = line[0]
        for span in found.spans.filter({ $0.line == UInt16(number) }).map(\.frame).sorted(by: { $0[0] < $1[0] }) {
          #expect(abs(span[0] - x) < 0.05, "\(row)")
          x = span[0] + span[2]
        }
        #expect(abs(x - line[0] - line[1]) < 0.3, "\(row)")
      }
    }
  }

  /// The truncation string follows what is left of the line.
  @Test func aCutLineWithTabsIsAsWideAsItsParts() throws {
    let texts = ["", "a\\t", "aaa\\t\\t", "\\ta b\\t", "a b \\t\\t\\t"]
    let rests = try results(
      texts.map { #"{"cell":"Cut","spans":[{"text":"\#($0)see it or see it or see it or see it","url":"u"}]}"# }
    ).map { $0.lines[0][1] - ($0.spans.map { $0.frame[0] + $0.frame[2] }.max() ?? 0) }
    #expect(rests.allSatisfy { $0 > 5 && abs($0 - rests[0]) < 0.05 }, "\(rests)")
  }

  /// Android rounds the advance of each glyph, and its tab stops are 20 pixels apart.
  @Test(arguments: [Platform.android, .compose, .reactNative])
  func rectanglesOnAndroidFollowItsAdvancesAndTabStops(platform: Platform) throws {
    let layout = try Self.layout(platform)
    func row(_ runs: [String], spacing: Double = 0) -> String {
      let runs = runs.map { #"{"text":"\#($0)","url":"\#($0)","letterSpacing":\#(spacing)}"# }
      return #"{"cell":"Runs","spans":[\#(runs.joined(separator: ","))]}"#
    }
    for text in ["iiiiiiiiiii", "mmmm", "a\\t", "iiiiiiiii\\t", "a\\t\\tb"] {
      let found = try results([row([text]), row([text, "link", "s"])], layout)
      #expect(abs(found[1].spans[1].frame[0] - found[0].lines[0][1]) < 0.001, "\(text)")
    }
    // A text of one line loses half of the letter spacing at both ends, and the text before a link at one.
    let spaced = try results([row(["iiii"], spacing: 2), row(["iiii", "link"], spacing: 2)], layout)
    #expect(abs(spaced[1].spans[1].frame[0] - spaced[0].lines[0][1] - 1) < 0.1)
    #expect(spaced[1].spans[1].frame[0] + spaced[1].spans[1].frame[2] == spaced[1].lines[0][1])
  }

  /// CSS 2.2, 10.8: the line box reaches from the uppermost to the lowermost edge of what is on it.
  @Test(arguments: [(10.0, 0.0, 20.0), (40, 0, 45), (40, -10, 40), (10, -30, 45), (4, 30, 39)])
  func anAttachmentCountsForTheHeightOfItsLine(height: Double, offset: Double, expected: Float) throws {
    let found = try result(
      #"{"cell":"Runs","spans":[{"text":"a "},{"attachment":[16,\#(height)],"baselineOffset":\#(offset),"kind":"emoji"}]}"#
    )
    #expect(found.height == expected)
    let frame = found.spans[0].frame
    #expect(frame[2] == 16 && frame[3] == Float(height))
    #expect(frame[1] >= 0 && frame[1] + frame[3] <= found.height)
  }

  /// A picture has each attachment where its rectangle is.
  @Test func attachmentsAreDrawnInTheirRectangles() throws {
    let row = #"{"cell":"Runs","spans":[{"text":"a "},{"attachment":[16,12],"baselineOffset":-3},{"text":" b"}]}"#
    let span = try result(row).spans[0].frame
    let line = layout.inspect(Programs.row(row)).nodes[0].lines[0]
    let attachment = try #require(line.drawing.attachments.first)
    #expect(line.drawing.attachments.count == 1 && Float(attachment.x) == span[0])
    #expect(Float(line.drawing.baseline - attachment.above) == span[1] && attachment.height == 12)
    #expect(line.drawing.runs.map(\.attachmentWidth) == [nil, 16, nil])
  }

  @Test func linesBreakAroundAttachments() throws {
    let emoji = Array(repeating: #"{"attachment":[50,20]}"#, count: 5).joined(separator: ",")
    let found = try result(#"{"cell":"Runs","spans":[\#(emoji)]}"#)
    #expect(found.spans.map(\.line) == [0, 0, 1, 1, 2])
    #expect(found.spans.map { $0.frame[0] } == [0, 50, 0, 50, 0])
  }

  @Test func justifiedLinesEndAtBothSides() throws {
    let found = try result(
      #"{"cell":"Runs","spans":[{"text":"several words of different lengths in lines"}],"a":"justified"}"#)
    #expect(found.lines.count > 2 && found.lines.allSatisfy { $0[0] == 0 })
    #expect(found.lines.dropLast().allSatisfy { abs($0[1] - 120) < 0.01 } && (found.lines.last?[1] ?? 120) < 119)
  }
}
