import LayoutEngine
import Testing

/// The errors of cells written in Swift.
@Suite struct SpecErrorTests {
  let layout = CellLayout(scale: 2)

  @Test func anErrorIsPrintedAsItsPathAndMessage() {
    let error: any Error = SpecError("is not valid", path: ["layout", "children", "2"])
    #expect("\(error)" == "layout.children[2]: is not valid")
  }

  @Test func aNodeUsedTwiceIsAnError() {
    let name = TextNode("name", "Ada", font: "")
    let spec = StackLayoutSpec(.vertical) {
      name
      InsetLayoutSpec(insets: EdgeInsets(4)) { name }
    }
    #expect(
      throws: SpecError(
        "the text \"name\" is used twice in one layout; it already stands at layout.children[0]",
        path: ["layout", "children", "1", "child"])
    ) { try layout.layout(spec, thatFits: SizeRange(width: 100)) }
  }

  private struct SpecOfOnesOwn: LayoutSpec {
    var style = LayoutElementStyle()
    let children: [any LayoutElement]
    let element: Element
  }

  @Test(
    arguments: [
      (.inset(EdgeInsets(3)), "inset", 1), (.center(x: true, y: true, sizing: .default), "relative", 1),
      (.ratio(1), "ratio", 1), (.overlay, "overlay", 2), (.background, "background", 2),
      (.corner(.topLeft, offset: .zero, wrapsCorner: false), "corner", 2),
    ] as [(Element, String, Int)])
  func aSpecWithMoreChildrenThanItsElementTakesIsAnError(_ element: Element, kind: String, limit: Int) throws {
    func spec(_ count: Int) -> StackLayoutSpec {
      let children = (0..<count).map { ImageNode("\($0)", imageSize: Size(10, 10)) }
      return StackLayoutSpec { SpecOfOnesOwn(children: children, element: element) }
    }
    _ = try layout.layout(spec(limit), thatFits: SizeRange(width: 100))
    #expect(layout.frames.count == limit)
    let count = "SpecOfOnesOwn has \(limit + 1) children"
    let reason = "but its element (\(kind)) takes at most \(limit); put them into a StackLayoutSpec"
    #expect(throws: SpecError("\(count), \(reason)", path: ["layout", "children", "0"])) {
      try layout.layout(spec(limit + 1), thatFits: SizeRange(width: 100))
    }
  }

  @Test func aSpecWithTheElementOfANodeIsAnError() {
    for element in [Element.node(specsFor: 3, count: 3), .scroll(.both), .text] {
      let error = #expect(throws: SpecError.self) {
        try layout.layout(SpecOfOnesOwn(children: [Spacer()], element: element), thatFits: SizeRange(width: 100))
      }
      #expect(error?.message.hasPrefix("SpecOfOnesOwn is a LayoutSpec with the element of a node") == true)
    }
  }

  @Test func aSizeThatIsNotFiniteIsAnErrorWithItsPath() {
    final class Endless: DisplayNode {
      override func calculateSizeThatFits(_ constrainedSize: Size) -> Size? { Size(10, .infinity) }
    }
    let spec = StackLayoutSpec(.vertical) { InsetLayoutSpec(insets: EdgeInsets(1)) { Endless() } }
    let error = #expect(throws: SpecError.self) { try layout.layout(spec, thatFits: SizeRange(width: 100)) }
    #expect(error?.path == ["layout", "children", "0", "child"])
  }

  @Test func aPositionThatIsNotFiniteOrTooLargeIsAnErrorWithItsPath() {
    for x in [Double.nan, .infinity, 2e9] {
      let spec = CornerLayoutSpec(
        child: ImageNode("a", imageSize: Size(40, 40)), corner: ImageNode("b", imageSize: Size(20, 20)),
        location: .topLeft, offset: Point(x, 10))
      let error = #expect(throws: SpecError.self) { try layout.layout(spec, thatFits: SizeRange(width: 100)) }
      #expect(error?.message.hasPrefix("image \"b\" is 100.0 x 20.0 points at (") == true)
      #expect(error?.message.hasSuffix(", 0.0); the limit is 1000000000 points") == true)
      #expect(error?.path == ["layout", "corner"])
    }
  }

  @Test func aScaleThatIsNotValidIsAnErrorOfEachLayout() {
    for scale in [0, -1, Double.nan, .infinity, 1e300] {
      let message = "the scale of CellLayout is \(scale); it must be greater than 0 and at most 100"
      #expect(throws: SpecError(message)) {
        try CellLayout(scale: scale).layout(Spacer(), thatFits: SizeRange(width: 100))
      }
    }
  }

  @Test func layoutsTooDeepOrTooLargeAreErrors() {
    var deep: any LayoutElement = Spacer()
    for _ in 0..<10_000 {
      let inner = deep
      deep = WrapperLayoutSpec { inner }
    }
    let message = #expect(throws: SpecError.self) { try layout.layout(deep, thatFits: SizeRange(width: 100)) }?.message
    #expect(message == "is nested more than 1000 levels deep")
    let large = StackLayoutSpec { for _ in 0..<100_001 { Spacer() } }
    let other = #expect(throws: SpecError.self) { try layout.layout(large, thatFits: SizeRange(width: 100)) }?.message
    #expect(other == "has more than 100000 elements")
  }
}
