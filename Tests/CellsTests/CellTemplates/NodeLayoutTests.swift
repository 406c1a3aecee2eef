import GalleyTestSupport
import LayoutEngine
import Testing

@testable import CellTemplates

/// Tests of nodes whose own layout reads `constrainedSize`.
@Suite struct NodeLayoutTests {
  @Test func constrainedSizeInsideANodeIsThatOfTheNode() throws {
    let row = """
      {"layout": {"type": "stack", "children": [
        {"type": "image", "id": "avatar", "imageSize": [40, 40]},
        {"type": "node", "id": "body", "style": {"flexGrow": 1, "flexShrink": 1}, "layout": {"type": "stack",
          "direction": "vertical", "children": [
            {"type": "node", "id": "half", "calculatedSize": ["{constrainedSize.max.width}", 10]},
            {"type": "inset", "insets": 5, "child": {"type": "node", "id": "inner", "layout":
              {"type": "image", "id": "deep", "imageSize": ["{constrainedSize.max.width}", 7]}}}]}}]}}
      """
    let frames = try layOut(row, width: 140)
    #expect(frames["body"] == Rect(40, 0, 100, 40))
    #expect(frames["half"] == Rect(40, 0, 100, 10))
    #expect(frames["inner"] == Rect(45, 15, 90, 7))
    #expect(frames["deep"] == Rect(45, 15, 90, 7))
  }

  @Test func eachItemOfAForEachHasItsOwnConstrainedSize() throws {
    let row = """
      {"widths": [30, 50], "layout": {"type": "stack", "direction": "vertical", "alignItems": "start", "children": [
        {"type": "node", "id": "box", "forEach": "widths", "as": "width", "style": {"width": "{width}"}, "layout":
          {"type": "image", "id": "image", "imageSize": ["{constrainedSize.max.width}", "{width}"]}}]}}
      """
    let frames = try layOut(row, width: 140)
    #expect(frames["image.0"] == Rect(0, 0, 30, 30))
    #expect(frames["image.1"] == Rect(0, 30, 50, 50))
  }

  /// The overlay is measured in a size without height as long as the child has no layout.
  @Test func aLayoutThatIsBadInAPreliminaryRangeCostsNothing() throws {
    let row = """
      {"layout": {"type": "overlay",
        "child": {"type": "node", "id": "child", "layout": {"type": "stack", "direction": "vertical", "children": [
          {"type": "node", "id": "half", "style": {"width": "{constrainedSize.max.width / 2}", "height": 100}}]}},
        "overlay": {"type": "node", "id": "over", "layout": {"type": "stack", "direction": "vertical", "children": [
          {"type": "node", "id": "inner", "style": {"height": "{constrainedSize.max.height - 10}", "width": 20}}]}}}}
      """
    let frames = try layOut(row, width: 300)
    #expect(frames["half"] == Rect(0, 0, 150, 100))
    #expect(frames["inner"] == Rect(0, 0, 20, 90))
  }

  /// The room that grows is infinite, and its share is NaN: such a range was requested again until the limit of layouts.
  @Test func aRangeWithNaNFailsAtOnce() throws {
    let row = """
      {"layout": {"type": "stack", "direction": "vertical", "style": {"height": "50%"}, "children": [
        {"type": "overlay", "child": {"type": "node"}, "overlay": {"type": "node"}, "style": {"flexGrow": 71}},
        {"type": "node", "layout": {"type": "inset", "child": {"type": "node"},
          "style": {"flexGrow": "{min(constrainedSize.max.width, 60) / 2}"}}}]}}
      """
    #expect(throws: LayoutFailure.self) { try layOut(row, width: 320) }
  }

  @Test func anAbsentNodeLayoutIsEmpty() throws {
    let row = """
      {"layout": {"type": "node", "id": "box", "layout":
          {"type": "image", "when": {"field": "no"}, "imageSize": ["{constrainedSize.max.width}", 7]}}}
      """
    #expect(try layOut(row, width: 140)["box"] == Rect(0, 0, 140, 0))
  }

  private func layOut(_ row: String, width: Double) throws -> [String: Rect] {
    let binder = RowBinder(try Programs.compile("{}"))
    try binder.read(Programs.row(row))
    let range = SizeRange(width: width)
    try binder.bind(range)
    return try binder.frames(in: range)
  }
}
