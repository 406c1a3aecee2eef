import CellTemplates
import GalleyTestSupport
import LayoutEngine
import SeededRandom
import TableFormats
import Testing

@testable import BatchLayout

/// Tests of the rows whose margins hold for the width of the list.
@Suite struct RowWidthsTests {
  private static let cellCount = 80

  /// A row keeps its height in all widths within its margins, whatever its cell is made of.
  @Test(arguments: [Platform.texture, .web, .webkit, .firefox, .flutter])
  func heightsHoldWithinTheMargins(platform: Platform) throws {
    var random = RandomListCells(seed: 7)
    let cells = (0..<Self.cellCount).map { "\"C\($0)\":{\"layout\":\(random.element(depth: 4))}" }
    let source = """
      {"fonts":{"body":{"face":0,"size":15},"small":{"face":0,"size":12,"lineHeight":16}},"fallback":[1],"cells":{
      \(cells.joined(separator: ","))}}
      """
    let program = try Programs.compile(
      source, faces: [Programs.face("Inter-Regular.otf"), Programs.face("NotoSansArabic-Regular.ttf")])
    let rows = (0..<Self.cellCount).map { "{\"cell\":\"C\($0)\",\"t\":\"\(random.text())\"}" }
    let layout = try JobLayout(program, variants: [Variant(width: 100)])
    var bounded = 0
    for width in [31.25, 53, 104, 171.5, 240, 390, 417.3] {
      let found = lines(layout, rows, Variant(width: width, platform: platform))
      for (row, result) in found.enumerated() where result.margins.holdsForWidth {
        let margins = result.margins.margins
        let (narrower, wider) = (Double(margins?.narrower ?? .infinity), Double(margins?.wider ?? .infinity))
        for share in [-0.999, -0.5, -random.unit(), random.unit(), 0.5, 0.999] {
          let change = share < 0 ? max(share * narrower, -0.6 * width) : min(share * wider, 200)
          if abs(change) < 0.01 { continue }
          bounded += 1
          let other = lines(layout, [rows[row]], Variant(width: width + change, platform: platform))[0]
          // A row can be bad where nothing of the width is left for one of its nodes.
          if other.height == 0 && result.height > 0 && other.isBad { continue }
          #expect(
            other.height == result.height,
            "\(cells[row]) \(rows[row]) at \(width): \(narrower), \(wider), by \(change)")
        }
      }
    }
    // About a third of the cells are of this kind.
    #expect(bounded > Self.cellCount * 5, "\(bounded)")
  }

  @Test func browsersCutTheWidthOfTheListToTheirUnits() throws {
    let row = #"{"layout":{"type":"ratio","ratio":0.5,"child":{"type":"node"}}}"#
    let cut = 417.296875
    for (platform, width) in [(Platform.texture, 417.5), (.web, cut), (.webkit, cut)] {
      let layout = try JobLayout.ofRowLayouts(Variant(width: 417.3, platform: platform))
      layout.layOut([row])
      layout.withColumns(of: 0) { #expect($0.columns.width.values.map(Double.init) == [width], "\(platform)") }
    }
  }

  /// What a child of a horizontal stack has begins to depend on the width where the child begins to grow or to shrink.
  @Test(arguments: [
    (
      #""children":[{"type":"image","imageSize":[100,10]},{"type":"text","text":"abc","font":"body","style":{"flexGrow":1,"flexShrink":1}}]"#,
      114.0, 99.0
    ),
    (
      #""children":[{"type":"stack","direction":"vertical","style":{"flexGrow":1,"maxWidth":30},"children":[{"type":"image","imageSize":[30,5]},{"type":"text","text":"aa bb","font":"body"}]},{"type":"image","imageSize":[22.5,5]}]"#,
      53, 62.6
    ),
    (
      #""children":[{"type":"ratio","ratio":1,"style":{"flexGrow":1},"child":{"type":"image","imageSize":[100,100]}}]"#,
      100, 101
    ),
    (
      #""children":[{"type":"image","imageSize":[83,33]},{"type":"image","imageSize":[20,40],"style":{"flexGrow":1,"flexShrink":1}}]"#,
      90, 50
    ),
    (#""children":[{"type":"text","text":"aa bb","font":"body","style":{"flexShrink":1}}]"#, 39, 39.7495),
    // A stack with a largest width is exact in one width only.
    (
      #""direction":"vertical","children":[{"type":"stack","style":{"maxWidth":260},"children":[{"type":"text","text":"Hello world of texts in lists","font":"body","style":{"flexShrink":1}},{"type":"text","text":"more words more words more words","font":"body","style":{"flexShrink":1,"flexGrow":1}}]}]"#,
      240, 260
    ),
    (
      #""children":[{"type":"spec","style":{"flexBasis":40,"flexShrink":1}},{"type":"text","text":"aa bb","font":"body","style":{"flexShrink":1}}]"#,
      100, 60
    ),
  ])
  func noHeightIsPromisedWhereAChildBeginsToGrow(children: String, width: Double, other: Double) throws {
    let program = try Programs.compile(
      #"{"fonts":{"body":{"face":0,"size":15}},"fallback":[],"cells":{"A":{"layout":{"type":"stack",\#(children)}}}}"#,
      faces: [Programs.face("Inter-Regular.otf")])
    let layout = try JobLayout(program, variants: [Variant(width: width)])
    // This platform does not round up the widths of texts.
    let here = lines(layout, ["{}"], Variant(width: width, platform: .flutter))[0]
    let there = lines(layout, ["{}"], Variant(width: other, platform: .flutter))[0]
    #expect(here.height != there.height && !here.isBad && !there.isBad)
    let margins = here.margins.margins
    let margin = Double((other < width ? margins?.narrower : margins?.wider) ?? .infinity)
    #expect(!here.margins.holdsForWidth || margin <= abs(other - width), "\(here)")
  }

  /// Texts that shrink are as wide as whole pixels when they are stretched, and children of the first generation change by whole points.
  @Test(arguments: [
    (
      #"{"type":"stack","direction":"vertical","children":[{"type":"stack","children":[{"type":"text","text":"of the world line size list of","font":"body","style":{"flexShrink":1}},{"type":"text","text":"text the text world words line row of line","font":"body","style":{"flexShrink":1}},{"type":"node","calculatedSize":[10,50]}]}]}"#,
      2, Platform.texture, 260.25, 260.0
    ),
    (
      #"{"type":"stack","direction":"vertical","alignItems":"stretch","children":[{"type":"stack","children":[{"type":"text","text":"words the Hello size the","font":"body","style":{"flexShrink":true}},{"type":"text","text":"text of the Hello of Hello size text","font":"body","style":{"flexShrink":true}},{"type":"text","text":"world the text row world the","font":"body","style":{"flexShrink":true}}]}]}"#,
      1, .texture, 280, 281
    ),
    // No child grows or shrinks, but their widths are shares of the stack's.
    (
      #"{"type":"stack","children":[{"type":"ratio","ratio":1,"style":{"flexBasis":"50%"},"child":{"type":"networkImage","url":"u"}},{"type":"ratio","ratio":1,"style":{"flexBasis":"50%"},"child":{"type":"networkImage","url":"u"}}]}"#,
      2, .texture, 320, 390
    ),
    // The text is stretched to the image's width, in which it has other lines than in the width of the cell.
    (
      #"{"type":"absolute","sizing":"sizeToFit","children":[{"type":"stack","direction":"vertical","alignItems":"stretch","children":[{"type":"image","imageSize":[31,40]},{"type":"text","text":"I a does not guess everything a does not guess","font":"body"},{"type":"text","text":"I a does not guess everything a does not guess","font":"small"}]}]}"#,
      2, .web, 31.25, 30.24
    ),
  ])
  func noHeightIsPromisedWhereWidthsAreRounded(
    cell: String, generation: Int, platform: Platform, width: Double, other: Double
  ) throws {
    let program = try Programs.compile(
      #"{"generation":\#(generation),"fonts":{"body":{"face":0,"size":15,"lineHeight":20},"small":{"face":0,"size":12,"lineHeight":16}},"fallback":[],"cells":{"A":{"layout":\#(cell)}}}"#,
      faces: [Programs.face("Inter-Regular.otf")])
    let layout = try JobLayout(program, variants: [Variant(width: width)])
    let here = lines(layout, ["{}"], Variant(width: width, scale: 2, platform: platform))[0]
    let there = lines(layout, ["{}"], Variant(width: other, scale: 2, platform: platform))[0]
    #expect(here.height != there.height)
    let margins = here.margins.margins
    let margin = Double((other < width ? margins?.narrower : margins?.wider) ?? .infinity)
    #expect(!here.margins.holdsForWidth || margin < abs(other - width), "\(here)")
  }

  private func lines(
    _ layout: JobLayout, _ rows: [String], _ variant: Variant
  ) -> [(margins: PackedMargins, height: Float, isBad: Bool)] {
    layout.change(to: [variant])
    layout.layOut(rows)
    return layout.withColumns(of: 0) { job in
      rows.indices.map {
        (PackedMargins(bits: job.columns.margins[$0]), job.columns.height[$0], job.columns.errorLength[$0] > 0)
      }
    }
  }
}

/// A generator of cells as lists have them: texts and images in stacks, with all specs around them.
private struct RandomListCells {
  private var random: SplitMix

  init(seed: UInt64) { random = SplitMix(seed: seed) }

  mutating func unit() -> Double { Double(random.below(10_000)) / 10_000 }

  mutating func text() -> String {
    let words = [
      "a", "list", "of", "tables,", "naïve", "prefetches", "سلام", "everything", "I", "does not guess", "مرحبا",
    ]
    return (0...random.below(14)).map { _ in words[random.below(words.count)] }.joined(separator: " ")
  }

  mutating func element(depth: Int) -> String {
    let leaves = [
      #""type":"text","text":"{t}","font":"body""#, #""type":"text","text":"{t}","font":"small""#,
      #""type":"text","text":"{t} and more","font":"small","maximumNumberOfLines":\#(random.below(4))"#,
      #""type":"image","imageSize":[\#(random.below(60)),\#(random.below(60))]"#, #""type":"spec""#,
      #""type":"networkImage","url":"u","style":{"preferredSize":[\#(random.below(90)),20]}"#,
      #""type":"text","text":"12 h","font":"small","maximumNumberOfLines":1"#,
    ]
    if depth == 0 { return styled(leaves[random.below(leaves.count)]) }
    let child = { (self: inout Self) in self.element(depth: depth - 1) }
    switch random.below(24) {
    case 0..<6: return stack("vertical", depth)
    case 6..<14: return stack("horizontal", depth)
    case 14: return styled(#""type":"inset","insets":\#(random.below(20)),"child":\#(child(&self))"#)
    case 15:
      return styled(
        #""type":"inset","insets":{"left":8,"top":3,"right":\#(random.below(9)),"bottom":2},"child":\#(child(&self))"#)
    case 16: return styled(#""type":"background","child":\#(child(&self)),"background":\#(child(&self))"#)
    case 17: return styled(#""type":"overlay","child":\#(child(&self)),"overlay":\#(child(&self))"#)
    case 18: return styled(#""type":"center","child":\#(child(&self))"#)
    case 19: return styled(#""type":"relative","horizontal":"end","sizing":"minimumSize","child":\#(child(&self))"#)
    case 20: return styled(#""type":"wrapper","children":[\#(child(&self)),\#(child(&self))]"#)
    case 21:
      return styled(
        #""type":"corner","child":\#(child(&self)),"corner":\#(child(&self)),"location":"topRight","wrapsCorner":true"#)
    case 22: return styled(#""type":"absolute","sizing":"sizeToFit","children":[\#(child(&self))]"#)
    default: return styled(#""type":"ratio","ratio":0.5,"child":\#(child(&self))"#)
    }
  }

  private mutating func stack(_ direction: String, _ depth: Int) -> String {
    let alignment = ["start", "center", "end", "stretch", "stretch"][random.below(5)]
    let children = (0...random.below(4)).map { _ in element(depth: random.below(depth)) }
    let wrap = random.below(12) == 0 ? #","flexWrap":"wrap""# : ""
    let list = children.joined(separator: ",")
    let gap = random.below(9)
    return styled(
      #""type":"stack","direction":"\#(direction)","spacing":\#(gap),"alignItems":"\#(alignment)"\#(wrap),"children":[\#(list)]"#
    )
  }

  private mutating func styled(_ members: String) -> String {
    if members.contains("style") { return "{\(members)}" }
    var style: [String] = []
    if random.below(3) == 0 { style.append(#""flexGrow":1"#) }
    if random.below(2) == 0 { style.append(#""flexShrink":1"#) }
    if random.below(12) == 0 { style.append(#""width":\#(40 + random.below(200))"#) }
    if random.below(12) == 0 { style.append(#""maxWidth":\#(20 + random.below(200))"#) }
    if random.below(12) == 0 { style.append(#""minWidth":\#(random.below(200))"#) }
    if random.below(16) == 0 { style.append(#""alignSelf":"stretch""#) }
    if random.below(20) == 0 { style.append(#""flexBasis":\#(random.below(100))"#) }
    if random.below(20) == 0 { style.append(#""flexBasis":"\#(random.below(100))%""#) }
    if random.below(10) == 0 { style.append(#""spacingBefore":\#(random.below(9))"#) }
    return style.isEmpty ? "{\(members)}" : "{\(members),\"style\":{\(style.joined(separator: ","))}}"
  }
}
