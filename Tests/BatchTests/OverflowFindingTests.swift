import CellTemplates
import GalleyTestSupport
import LayoutEngine
import Testing

@testable import BatchLayout

@Suite struct OverflowFindingTests {
  private func findings(_ layout: String, width: Double = 100) throws -> [OverflowFinding] {
    try CellInspectionTests.inspect(layout, width: width).overflow
  }

  private func node(_ id: String, _ width: Int, _ height: Int, _ style: String = "") -> String {
    #"{"type":"node","id":"\#(id)","style":{"width":\#(width),"height":\#(height)\#(style.isEmpty ? "" : ",")\#(style)}}"#
  }

  private func row(_ children: String..., options: String = "") -> String {
    #"{"type":"stack","direction":"horizontal"\#(options),"children":[\#(children.joined(separator: ","))]}"#
  }

  @Test func theFindingOfARigidStackNamesTheChildThatShouldShrink() throws {
    let found = try findings(row(node("a", 40, 10), node("b", 90, 10), options: #","spacing":7"#))
    #expect(found.count == 1)
    #expect(found[0].kind == .stack && found[0].path == ["layout"])
    #expect(
      found[0].message == #"children are 37 pt longer than the stack and none may shrink: give "b" flexShrink: 1"#)
    #expect(
      found[0].messageWithoutPoints
        == #"children are longer than the stack and none may shrink: give "b" flexShrink: 1"#)
    #expect(found[0].area == Rect(100, 0, 37, 10))
  }

  @Test func theFindingNamesATextRatherThanALongerImage() throws {
    let found = try findings(
      row(node("image", 90, 10), #"{"type":"text","id":"t","text":"Hello, world","font":"body"}"#))
    #expect(found.map(\.kind) == [.stack])
    #expect(found[0].message.hasSuffix(#"give "t" flexShrink: 1"#))
  }

  @Test func anElementWithoutAnIDIsNamedByItsPath() throws {
    let found = try findings(
      row(#"{"type":"inset","insets":3,"child":\#(node("a", 120, 10))}"#))
    #expect(found[0].message.hasSuffix("give children[0] (inset) flexShrink: 1"))
  }

  @Test func spacingBeforeAndAfterCountAsLength() throws {
    let found = try findings(row(node("a", 100, 10, #""spacingBefore":4,"spacingAfter":5"#)))
    #expect(found.map(\.points) == [9])
  }

  @Test func aVerticalStackCanOverflowInItsHeight() throws {
    let found = try findings(
      #"""
      {"type":"stack","direction":"vertical","style":{"height":50},"children":[\#(node("a", 10, 30)),\#(node("b", 10, 45))]}
      """#)
    #expect(found.map(\.points) == [25])
    #expect(found[0].area == Rect(0, 50, 100, 25))
  }

  @Test func childrenThatShrinkOrFitAreNotReported() throws {
    #expect(try findings(row(node("a", 40, 10), node("b", 60, 10))).isEmpty)
    #expect(try findings(row(node("a", 40, 10), node("b", 90, 10, #""flexShrink":1"#))).isEmpty)
    // Thirds are rounded up to pixels.
    let third = node("c", 77, 10, #""flexShrink":1"#)
    #expect(try findings(row(third, third, third)).isEmpty)
  }

  @Test func childrenThatCannotShrinkEnoughAreNamed() throws {
    let found = try findings(row(node("a", 40, 10, #""flexShrink":1"#), node("b", 130, 10)))
    #expect(
      found.map(\.message) == [
        #"children are 30 pt longer than the stack and "a" cannot shrink by as much: give "b" flexShrink: 1"#
      ])
  }

  @Test func aWrappingStackOverflowsOnlyByItsLongestChild() throws {
    let wraps = #","flexWrap":"wrap""#
    #expect(try findings(row(node("a", 60, 10), node("b", 60, 10), options: wraps)).isEmpty)
    #expect(try findings(row(node("a", 60, 10), node("b", 108, 10), options: wraps)).map(\.points) == [8])
  }

  @Test func aBadgeOutsideItsChildIsNotReported() throws {
    let corner = #"""
      {"type":"inset","insets":20,"child":{"type":"stack","alignItems":"start","children":[
        {"type":"corner","location":"topLeft","child":\#(node("a", 40, 40)),"corner":\#(node("badge", 16, 16))}]}}
      """#
    #expect(try findings(corner).isEmpty)
  }

  @Test func aNodeOutsideItsCellIsReportedWithItsSide() throws {
    let absolute = #"""
      {"type":"absolute","sizing":"sizeToFit","children":[
        \#(node("a", 40, 40)),\#(node("b", 10, 10, #""layoutPosition":[-6,5]"#)),\#(node("c", 10, 10, #""layoutPosition":[0,-0.2]"#))]}
      """#
    let found = try findings(absolute)
    #expect(found.map(\.kind) == [.outsideCell])
    #expect(found[0].path == ["layout", "children", "1"])
    #expect(found[0].message == "is 6 pt outside the cell at its left")
  }

  @Test func nodesOutsideBecauseOfTheirStackAreNotReportedAgain() throws {
    let found = try findings(row(node("a", 40, 10), node("b", 90, 10, #""layoutPosition":[0,0]"#)))
    #expect(found.map(\.kind) == [.stack])
  }

  @Test func nodesInsideANodeOutsideTheCellAreNotReportedAgain() throws {
    let inner = #"{"type":"node","id":"outer","style":{"layoutPosition":[-9,0]},"layout":\#(node("inner", 40, 10))}"#
    let found = try findings(#"{"type":"absolute","sizing":"sizeToFit","children":[\#(inner)]}"#)
    #expect(found.map(\.path) == [["layout", "children", "0"]])
  }

  @Test func theFindingOfACutTextNamesTheMissingHeight() throws {
    let text = { (more: String, height: Int) in
      #"{"type":"text","id":"t","text":"one two three four","font":"body"\#(more),"style":{"height":\#(height)}}"#
    }
    let found = try findings(text("", 30), width: 50)
    #expect(found.map(\.kind) == [.text])
    #expect(found[0].points == 50)
    #expect(found[0].message.hasPrefix("its lines need 50 pt more height than its frame has and are cut"))
    // The first line is kept whatever its height.
    #expect(try findings(text("", 5), width: 300).map(\.points) == [15])
    #expect(try findings(text(#","maximumNumberOfLines":1"#, 20), width: 50).isEmpty)
    #expect(try findings(text(#","maximumNumberOfLines":2"#, 30), width: 50).map(\.points) == [10])
    #expect(try findings(text("", 80), width: 50).isEmpty)
  }

  @Test func anExaminationHasPathsAndFindings() throws {
    let layout = try CellInspectionTests.layout([Variant(width: 100)])
    let row = row(node("a", 140, 10))
    let seen = try layout.examine(Programs.row(#"{"layout":\#(row)}"#), variant: 0)
    #expect(seen.paths == [["layout"], ["layout", "children", "0"]])
    #expect(seen.overflow.map(\.points) == [40])
    #expect(seen.error == nil)
  }
}
