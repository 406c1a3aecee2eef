import Buffers
import CellTemplates
import GalleyTestSupport
import LayoutEngine
import SeededRandom
import Testing

@testable import BatchLayout

/// Tests that an inspection shows what the tables have.
@Suite struct CellInspectionTests {
  static let fonts = #"""
    {"fonts":{"body":{"face":0,"size":15,"lineHeight":20},"small":{"face":0,"size":11}},"fallback":[1,2],"cells":{}}
    """#

  static func layout(_ variants: [Variant] = [Variant(width: 390)]) throws -> JobLayout {
    try JobLayout(
      Programs.compile(
        fonts, faces: ["Inter-Regular.otf", "NotoSansHebrew-Regular.ttf", "NotoColorEmoji.ttf"].map(Programs.face)),
      variants: variants)
  }

  static func inspect(_ layout: String, width: Double = 390) throws -> CellInspection {
    try Self.layout([Variant(width: width)]).inspect(Programs.row(#"{"layout":\#(layout)}"#))
  }

  /// The values of a row's nodes in the frame table.
  private struct Tabled: Equatable {
    var lines: [Int] = []
    var truncated: [Bool] = []
    var heights: [Float] = []
  }

  private func tabled(_ layout: JobLayout, _ row: String, _ variant: Int) -> Tabled {
    layout.layOut([row])
    return layout.withColumns(of: variant) { job in
      Tabled(
        lines: job.columns.lines.values.map { Int($0) }, truncated: job.columns.truncated.values.map { $0 != 0 },
        heights: Array(job.columns.frameRect.height.values))
    }
  }

  private func inspected(_ layout: JobLayout, _ row: String, _ variant: Int) -> Tabled {
    let nodes = layout.inspect(Programs.row(row), variant: variant).nodes
    return Tabled(
      lines: nodes.map(\.lines.count), truncated: nodes.map(\.isTruncated),
      heights: nodes.map { Float($0.frame.size.height) })
  }

  private static let words = [
    "short", "Donaudampfschiffahrt", "a", "of", "שלום", "עולם", "😀", "co\u{ad}operate", "\n", "x-y",
  ]

  /// Returns a random layout of texts in stacks, insets and ratios of different sizes.
  private func randomLayout(_ random: inout SplitMix, depth: Int) -> String {
    let style = ["height", "maxHeight", "width", "maxWidth", "flexShrink", "flexGrow", "minHeight"]
      .filter { _ in random.below(5) == 0 }
      .map { #""\#($0)":\#($0.hasPrefix("flex") ? 1 : 7 + random.below(90))"# }.joined(separator: ",")
    let children = { (random: inout SplitMix) in
      (0..<1 + random.below(3)).map { _ in randomLayout(&random, depth: depth - 1) }.joined(separator: ",")
    }
    switch depth == 0 ? 0 : random.below(6) {
    case 1, 2:
      let direction = random.below(2) == 0 ? "vertical" : "horizontal"
      let alignment = ["start", "stretch", "center", "baselineFirst"][random.below(direction == "vertical" ? 3 : 4)]
      return #"""
        {"type":"stack","direction":"\#(direction)","alignItems":"\#(alignment)","style":{\#(style)},"children":[\#(children(&random))]}
        """#
    case 3: return #"{"type":"inset","insets":\#(random.below(9)),"child":\#(randomLayout(&random, depth: depth - 1))}"#
    case 4: return #"{"type":"ratio","ratio":0.3,"child":\#(randomLayout(&random, depth: depth - 1))}"#
    default:
      let text = (0..<random.below(20)).map { _ in Self.words[random.below(Self.words.count)] }.joined(separator: " ")
        .replacing("\n", with: "\\n")
      return #"""
        {"type":"text","text":"\#(text)","font":"\#(random.below(2) == 0 ? "body" : "small")","maximumNumberOfLines":\#(random.below(4)),"style":{\#(style)}}
        """#
    }
  }

  @Test func everyTextHasTheLinesOfItsFrame() throws {
    let variants = [Variant(width: 390), Variant(width: 120, textScale: 1.35), Variant(width: 200, scale: 3)]
    let layout = try Self.layout(variants)
    var random = SplitMix(seed: 5)
    var lines = 0
    var cut = 0
    for number in 0..<250 {
      let row = #"{"layout":\#(randomLayout(&random, depth: 4))}"#
      for variant in variants.indices {
        let table = tabled(layout, row, variant)
        // A bad row has no frames in the table.
        guard layout.withColumns(of: variant, { $0.columns.errorLength[0] }) == 0 else { continue }
        #expect(inspected(layout, row, variant) == table, "row \(number): \(row)")
        lines += table.lines.reduce(0, +)
        cut += table.truncated.filter { $0 }.count
      }
    }
    #expect(lines > 1200 && cut > 120, "\(lines) lines, \(cut) cut")
  }

  @Test(arguments: ["texture-layouts.jsonl", "random-layouts.jsonl"])
  func theNodesOfFixturesEqualTheFrameTable(fixture: String) throws {
    let layout = try Self.layout([Variant(width: 390)])
    for line in try Fixtures.lines(fixture) {
      let row = String(decoding: line, as: UTF8.self)
      let table = tabled(layout, row, 0)
      guard layout.withColumns(of: 0, { $0.columns.errorLength[0] }) == 0 else { continue }
      #expect(inspected(layout, row, 0) == table, "\(row)")
    }
  }

  @Test func aTextCutByItsHeightHasTheLinesOfItsFrame() throws {
    let text = try Self.inspect(
      #"{"type":"text","id":"t","text":"one two three four five six","font":"body","style":{"width":50,"height":50}}"#,
      width: 50
    ).nodes[0]
    #expect(text.lines.map(\.text) == ["one", "two"])
    #expect(text.isTruncated)
  }

  @Test func linesHaveTheCharactersOfTheirText() throws {
    let text = try Self.inspect(
      #"{"type":"text","text":"one\u2028two\u0007 three and so on","maximumNumberOfLines":1}"#, width: 120
    ).nodes[0]
    #expect(text.isTruncated && text.lines.map(\.text) == ["one\u{2028}two\u{7} thre"])
  }

  /// Measured in Chromium 156: the tab is as much wider as a space, and its stop is that of the line before it is justified.
  @Test func aTabOfAJustifiedLineBecomesWider() throws {
    let text = try Self.inspect(
      #"{"type":"text","text":"naïve words a\tLodz words and more","alignment":"justified"}"#, width: 180
    ).nodes[0]
    let line = text.lines[0].drawing
    #expect(abs(line.width - 180) < 0.05)
    #expect(line.isJustified && text.lines.last?.drawing.isJustified == false)
    #expect(line.glyphs.contains { abs($0.x - 145.16) < 0.05 })
  }

  @Test func anInspectionOfAnImageWithoutASizeHasTheErrorAndTheTree() throws {
    let cell = try Self.inspect(
      #"""
      {"type":"stack","direction":"vertical","children":[
        {"type":"text","id":"t","text":"hello","font":"body"},{"type":"networkImage","id":"p","url":"x"}]}
      """#)
    #expect(cell.error?.message.hasPrefix(#"networkImage "p" ends without a size"#) == true)
    #expect(cell.nodes.map(\.name) == ["t", "p"])
    #expect(cell.nodes[1].frame == Rect(0, 20, 390, 0))
    #expect(cell.tree.filter(\.isProblem).count == 1)
    #expect(cell.asciiArt.contains("NetworkImageNode (p)"))
  }

  @Test func anInspectionOfAnInfiniteSizeHasTheErrorAndTheTree() throws {
    let cell = try Self.inspect(
      #"""
      {"type":"stack","direction":"vertical","children":[
        {"type":"text","id":"t","text":"hello","font":"body"},
        {"type":"inset","insets":{"top":"inf","bottom":0},"child":{"type":"node","id":"n","calculatedSize":[1,2]}}]}
      """#)
    #expect(cell.error?.message.hasPrefix("its size is not finite") == true)
    #expect(cell.nodes.first?.lines.map(\.text) == ["hello"])
    #expect(cell.nodes.allSatisfy { $0.frame.origin.y.isFinite && $0.frame.size.height.isFinite })
    let problem = cell.tree.firstIndex(where: \.isProblem) ?? 0
    #expect(cell.tree[problem - 1].text.contains("InsetLayoutSpec"))
  }

  /// Also of spacers, and of specs whose child is absent.
  @Test func everyElementHasItsRange() throws {
    let cell = try Self.inspect(
      #"""
      {"type":"stack","children":[{"type":"node","calculatedSize":[40,20]},{"type":"spec","style":{"flexGrow":1}},
        {"type":"inset","insets":3,"child":{"type":"node","when":"absent"}},
        {"type":"ratio","id":"r","ratio":0.5,"child":{"type":"node","when":"absent"}},
        {"type":"ratio","id":"r","ratio":0.5,"style":{"width":60},"child":{"type":"node"}}]}
      """#)
    #expect(cell.tree.count > 5 && cell.tree.allSatisfy { !$0.text.contains("never measured") }, "\(cell.tree)")
    #expect(cell.asciiArt.contains("ASRatioLayoutSpec (0.5)"), "Texture draws no debug name there")
  }

  /// The frame of a background comes before those of the child, and the tree has it behind them.
  @Test func linesOfTheTreeHaveTheIndicesOfTheirNodes() throws {
    let cell = try Self.inspect(
      #"""
      {"type":"background","background":{"type":"node","id":"back"},"child":{"type":"stack","direction":"vertical",
        "children":[{"type":"text","id":"a (b)","text":"hello"},{"type":"text","id":"c","text":"you"}]}}
      """#)
    #expect(cell.nodes.map(\.name) == ["back", "a (b)", "c"])
    #expect(cell.tree.map(\.node) == [nil, nil, 1, 2, 0])
  }

  @Test func anInspectionOfAnUnreadableRowHasOnlyTheError() throws {
    let layout = try Self.layout()
    let cell = layout.inspect(Programs.row("nonsense"))
    #expect(cell.error?.message.hasPrefix("is not JSON") == true)
    #expect(cell.nodes.isEmpty && cell.tree.isEmpty && cell.size == .zero)
    // The next row is not affected.
    #expect(layout.inspect(Programs.row(#"{"id":7,"layout":{"type":"node"}}"#)).id == "7")
    let unnamed = layout.inspect(Programs.row(#"{"id":null,"layout":{"type":"node"}}"#))
    #expect(unnamed.id.isEmpty && unnamed.error == nil)
  }

  /// An inspection leaves no state that changes or slows down later layouts.
  @Test func anInspectionDoesNotChangeLaterLayouts() throws {
    let layout = try Self.layout()
    let row = #"{"layout":{"type":"text","text":"one two three","font":"body","style":{"width":60}}}"#
    let before = tabled(layout, row, 0)
    _ = layout.inspect(Programs.row(row))
    #expect(!layout.recordsEverything)
    #expect(tabled(layout, row, 0) == before)
    #expect(layout.cacheHits > 0)
  }

  @Test func allGlyphsExceptSpacesHavePictures() throws {
    let cell = try Self.inspect(#"{"type":"text","text":"Hi 😀","font":"body"}"#)
    let glyphs = cell.nodes[0].lines[0].drawing.glyphs
    #expect(glyphs.count == 4)
    #expect(glyphs.filter { cell.glyphs[$0.key] == nil }.count == 1)
  }

  @Test func hostileRowsCanBeInspected() throws {
    let layout = try Self.layout([Variant(width: 120), Variant(width: 1, textScale: 3, scale: 3)])
    let rows = [
      #"{"layout":{"type":"stack","direction":"vertical","children":[{"type":"text","text":"Hi \u05d0\u05d1 \ud83d\ude00 x\u00ady","font":"body"}]}}"#,
      #"{"id":1,"layout":{"type":"static","children":[{"type":"networkImage","url":"u","style":{"sizeRange":[10,"50%"]}}]}}"#,
      #"{"layout":{"type":"inset","insets":{"top":"inf"},"child":{"type":"ratio","ratio":2,"child":{"type":"node"}}}}"#,
    ]
    var mutator = Mutator(
      seed: 8, corpus: rows.map { Array($0.utf8) },
      words: ["null", "-1", "1e309", "\"inf\"", "\"flexGrow\":1,", "\"whiteSpace\":\"collapse\",", "[", "}"])
    var known = 0
    for _ in 0..<Mutator.count {
      mutator.next().withPadding { row in
        for variant in layout.variants.indices {
          let cell = layout.inspect(row, variant: variant)
          #expect(cell.isUnknown ? cell.error != nil : cell.size.height.isFinite)
          known += cell.isUnknown ? 0 : 1
        }
      }
    }
    #expect(known > 0, "some mutations are harmless")
  }
}
