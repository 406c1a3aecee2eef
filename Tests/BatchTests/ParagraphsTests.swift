import CellTemplates
import GalleyTestSupport
import LayoutEngine
import LayoutTables
import SeededRandom
import Testing

@testable import BatchLayout

/// Indents and spaces of paragraphs. `check-web-texts` compares them with Chromium.
@Suite struct ParagraphsTests {
  private func inspect(_ element: String, _ width: Double) throws -> CellInspection {
    try JobLayout.ofRowLayouts(Variant(width: width)).inspect(Programs.row(#"{"layout":\#(element)}"#))
  }

  private static func words(_ random: inout SplitMix) -> String {
    (0..<random.below(9)).map { _ in
      ["a", "seven", "שלום", "extra\u{ad}ordinary", "wonderfulwonderful"][random.below(5)]
    }
    .joined(separator: " ")
  }

  /// A text of paragraphs has the lines and the height of a stack with a text for each of them.
  @Test func paragraphsAreAsHighAsTextsOfTheirOwn() throws {
    var random = SplitMix(seed: 4)
    for _ in 0..<200 {
      let paragraphs = (0..<1 + random.below(4)).map { _ in "x" + Self.words(&random) }
      let (after, before, indent, tail) = (random.below(12), random.below(5), random.below(40), random.below(20))
      let width = Double(60 + random.below(240))
      let whole = try inspect(
        #"""
        {"type":"text","text":"\#(paragraphs.joined(separator: "\\n"))","paragraphSpacing":\#(after),
          "paragraphSpacingBefore":\#(before),"headIndent":\#(indent),"firstLineHeadIndent":\#(indent),"tailIndent":-\#(tail)}
        """#.replacing("\n", with: ""), width)
      let texts = paragraphs.map { #"{"type":"text","text":"\#($0)","textContainerInset":[0,0,0,0]}"# }
      let parts = try inspect(
        #"""
        {"type":"inset","insets":[0,\#(indent),0,\#(tail)],"child":{"type":"stack","direction":"vertical",
          "spacing":\#(after + before),"children":[\#(texts.joined(separator: ","))]}}
        """#.replacing("\n", with: ""), width)
      #expect(whole.size.height == parts.size.height, "\(paragraphs) in \(width)")
      let lines = whole.nodes[0].lines
      #expect(lines.map(\.text) == parts.nodes.flatMap { $0.lines.map(\.text) }, "\(paragraphs) in \(width)")
      #expect(
        lines.map { $0.origin.y + $0.drawing.baseline }
          == parts.nodes.flatMap { node in node.lines.map { $0.origin.y + $0.drawing.baseline } })
      for line in lines where !line.drawing.isRightToLeft { #expect(line.origin.x == Double(indent)) }
    }
  }

  /// 4.8 with 32 bits is more, which was a pixel more.
  @Test func spacesOfParagraphsAreExact() throws {
    let text = #""type":"text","text":"a\nb\nc\nd\ne\nf","font":"body""#
    for property in [#""paragraphSpacing":4.8"#, #""paragraphSpacingBefore":4.8"#] {
      #expect(try inspect("{\(text),\(property)}", 320).size.height == 144, "\(property)")
    }
  }

  @Test func theFirstLineOfEachParagraphHasAnIndentOfItsOwn() throws {
    let text = #"seven seven seven seven\nseven seven seven"#
    let cell = try inspect(#"{"type":"text","text":"\#(text)","firstLineHeadIndent":60,"headIndent":20}"#, 160)
    #expect(cell.nodes[0].lines.map(\.text) == ["seven seven", "seven seven", "seven seven", "seven"])
    #expect(cell.nodes[0].lines.map(\.origin.x) == [60, 20, 60, 20])
    // A line from right to left begins at the right.
    let hebrew = try inspect(
      #"{"type":"text","text":"שלום","firstLineHeadIndent":60,"style":{"width":160}}"#, 160
    ).nodes[0].lines[0]
    #expect(abs(hebrew.origin.x + hebrew.drawing.width - 100) < 0.1)
  }

  /// UIKit: a positive tailIndent is a distance from the leading side.
  @Test func aPositiveTailIndentIsWhereLinesEnd() throws {
    let text = #"seven seven seven seven"#
    let cell = try inspect(#"{"type":"text","text":"\#(text)","tailIndent":100,"style":{"width":300}}"#, 300)
    let narrow = try inspect(#"{"type":"text","text":"\#(text)"}"#, 100)
    #expect(cell.nodes[0].lines.map(\.text) == narrow.nodes[0].lines.map(\.text))
    let cut = try inspect(
      #"{"type":"text","text":"\#(text)","tailIndent":100,"maximumNumberOfLines":1,"style":{"width":300}}"#, 300)
    #expect(cut.nodes[0].isTruncated && cut.nodes[0].lines[0].drawing.width <= 100)
  }

  @Test func theTextIsCutBeforeItsIndentIsLost() throws {
    let text = Array(repeating: "seven", count: 20).joined(separator: " ")
    let cell = try inspect(
      #"{"type":"text","text":"\#(text)","headIndent":50,"maximumNumberOfLines":2,"style":{"width":200}}"#, 200)
    let last = cell.nodes[0].lines[1]
    #expect(cell.nodes[0].isTruncated && last.origin.x == 50 && last.origin.x + last.drawing.width <= 200)
  }

  /// Insets and paragraphs of equal numbers are different properties.
  @Test func textsWithInsetsAndThoseWithParagraphsAreNotTakenForEachOther() throws {
    let text = Array(repeating: "seven", count: 6).joined(separator: " ")
    let rows = [
      #"""
      {"layout":{"type":"text","text":"\#(text)","firstLineHeadIndent":30,"headIndent":30,"paragraphSpacing":30,
        "paragraphSpacingBefore":30}}
      """#.replacing("\n", with: ""),
      #"{"layout":{"type":"text","text":"\#(text)","textContainerInset":30}}"#,
    ]
    func heights(_ rows: [String]) throws -> [Float] {
      let layout = try JobLayout.ofRowLayouts(Variant(width: 200))
      layout.layOut(rows)
      return layout.withColumns(of: 0) { Array($0.columns.height.values) }
    }
    let alone = try rows.flatMap { try heights([$0]) }
    let (together, reversed) = (try heights(rows), try heights(rows.reversed()))
    #expect(alone == [40, 100] && together == alone && reversed == alone.reversed())
  }

  @Test(arguments: [#""firstLineHeadIndent":2e9"#, #""letterSpacing":1e10"#, #""textContainerInset":[0,-2e9,0,2e9]"#])
  func aLineThatIsBeyondTheTablesIsAnErrorOfItsRow(property: String) throws {
    let layout = try JobLayout.ofRowLayouts(Variant(width: 200, hasLines: true))
    layout.layOut([
      #"{"layout":{"type":"text","text":"a b",\#(property)}}"#, #"{"layout":{"type":"text","text":"a"}}"#,
    ])
    let bytes = layout.encodedColumns()[0]
    let job = try JobTable(bytes.bytes, rows: 2, typeCount: ElementType.names.count)
    #expect(job.columns.errorLength[0] > 0 && job.columns.height[1] == 20)
  }

  @Test(arguments: [Platform.android, .reactNative, .flutter])
  func platformsThatDoNotLayParagraphsOutRefuseThem(platform: Platform) throws {
    let layout = try JobLayout.ofRowLayouts(Variant(width: 200, platform: platform))
    let row = #"{"layout":{"type":"inset","insets":1,"child":{"type":"text","text":"a","headIndent":3}}}"#
    for _ in 0..<2 {
      let error = layout.inspect(Programs.row(row)).error
      #expect(
        error?.description.hasPrefix(
          "layout.child: has indents or spaces of paragraphs, which \(platform.name) does not lay out") == true)
      #expect(layout.inspect(Programs.row(#"{"layout":{"type":"text","text":"a"}}"#)).error == nil)
    }
  }
}
