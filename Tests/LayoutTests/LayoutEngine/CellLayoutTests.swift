import LayoutEngine
import Testing

/// The layout of cells written in Swift.
@Suite struct CellLayoutTests {
  let layout = CellLayout(scale: 2) { text, room in
    // A character is 10 points wide, and a line 20 points high.
    let perLine = max(1, Int(min(room.width, 1e6) / 10))
    let length = text.runs.reduce(0) { $0 + $1.text.count }
    return LeafMeasurement(
      size: Size(Double(min(length, perLine)) * 10, Double((length + perLine - 1) / perLine) * 20), ascender: 15,
      descender: -5)
  }

  private func frames(of spec: any LayoutElement, width: Double) throws -> [String: Rect] {
    _ = try layout.layout(spec, thatFits: SizeRange(width: width))
    return Dictionary(uniqueKeysWithValues: layout.frames.map { ($0.node.name, $0.rect) })
  }

  @Test func aCellHasTheFramesOfItsLayoutSpec() throws {
    struct PhotoCell: CellNode {
      let comments: [String]

      func layoutSpecThatFits(_ constrainedSize: SizeRange) -> any LayoutElement {
        StackLayoutSpec(.vertical, spacing: 8) {
          RatioLayoutSpec(ratio: 0.5) { NetworkImageNode("photo", url: "https://example.com/1.jpg") }
          InsetLayoutSpec(insets: EdgeInsets(top: 0, left: 12, bottom: 12, right: 12)) {
            StackLayoutSpec(.vertical, spacing: 4) {
              for (number, comment) in comments.enumerated() {
                TextNode("comment\(number)", comment, font: "body")
              }
              if comments.isEmpty { TextNode("none", "No comments", font: "body") }
            }
          }
        }
      }
    }
    let size = try layout.layout(PhotoCell(comments: ["short", "longer than it"]), thatFits: SizeRange(width: 124))
    #expect(size == Size(124, 62 + 8 + 20 + 4 + 40 + 12))
    #expect(layout.frames.map(\.node.name) == ["photo", "comment0", "comment1"])
    #expect(layout.frames.map(\.rect) == [Rect(0, 0, 124, 62), Rect(12, 70, 100, 20), Rect(12, 94, 100, 40)])
    _ = try layout.layout(PhotoCell(comments: []), thatFits: SizeRange(width: 124))
    #expect(layout.frames.map(\.node.name) == ["photo", "none"])
  }

  @Test func theContentOfAScrollNodeCanBeLargerThanTheNode() throws {
    let carousel = ScrollNode("carousel", .horizontal) { _ in
      StackLayoutSpec(.horizontal, spacing: 20) {
        DisplayNode("a").preferringFrameSize(Size(60, 80))
        DisplayNode("b").preferringFrameSize(Size(70, 80))
      }
    }
    let found = try frames(of: carousel, width: 100)
    #expect(found["carousel"] == Rect(0, 0, 100, 80) && found["carousel.content"] == Rect(0, 0, 150, 80))
    #expect(found["b"] == Rect(80, 0, 70, 80))
    #expect(carousel.asciiArtString.contains("ASScrollNode"))
    let error = #expect(throws: SpecError.self) {
      try layout.layout(
        StackLayoutSpec(.vertical) {
          carousel
          carousel
        }, thatFits: SizeRange(width: 100))
    }
    #expect(error?.path == ["layout", "children", "1"])
  }

  /// Texture: `-[ASButtonNode titleNode]`.
  @Test func theTitleOfAButtonShrinks() throws {
    let title = TextNode("title", "a title of many letters", font: "body")
    let button = ButtonNode("button", title: title, image: ImageNode("image", imageSize: Size(20, 20)))
    let found = try frames(of: StackLayoutSpec(.vertical) { button }, width: 128)
    #expect(found["button"] == Rect(0, 0, 128, 60))
    #expect(found["image"] == Rect(0, 20, 20, 20) && found["title"] == Rect(28, 0, 100, 60))
  }

  /// A stack of an exact width does not measure its only child that grows and shrinks (layout-semantics 5.2).
  @Test func aTextWithoutASizeHasItsBaseline() throws {
    let stack = StackLayoutSpec(alignItems: .baselineFirst) {
      TextNode("name", "ab", font: "body").styled { ($0.flexGrow, $0.flexShrink) = (1, 1) }
      ImageNode("image", imageSize: Size(300, 30)).styled { $0.ascender = 4 }
    }
    let found = try frames(of: stack, width: 200)
    #expect(found["name"]?.size.width == 0 && found["image"] == Rect(0, 11, 300, 30))
  }

  @Test func aCustomSpecMeasuresAndPositionsItsChildren() throws {
    /// A spec whose children are in columns of equal width.
    struct ColumnsLayoutSpec: CustomLayoutSpec {
      var style = LayoutElementStyle()
      let children: [any LayoutElement]

      func calculateLayoutThatFits(_ constrainedSize: SizeRange, pass: inout CustomLayoutPass) -> Size {
        let width = constrainedSize.max.width / Double(max(pass.childCount, 1))
        var height = 0.0
        for child in 0..<pass.childCount {
          let size = pass.layout(
            child: child, in: SizeRange(min: Size(width, 0), max: Size(width, constrainedSize.max.height)),
            parentSize: constrainedSize.max)
          pass.place(child: child, at: Point(width * Double(child), 0))
          height = max(height, size.height)
        }
        return Size(constrainedSize.max.width, height)
      }
    }
    let spec = InsetLayoutSpec(insets: EdgeInsets(10)) {
      ColumnsLayoutSpec(children: [
        TextNode("a", "aaaa", font: ""), TextNode("b", "bbbbbbbbbb", font: ""),
        StackLayoutSpec(.vertical) {
          TextNode("c", "c", font: "")
          TextNode("d", "d", font: "")
        },
      ])
    }
    let frames = try frames(of: spec, width: 170)
    #expect(frames["a"] == Rect(10, 10, 50, 20))
    #expect(frames["b"] == Rect(60, 10, 50, 40))
    #expect(frames["c"] == Rect(110, 10, 50, 20))
    #expect(frames["d"] == Rect(110, 30, 50, 20))
  }

  @Test func aNodeHasTheSizeThatItCalculates() throws {
    final class Square: DisplayNode {
      override func calculateSizeThatFits(_ constrainedSize: Size) -> Size? {
        let side = min(constrainedSize.width, 60)
        return Size(side, side)
      }
    }
    let spec = StackLayoutSpec(alignItems: .start) {
      Square("square")
      ImageNode("image", imageSize: Size(20, 30))
    }
    let frames = try frames(of: spec, width: 200)
    #expect(frames == ["square": Rect(0, 0, 60, 60), "image": Rect(60, 0, 20, 30)])
  }

  @Test func aNodeReturnsItsLayoutForTheRangeOfItsParent() throws {
    var ranges: [SizeRange] = []
    let row = StackLayoutSpec(.horizontal, spacing: 10) {
      ImageNode("avatar", imageSize: Size(40, 40))
      DisplayNode("body") { range in
        ranges.append(range)
        return StackLayoutSpec(.vertical) {
          TextNode("wide", String(repeating: "x", count: range.max.width > 100 ? 4 : 8), font: "")
          DisplayNode("inner") { _ in InsetLayoutSpec(insets: EdgeInsets(5)) { TextNode("deep", "xx", font: "") } }
        }
      }.styled {
        $0.flexGrow = 1; $0.flexShrink = 1
      }
    }
    let frames = try frames(of: row, width: 120)
    // The natural size is not measured, as the node can have any size (layout-semantics 5.2).
    #expect(ranges.allSatisfy { $0.min.width == 70 && $0.max.width == 70 })
    #expect(frames["body"] == Rect(50, 0, 70, 70))
    #expect(frames["wide"] == Rect(50, 0, 70, 40))
    #expect(frames["inner"] == Rect(50, 40, 70, 30))
    #expect(frames["deep"] == Rect(55, 45, 60, 20))
  }

  @Test func aSubclassWithoutALayoutSpecHasItsOwnSize() throws {
    final class Badge: DisplayNode {
      override func layoutSpecThatFits(_ constrainedSize: SizeRange) -> (any LayoutElement)? { nil }
      override func calculateSizeThatFits(_ constrainedSize: Size) -> Size? { Size(12, 12) }
    }
    let frames = try frames(of: CenterLayoutSpec { Badge("badge") }, width: 100)
    #expect(frames["badge"] == Rect(44, 0, 12, 12))
  }

  @Test func aStackAlignsTheBaselinesOfTexts() throws {
    let spec = StackLayoutSpec(alignItems: .baselineFirst) {
      TextNode("low", "x", font: "")
      ImageNode("tall", imageSize: Size(10, 50)).styled { $0.ascender = 40 }
    }
    let frames = try frames(of: spec, width: 100)
    #expect(frames["low"] == Rect(0, 25, 10, 20))
    #expect(frames["tall"] == Rect(10, 0, 10, 50))
  }

  @Test func specsForDifferentRangesCanShareANode() throws {
    let label = TextNode("label", "xxxx", font: "")
    let spec = StackLayoutSpec(.vertical, alignItems: .start) {
      DisplayNode("box") { _ in InsetLayoutSpec(insets: EdgeInsets(1)) { label } }.styled { $0.flexShrink = 1 }
    }
    let size = try layout.layout(spec, thatFits: SizeRange(min: .zero, max: Size(100, 10)))
    #expect(size == Size(42, 10))
  }

  @Test func specsAreDrawnAsTextureDrawsThem() {
    let spec = StackLayoutSpec(.vertical) {
      RatioLayoutSpec(ratio: 0.75) { NetworkImageNode("photo") }
      InsetLayoutSpec(insets: EdgeInsets(8)) { TextNode("caption", "…", font: "") }
      Spacer()
    }
    #expect(
      spec.asciiArtString == """
        -----------ASStackLayoutSpec----------
        |  -----ASRatioLayoutSpec (0.8)----  |
        |  |  ASNetworkImageNode (photo)  |  |
        |  --------------------------------  |
        |     -----ASInsetLayoutSpec----     |
        |     |  ASTextNode (caption)  |     |
        |     --------------------------     |
        |            ASLayoutSpec            |
        --------------------------------------
        """)
    #expect(Drawn(spec: spec).asciiArtString.split(separator: "\n").first?.contains("-Drawn-") == true)
  }

  private struct Drawn: CellNode {
    let spec: StackLayoutSpec
    func layoutSpecThatFits(_ constrainedSize: SizeRange) -> any LayoutElement { spec }
  }

  @Test func aSubclassThatOverridesNothingHasItsPreferredFrameSize() throws {
    final class Badge: DisplayNode {}
    let badge = Badge("badge").preferringFrameSize(Size(12, 10))
    // In Texture a preferredFrameSize is a preferredSize, which is not stretched.
    let spec = StackLayoutSpec {
      badge
      DisplayNode("tall").styled { $0.preferredSize = Size(5, 40) }
    }
    #expect(try frames(of: spec, width: 100)["badge"] == Rect(0, 0, 12, 10))
  }

  @Test func alignmentsAreResolvedAgainWhenTheDirectionChanges() {
    var stack = StackLayoutSpec(horizontalAlignment: .right) { DisplayNode() }
    #expect(stack.options.justifyContent == .end && stack.options.alignItems == .stretch)
    stack.options.direction = .vertical
    // As in Texture, the property of the axis that the alignment leaves keeps its value.
    #expect(stack.options.justifyContent == .end && stack.options.alignItems == .end)
    stack.verticalAlignment = .center
    #expect(stack.options.justifyContent == .center)
  }
}

/// The properties of AsyncDisplayKit 1.x in cells written in Swift.
@Suite struct FirstGenerationTests {
  private func rect(_ node: DisplayNode, in spec: any LayoutElement, width: Double = 100) throws -> Rect? {
    let layout = CellLayout(scale: 2)
    _ = try layout.layout(spec, thatFits: SizeRange(width: width))
    return layout.frames.first { $0.node === node }?.rect
  }

  @Test func preferredFrameSizeIsTheSizeOfTheContent() throws {
    let node = DisplayNode("n").preferringFrameSize(Size(30, 20))
    #expect(try rect(node, in: StackLayoutSpec(.vertical, alignItems: .start) { node }) == Rect(0, 0, 30, 20))
    let photo = NetworkImageNode("p").preferringFrameSize(Size(30, 20))
    #expect(try rect(photo, in: StackLayoutSpec(.vertical, alignItems: .start) { photo }) == Rect(0, 0, 30, 20))
    let image = ImageNode("i", imageSize: Size(5, 5)).preferringFrameSize(Size(30, 20))
    #expect(try rect(image, in: StackLayoutSpec(.vertical, alignItems: .start) { image }) == Rect(0, 0, 30, 20))
    #expect(node.style.sizeRange == RelativeSizeRange(exactly: Size(30, 20)))
  }

  @Test func aButtonHasItsPreferredFrameSize() throws {
    let button = ButtonNode("b", image: ImageNode(imageSize: Size(8, 8))).preferringFrameSize(Size(60, 30))
    #expect(try rect(button, in: StackLayoutSpec(.vertical, alignItems: .start) { button }) == Rect(0, 0, 60, 30))
  }

  @Test func aSizeRangeCanHaveOnlyAMinimumOrAMaximum() throws {
    let wide = DisplayNode("w").styled {
      $0.sizeRange = RelativeSizeRange(min: RelativeSize(width: .fraction(0.5), height: 10))
    }
    #expect(try rect(wide, in: StaticLayoutSpec { wide }) == Rect(0, 0, 50, 10))
    let narrow = ImageNode("i", imageSize: Size(80, 80)).styled {
      $0.sizeRange = RelativeSizeRange(max: RelativeSize(fractionOfWidth: 0.25, fractionOfHeight: 1))
    }
    #expect(try rect(narrow, in: StaticLayoutSpec { narrow }) == Rect(0, 0, 25, 80))
    #expect(RelativeSizeRange(exactly: RelativeSize(Size(1, 2))) == RelativeSizeRange(width: 1, height: 2))
  }

  @Test func aFetchedNodeWithoutASizeIsAnError() {
    #expect(throws: SpecError.self) {
      try CellLayout(scale: 2).layout(
        StackLayoutSpec(.vertical) { NetworkImageNode("photo", url: "u") }, thatFits: SizeRange(width: 100))
    }
  }

  @Test func aTextIsAnErrorWithoutAFunctionThatMeasuresIt() {
    let error = #expect(throws: SpecError.self) {
      try CellLayout(scale: 2).layout(
        InsetLayoutSpec(insets: EdgeInsets(1)) { TextNode("t", "x", font: "body") }, thatFits: SizeRange(width: 100))
    }
    #expect(error?.path == ["layout", "child"])
  }

  @Test func aNodeWithALayoutIsDrawnAsABoxAroundIt() {
    let node = DisplayNode("n") { _ in StackLayoutSpec { DisplayNode("inner") } }
    #expect(node.asciiArtString.contains("ASDisplayNode (n)"))
    #expect(node.asciiArtString.contains("ASDisplayNode (inner)"))
    #expect(node.asciiArtString.split(separator: "\n").count == 5)
    #expect(DisplayNode("leaf").asciiArtString == "ASDisplayNode (leaf)")
  }
}
