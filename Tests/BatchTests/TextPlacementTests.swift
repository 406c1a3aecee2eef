import GalleyTestSupport
import LayoutEngine
import SeededRandom
import Testing

@testable import BatchLayout

/// Insets, alignments and truncation messages of texts.
@Suite struct TextPlacementTests {
  private func inspect(_ element: String, _ width: Double) throws -> CellInspection {
    try JobLayout.ofRowLayouts(Variant(width: width)).inspect(Programs.row(#"{"layout":\#(element)}"#))
  }

  /// A text with insets has the frame and the lines of one without them inside an inset.
  @Test func insetsOfATextAreThoseOfAnInsetAroundIt() throws {
    var random = SplitMix(seed: 8)
    for _ in 0..<200 {
      let words = (0..<random.below(14)).map { _ in ["a", "seven", "שלום", "wonderful"][random.below(4)] }
      let text = #""text":"\#(words.joined(separator: " "))","maximumNumberOfLines":\#(random.below(4))"#
      let insets = "[\(random.below(9)),\(random.below(30)),\(random.below(9)),\(random.below(30))]"
      let width = Double(40 + random.below(260))
      let own = try inspect(#"{"type":"text",\#(text),"textContainerInset":\#(insets)}"#, width)
      let around = try inspect(
        #"{"type":"node","layout":{"type":"inset","insets":\#(insets),"child":{"type":"text",\#(text)}}}"#, width)
      // The width of an inset is that of its child; both are in a cell of exactly this width.
      #expect(own.size == around.size, "\(text) \(insets) in \(width)")
      let (lines, inner) = (own.nodes[0].lines, around.nodes[1].lines)
      #expect(lines.map(\.text) == inner.map(\.text) && own.nodes[0].isTruncated == around.nodes[1].isTruncated)
      #expect(lines.map(\.origin) == inner.map(\.origin), "\(text) \(insets) in \(width)")
    }
  }

  @Test func theLinesOfATextAreAtTheSideThatItsAlignmentNames() throws {
    func x(_ alignment: String) throws -> [Double] {
      let cell = try inspect(
        #"""
        {"type":"text","text":"seven\nשלום","alignment":"\#(alignment)","textContainerInset":[0,10,0,20],
          "style":{"width":230}}
        """#.replacing("\n", with: ""), 230)
      return cell.nodes[0].lines.map(\.origin.x)
    }
    let (start, center, end) = (try x("start"), try x("center"), try x("end"))
    #expect(start[0] == 10 && end[1] == 10)
    // The free width is the same on both sides of a line in the middle.
    #expect(center[0] == (start[0] + end[0]) / 2 && center[1] == (start[1] + end[1]) / 2)
    #expect(end[0] > 150 && start[1] > 150)
  }

  /// CSS: `direction`. A full stop is at the end of its paragraph: at the left in one from right to left.
  @Test(arguments: [("auto", 0.0, true), ("ltr", 0.0, true), ("rtl", 1.0, false)])
  func theBaseDirectionIsThatOfParagraphs(direction: String, side: Double, isAfter: Bool) throws {
    let cell = try inspect(
      #"{"type":"text","text":"seven.","baseDirection":"\#(direction)","style":{"width":200}}"#, 200)
    let line = cell.nodes[0].lines[0]
    #expect(abs(line.origin.x - side * (200 - line.drawing.width)) < 0.1)
    let xs = line.drawing.glyphs.map(\.x)
    #expect(xs.count == 6 && xs == xs.sorted())
    // The last glyph, or else the first one, is the full stop, which is the narrowest.
    #expect((xs[1] - xs[0] < 6) == !isAfter)
  }

  @Test(arguments: [
    ("", "…"), (#","additionalTruncationMessage":"more""#, "more"),
    (#","truncation":"…","additionalTruncationMessage":"{m}""#, "… more"),
    (#","truncation":"{t}","additionalTruncationMessage":"more""#, "~ more"),
    (#","additionalTruncationMessage":{"if":"m","then":"all of it"}"#, "all of it"),
  ])
  func aTruncationMessageFollowsAStatedTruncation(properties: String, end: String) throws {
    let text = Array(repeating: "seven", count: 30).joined(separator: " ")
    let cell = try JobLayout.ofRowLayouts(Variant(width: 200)).inspect(
      Programs.row(
        #"{"m":"more","t":"~","layout":{"type":"text","text":"\#(text)","maximumNumberOfLines":2\#(properties)}}"#))
    let last = try #require(cell.nodes[0].lines.last)
    #expect(last.drawing.runs.map(\.text).joined().hasSuffix(end), "\(last.drawing.runs)")
    #expect(last.drawing.width <= 200 && last.drawing.width > 140)
  }

  @Test func infiniteInsetsAreAnError() throws {
    let cell = try inspect(#"{"type":"text","text":"a","textContainerInset":{"left":"inf"}}"#, 100)
    #expect(cell.error?.description.contains("layout.textContainerInset: is infinite here") == true)
  }
}
