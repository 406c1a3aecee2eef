import CellTemplates
import GalleyTestSupport
import LayoutEngine
import SeededRandom
import Testing

@testable import BatchLayout

/// Lines beside rectangles (text-rules 57).
@Suite struct ExclusionPathsTests {
  private func inspect(_ properties: String, _ text: String, _ width: Double, platform: Platform = .texture) throws
    -> CellInspection
  {
    try JobLayout.ofRowLayouts(Variant(width: width, platform: platform)).inspect(
      Programs.row(#"{"w":60,"layout":{"type":"text","text":"\#(text)"\#(properties)}}"#))
  }

  private let words = Array(repeating: "seven", count: 30).joined(separator: " ")

  @Test func linesBesideARectangleAreShorterAndBeginBehindIt() throws {
    let cell = try inspect(
      #","exclusionPaths":[{"side":"left","width":"{w}","height":30},{"side":"right","y":50,"width":80,"height":1}]"#,
      words,
      200)
    let lines = cell.nodes[0].lines
    #expect(lines.map(\.origin.x).prefix(4) == [60, 60, 0, 0])
    let ends = lines.map { $0.origin.x + $0.drawing.width }
    #expect(ends[2] <= 120 && ends[3] > 120 && ends.allSatisfy { $0 <= 200 })
  }

  /// Chromium: with a float of 60.5 px at the left, the tab ends 135.02 px from the left edge of the block, and at 67.52 without it.
  @Test(arguments: [("left", 135.02 - 60.5), ("right", 67.52)])
  func tabStopsAreThoseOfTheWholeText(side: String, end: Double) throws {
    let cell = try inspect(
      #","exclusionPaths":[{"side":"\#(side)","width":60.5,"height":60}]"#, "ab a b\\tx", 240)
    let line = cell.nodes[0].lines[0]
    let letter = try inspect("", "x", 240).nodes[0].lines[0].drawing.width
    #expect(abs(line.drawing.width - letter - end) < 0.1, "\(line.drawing.width)")
  }

  @Test func lettersThatFitBesideNoRectangleAreBelowIt() throws {
    let cell = try inspect(
      #","overflowWrap":"normal","exclusionPaths":[{"side":"right","y":5,"width":180,"height":40}]"#, "seven seven", 200
    )
    let lines = cell.nodes[0].lines
    #expect(lines.count == 1 && lines[0].origin.x == 0)
    #expect(cell.nodes[0].frame.size.height == 65)
    #expect(lines[0].drawing.baseline > 45)
  }

  /// A rectangle as high as the text is a narrower box, at either side and in both directions.
  @Test func aRectangleBesideAllLinesIsANarrowerBox() throws {
    var random = SplitMix(seed: 57)
    for _ in 0..<200 {
      let text = (0..<1 + random.below(20)).map { _ in
        ["a", "seven", "שלום", "wonderful", "a\\u00adb"][random.below(5)]
      }
      .joined(separator: " ")
      let (side, width, room) = (["left", "right"][random.below(2)], random.below(90), 60 + random.below(200))
      let beside = try inspect(
        #","exclusionPaths":[{"side":"\#(side)","width":\#(width),"height":9000}]"#, text, Double(room + width))
      let alone = try inspect("", text, Double(room))
      #expect(
        beside.nodes[0].lines.map(\.text) == alone.nodes[0].lines.map(\.text), "\(text) \(side) \(width) in \(room)")
      #expect(beside.nodes[0].frame.size.height == alone.nodes[0].frame.size.height)
    }
  }

  @Test(arguments: [
    (#"{"width":1}"#, "layout.exclusionPaths[0]: has no side"),
    (#"{"side":"left","height":1}"#, "layout.exclusionPaths[0]: has no width; write it in points"),
    (#"{"side":"top","width":1,"height":1}"#, "layout.exclusionPaths[0].side: is \"top\""),
    (#"{"side":"left","width":-1,"height":1}"#, "layout.exclusionPaths[0].width: is -1.0, but must not be negative"),
    (#"{"side":"left","with":1,"height":1}"#, "is not a property of a rectangle (did you mean \"width\"?)"),
    ("7", "but must be a rectangle"),
  ])
  func aRectangleThatIsWrongIsAnErrorOfItsRow(path: String, message: String) throws {
    let cell = try inspect(#","exclusionPaths":[\#(path)]"#, "a", 100)
    #expect(cell.error?.description.contains(message) == true, "\(String(describing: cell.error))")
  }

  @Test func platformsThatShapeWholeTextsRefuseRectangles() throws {
    let cell = try inspect(
      #","exclusionPaths":[{"side":"left","width":9,"height":9}]"#, "a", 100, platform: .android)
    #expect(cell.error?.description.contains("exclusionPaths, which android does not lay out") == true)
  }

  @Test(arguments: [1, 9])
  func textsOfCellsInSwiftHaveRectanglesToo(count: Int) throws {
    struct Note: CellNode {
      let count: Int
      func layoutSpecThatFits(_ constrainedSize: SizeRange) -> any LayoutElement {
        let text = TextNode("note", "seven seven seven seven", font: "body")
        text.exclusionPaths = Array(
          repeating: ExclusionPath(side: .left, y: 5, width: 60, height: 40), count: count)
        return InsetLayoutSpec(insets: EdgeInsets(0)) { text }
      }
    }
    var cells = CellRegistry()
    cells.register("Note") { _ in Note(count: count) }
    let program = try Programs.compile(
      #"{"fonts":{"body":{"face":0,"size":15,"lineHeight":20}},"cells":{}}"#,
      faces: [Programs.face("NotoSans-Regular.ttf")])
    let layout = try JobLayout(program, cells: cells, variants: [Variant(width: 140)])
    let found = layout.inspect(Programs.row(#"{"cell":"Note"}"#))
    guard count == 1 else {
      let error = try #require(found.error?.description)
      #expect(error.contains("exclusionPaths: has 9 rectangles, but a text has at most 8"), "\(error)")
      return
    }
    let stated = layout.inspect(
      Programs.row(
        #"{"layout":{"type":"text","text":"seven seven seven seven","font":"body","exclusionPaths":[{"side":"left","y":5,"width":60,"height":40}]}}"#
      ))
    #expect(found.size == stated.size && found.nodes[0].lines.map(\.text) == stated.nodes[0].lines.map(\.text))
    #expect(found.nodes[0].lines.count == 4)
  }
}
