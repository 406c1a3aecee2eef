import LayoutEngine
import Testing

/// The cases of Texture's unit tests.
@Suite struct TextureUnitTests {
  /// ASLayoutEngineTests: rows of three leaves, with the widths of their contents, their positions, and the number of times
  /// that the first is measured.
  @Test(arguments: [
    (width: 10.0, contents: [1.0, 2, 1], x: [0.0, 4, 9], first: 1),
    (10, [1, 4, 1], [0, 3, 9], 1),
    (10, [8, 2, 1], [0, 7, 9], 2),
    (10, [1, 2, 1], [0, 4, 9], 1),
    (15, [1, 2, 1], [0, 6.5, 14], 1),
  ])
  func rowsOfLeavesHaveTheFramesOfTexture(width: Double, contents: [Double], x: [Double], first: Int) throws {
    final class Leaf: DisplayNode {
      let width: Double
      var rooms: [Size] = []

      init(_ width: Double) {
        self.width = width
        super.init()
      }

      override func calculateSizeThatFits(_ constrainedSize: Size) -> Size? {
        rooms.append(constrainedSize)
        return Size(width, 1)
      }
    }
    let leaves = contents.map { Leaf($0) }
    leaves[0].style.flexShrink = 1
    let spec = StackLayoutSpec(justifyContent: .spaceBetween, alignItems: .start) { leaves }
    let layout = CellLayout(scale: 2)
    let size = try layout.layout(spec, thatFits: SizeRange(exactly: Size(width, 1)))
    #expect(size == Size(width, 1))
    #expect(layout.frames.map(\.rect.origin) == x.map { Point($0, 0) })
    #expect(leaves[0].rooms == [Size(.infinity, 1), Size(7, 1)].prefix(first).map { $0 })
    #expect(leaves[1].rooms == [Size(.infinity, 1)])
    #expect(leaves[2].rooms == [Size(.infinity, 1)])
  }

  /// ASLayoutFlatteningTests: specs are left out, the subnodes of a node are not those of its parent, and the order is depth
  /// first.
  @Test func flatteningKeepsNodesInDepthFirstOrder() throws {
    func node(_ name: String, _ inner: any LayoutElement...) -> DisplayNode {
      DisplayNode(name) { _ in WrapperLayoutSpec { inner } }.styled { $0.preferredSize = Size(100, 100) }
    }
    let spec = AbsoluteLayoutSpec {
      node("s0", node("i0"))
      WrapperLayoutSpec {
        node("s1")
        WrapperLayoutSpec {
          Spacer()
          node("s2")
        }
        Spacer()
      }
      WrapperLayoutSpec { node("s3", node("i1"), node("i2", node("i3"))) }
      node("s4")
    }
    let layout = CellLayout(scale: 2)
    _ = try layout.layout(spec, thatFits: SizeRange(exactly: Size(1000, 1000)))
    #expect(layout.frames.map(\.node.name) == ["s0", "i0", "s1", "s2", "s3", "i1", "i2", "i3", "s4"])
    #expect(layout.frames.allSatisfy { $0.rect == Rect(0, 0, 100, 100) })
  }

  /// ASLayoutElementStyleTests: properties of styles.
  @Test func aStyleHasThePropertiesThatWereSet() {
    var style = LayoutElementStyle()
    #expect(style.preferredSize == .zero)
    #expect(style.width == .auto && style.flexBasis == .auto && style.flexGrow == 0 && style.flexShrink == 0)
    style.preferredSize = Size(100, 100)
    #expect(style.width == .points(100) && style.height == .points(100))
    style.minSize = Size(100, 100)
    style.maxSize = Size(100, 100)
    #expect(style.preferredSize == Size(100, 100))
    #expect(style.minWidth == .points(100) && style.maxHeight == .points(100))
  }
}
