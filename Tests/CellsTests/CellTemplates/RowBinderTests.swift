import Buffers
import GalleyTestSupport
import LayoutEngine
import Testing

@testable import CellTemplates

@Suite struct RowBinderTests {
  private func frames(_ layout: String, _ row: String = "{}", width: Double = 100) throws -> [String: Rect] {
    let binder = RowBinder(try Programs.compile(#"{"cells":{"A":{"layout":\#(layout)}}}"#))
    try binder.read(Programs.row(row))
    let range = binder.constrainedSize(SizeRange(width: width))
    try binder.bind(range)
    return try binder.frames(in: range)
  }

  private func error(_ layout: String, _ row: String = "{}") -> String {
    errorText { _ = try frames(layout, row) }
  }

  private let stack = #"{"type":"stack","direction":"vertical","alignItems":"start","children":[\#("")"#

  /// Layout-semantics 3: the sizes of its style count for an empty spec, too.
  @Test(arguments: ["relative", "center", "corner"])
  func aSpecWithoutItsChildHasTheSizesOfItsStyle(type: String) throws {
    let corner = type == "corner" ? #","corner":{"type":"node"}"# : ""
    let spec =
      #"{"type":"\#(type)","style":{"minWidth":9,"minHeight":8},"child":{"type":"node","when":"x"}\#(corner)}"#
    let found = try frames(stack + spec + #",{"type":"node","id":"next","calculatedSize":[1,2]}]}"#)
    #expect(found["next"] == Rect(0, 8, 1, 2))
  }

  @Test(arguments: ["{}", #"{"r":null}"#])
  func aRatioWithoutAValueIsAnErrorOfTheRow(row: String) {
    for ratio in [#""{r?}""#, #"{"if":"r","then":2}"#] {
      let found = error(#"{"type":"ratio","ratio":\#(ratio),"child":{"type":"node"}}"#, row)
      #expect(found == "layout.ratio: needs a value in each row", "\(ratio)")
    }
  }

  @Test(arguments: [
    (#""imageSize":[16,16],"font":"nope""#, "layout.font"),
    (#""imageSize":[16,16],"truncation":[1]"#, "layout.truncation"),
    (#""imageSize":[16,16],"maximumNumberOfLines":"many""#, "layout.maximumNumberOfLines"),
    (#""imageAlignment":"banana""#, "layout.imageAlignment"),
  ])
  func propertiesOfAbsentPartsOfAButtonAreChecked(properties: String, place: String) {
    let found = error(#"{"type":"button","id":"b",\#(properties)}"#)
    #expect(found.contains(place), "\(found)")
  }

  @Test func aWholeBindingKeepsTheTypeOfTheField() throws {
    let found = try frames(
      #"{"type":"image","id":"i","imageSize":"{photo.size}","style":{"maxWidth":"{limit}"}}"#,
      #"{"photo":{"size":[30,40]},"limit":"20%"}"#)
    #expect(found["i"] == Rect(0, 0, 100, 40))
  }

  @Test func eachBoundPartOfAValueIsRead() throws {
    let found = try frames(
      stack + #"{"type":"node","id":"n","style":{"preferredSize":["{w}",10],"spacingBefore":"{s?}"}}]}"#, #"{"w":12}"#)
    #expect(found["n"] == Rect(0, 0, 12, 10))
  }

  @Test func bindingsInsideAStringAreInterpolated() throws {
    let found = try frames(
      stack + #"{"type":"node","id":"n","style":{"width":"{w}%","height":1}}]}"#,
      #"{"w":50,"constrainedSize":{"min":[80,0],"max":[80,50]}}"#)
    #expect(found["n"] == Rect(0, 0, 40, 1))
  }

  @Test func aRangeHasNoOtherMembers() {
    let error = #expect(throws: CellError.self) {
      try frames(stack + "]}", #"{"constrainedSize":{"min":[80,0],"maximum":[80,50]}}"#)
    }
    #expect(error?.description == "constrainedSize.maximum: is not a part of a range, which has min and max")
  }

  @Test func constrainedSizeCanBeUsedInABinding() throws {
    let found = try frames(
      stack + #"{"type":"node","id":"n","style":{"width":"{constrainedSize.max.width}","height":5}}]}"#, width: 70)
    #expect(found["n"] == Rect(0, 0, 70, 5))
  }

  @Test func forEachRepeatsAnElementWithTheItemsAndTheirNumbers() throws {
    let found = try frames(
      stack + #"""
        {"type":"stack","forEach":"groups","as":"group","children":[
          {"type":"node","id":"n","forEach":"group.sizes","as":"size","limit":2,"style":{"preferredSize":"{size}"}}]}]}
        """#,
      #"{"groups":[{"sizes":[[1,2],[3,4],[5,6]]},{"sizes":[[7,8]]}]}"#)
    #expect(found.keys.sorted() == ["n.0.0", "n.0.1", "n.1.0"])
    #expect(found["n.1.0"]?.size == Size(7, 8))
  }

  @Test(arguments: [
    (#""f""#, #"{"f":"x"}"#, true), (#""f""#, #"{"f":""}"#, false), (#""f""#, #"{"f":[]}"#, false),
    (#""f""#, #"{"f":null}"#, false), (#""f""#, #"{"f":false}"#, false), (#""f""#, #"{"f":0}"#, true),
    (#""f""#, #"{}"#, false), (#"{"field":"f","equals":"a"}"#, #"{"f":"a"}"#, true),
    (#"{"field":"f","equals":2}"#, #"{"f":2.0}"#, true), (#"{"field":"f","equals":2}"#, #"{}"#, false),
    (#"{"field":"f","atLeast":2}"#, #"{"f":2}"#, true), (#"{"field":"f","below":2}"#, #"{"f":2}"#, false),
    (#"{"field":"f","atLeast":1,"below":3}"#, #"{"f":2}"#, true),
    (#"{"field":"f","atLeast":1,"below":3}"#, #"{"f":3}"#, false),
    (#"{"not":"f"}"#, #"{}"#, true), (#"{"all":["f","g"]}"#, #"{"f":1}"#, false),
    (#"{"all":["f",{"not":"g"}]}"#, #"{"f":1}"#, true), (#"{"any":["f","g"]}"#, #"{"g":1}"#, true),
    (#"{"any":[]}"#, #"{}"#, false), (#"{"all":[]}"#, #"{}"#, true),
  ])
  func anElementIsPresentIfItsConditionHolds(when: String, row: String, holds: Bool) throws {
    let found = try frames(
      stack + #"{"type":"node","id":"n","when":\#(when),"style":{"preferredSize":[1,1]}}]}"#, row)
    #expect((found["n"] != nil) == holds)
  }

  @Test func aSpecWhoseChildIsAbsentIsEmpty() throws {
    #expect(
      try frames(#"{"type":"inset","insets":5,"child":{"type":"node","id":"n","when":"f"}}"#) == [:])
    let found = try frames(
      #"{"type":"background","child":{"type":"image","id":"i","imageSize":[5,6]},"background":{"type":"node","id":"b","when":"f"}}"#
    )
    #expect(found == ["i": Rect(0, 0, 100, 6)])
  }

  @Test func aNodeWithoutAnIDIsNamedByTypeAndIndex() throws {
    let found = try frames(
      stack + #"{"type":"node","id":"a","style":{"height":1}},{"type":"image","imageSize":[2,2]}]}"#)
    #expect(found.keys.sorted() == ["a", "image#1"])
  }

  @Test(arguments: [
    (#"{"type":"stak"}"#, #"layout.type: "stak" is not an element type (did you mean "stack"?)"#),
    (#"{"type":"stack","childs":[]}"#, #"layout.childs: is not a property of stack (did you mean "children"?)"#),
    (#"{"type":"stack","width":3}"#, #"layout.width: belongs in the style: style: {width: …}"#),
    (#"{"type":"inset"}"#, "layout: needs a child"),
    (#"{"type":"node","style":{"widht":3}}"#, #"layout.style.widht: is not a style property (did you mean "width"?)"#),
    (
      #"{"type":"node","style":{"width":-3}}"#,
      "layout.style.width: is -3.0, but a dimension is from 0 to less than 10000000 points"
    ),
    (
      #"{"type":"node","style":{"width":"0x10%"}}"#,
      #"layout.style.width: is "0x10%", but a dimension is a number of points, "0%" to "100%", "min(240, 80%)", "max(240, 80%)" or "auto""#
    ),
    (
      #"{"type":"stack","children":[{"type":"spec"},{"type":"node","when":{"field":"a","equal":1}}]}"#,
      #"layout.children[1].when: "equal" is not a test (did you mean "equals"?); there are equals, atLeast and below"#
    ),
    (#"{"type":"node","style":{"width":"{a"}}"#, "layout.style.width: has a { without a }; write {{ for a brace"),
    (#"{"type":"text","text":"x"}"#, "layout.text: needs a font, but the cells file has none; add one under fonts:"),
  ])
  func aMistakeInALayoutIsReportedWithItsPath(layout: String, message: String) {
    #expect(error(layout) == "cells.A.\(message)")
  }

  @Test(arguments: [
    (
      #"{"type":"image","imageSize":"{s}"}"#, "{}",
      #"layout.imageSize: field "s" is missing; write {s?} where it may be"#
    ),
    (
      #"{"type":"image","imageSize":"{s}"}"#, #"{"s":[1]}"#,
      "layout.imageSize: has 1 values, but must be a size [width, height]"
    ),
    (
      #"{"type":"stack","children":[{"type":"spec","forEach":"f"}]}"#, #"{"f":3}"#,
      "layout.children[0].forEach: is a number, but must be an array"
    ),
    (#"{"type":"spec"}"#, #"{"cell":"B"}"#, #"cell "B" is not in the cells file; there is A"#),
    (#"{"type":"spec"}"#, "[]", "is an array, but a row is an object"),
    (#"{"type":"spec"}"#, #"{"id":{}}"#, "id: is an object, but must be a string or an integer"),
    (
      #"{"type":"spec"}"#, #"{"id":17.0}"#,
      #"id: is the number 17.0, but must be a string or an integer; write 17 or "17""#
    ),
    (
      #"{"type":"spec"}"#, #"{"id":1.5}"#,
      "id: is the number 1.5, but must be a string or an integer; write it in quotes"
    ),
    (
      #"{"type":"spec"}"#, #"{"id":1e300}"#,
      "id: is the number 1e+300, but must be a string or an integer; write it in quotes"
    ),
    (
      #"{"type":"ratio","ratio":"{r}","child":{"type":"node"}}"#, #"{"r":null}"#,
      "layout.ratio: is null, but must be a number (height over width) or a size [width, height]"
    ),
  ])
  func aBadRowHasAnErrorWithTheReason(layout: String, row: String, message: String) {
    #expect(error(layout, row) == message)
  }

  @Test(arguments: [
    (1000, "X", "; there are Class1, Class2, Class3, Class4, Class5 and 995 more"),
    (5, "X", "; there are Class1, Class2, Class3, Class4, Class5"), (1000, "Clas7", #" (did you mean "Class7"?)"#),
  ])
  func anUnknownClassIsComparedWithSomeOfTheOthers(classes: Int, name: String, remedy: String) throws {
    let cells = (1...classes).map { #""Class\#($0)":{"layout":{"type":"spec"}}"# }.joined(separator: ",")
    let binder = RowBinder(try Programs.compile(#"{"cells":{\#(cells)}}"#))
    let found = errorText { try binder.read(Programs.row(#"{"cell":"\#(name)"}"#)) }
    #expect(found == #"cell "\#(name)" is not in the cells file\#(remedy)"#)
  }

  @Test func nestedLoopsAreLimited() {
    let items = Array(repeating: "0", count: 2000).joined(separator: ",")
    let inner = #"{"type":"stack","children":[{"type":"spec","forEach":"f","when":"g"}],"forEach":"f"}"#
    #expect(
      error(#"{"type":"stack","children":[\#(inner)]}"#, #"{"f":[\#(items)]}"#)
        == "repeats elements more than 1000000 times")
  }

  @Test(arguments: ["beginning", "end"])
  func aButtonLaysOutItsImageAndTitle(alignment: String) throws {
    // Without a title there is only the image, in the middle.
    let found = try frames(
      #"{"type":"button","id":"b","imageSize":[10,12],"contentSpacing":8,"imageAlignment":"\#(alignment)"}"#)
    #expect(found == ["b": Rect(0, 0, 100, 12), "image#1": Rect(45, 0, 10, 12)])
  }

  /// Texture: `-[ASButtonNode layoutSpecThatFits:]` puts the background image behind the inset with image and title.
  @Test(arguments: [("true", true), ("false", false), (#""{b}""#, true), (#"{"if":"c","then":true}"#, false)])
  func theBackgroundImageOfAButtonFillsIt(written: String, isPresent: Bool) throws {
    let found = try frames(
      stack + #"{"type":"button","id":"b","imageSize":[10,12],"contentEdgeInsets":4,"backgroundImage":\#(written)}]}"#,
      #"{"b":true,"c":false}"#)
    let button = Rect(0, 0, 18, 20)
    let (first, second) = (isPresent ? button : Rect(4, 4, 10, 12), isPresent ? Rect(4, 4, 10, 12) : nil)
    #expect(found["b"] == button && found["image#1"] == first && found["image#2"] == second)
  }

  @Test func aNetworkImageHasTheSizeOfItsDefaultImage() throws {
    let found = try frames(
      stack + #"{"type":"networkImage","id":"n","url":"u","defaultImageSize":[30,"{h}"]}]}"#, #"{"h":20}"#)
    #expect(found["n"] == Rect(0, 0, 30, 20))
  }

  @Test func aBubbleIsAtMostAsWideAsTheSmallerOfTwoLengths() throws {
    let bubble = stack + #"{"type":"node","id":"n","style":{"width":500,"height":1,"maxWidth":"min(240, 80%)"}}]}"#
    #expect(try frames(bubble, width: 200)["n"] == Rect(0, 0, 160, 1))
    #expect(try frames(bubble, width: 400)["n"] == Rect(0, 0, 240, 1))
  }

  @Test func tooManyElementsAreAnError() {
    let items = Array(repeating: "0", count: RowBinder.maxElements + 1).joined(separator: ",")
    #expect(
      error(#"{"type":"stack","children":[{"type":"spec","forEach":"f"}]}"#, #"{"f":[\#(items)]}"#)
        == "has more than 100000 elements")
  }

  @Test func nestingThatIsTooDeepIsAnError() {
    let depth = TemplateCompiler.maxDepth + 1
    let layout =
      String(repeating: #"{"type":"wrapper","children":["#, count: depth) + String(repeating: "]}", count: depth)
    #expect(error(layout).hasSuffix("is nested more than 256 elements deep"))
  }

  /// The properties are those of `ASButtonNode`.
  @Test(arguments: [
    ("left", "top", 0.0, 0.0), ("middle", "center", 45, 14), ("right", "bottom", 90, 28), ("{side}", "{end?}", 90, 14),
  ])
  func theContentOfAButtonIsAlignedInIt(horizontal: String, vertical: String, x: Double, y: Double) throws {
    let binder = RowBinder(try Programs.compile("{}"))
    try binder.read(
      Programs.row(
        #"{"side":"right","layout":{"type":"button","id":"b","imageSize":[10,12],"#
          + #""contentHorizontalAlignment":"\#(horizontal)","contentVerticalAlignment":"\#(vertical)"}}"#))
    let range = SizeRange(exactly: Size(100, 40))
    try binder.bind(range)
    var solver = LayoutSolver(scale: 2)
    var frames = FlatBuffer<Frame>()
    _ = try solver.layout(binder.tree, in: range, leaves: .empty, frames: &frames)
    #expect(frames[frames.count - 1].rect == Rect(x, y, 10, 12))
  }
}
