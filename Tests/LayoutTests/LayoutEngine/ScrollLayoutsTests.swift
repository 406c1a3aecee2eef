import Buffers
import Testing

@testable import LayoutEngine

/// The sizes of scroll nodes and of their contents, by the cases of Texture's `ASScrollNodeTests.mm`.
@Suite struct ScrollLayoutsTests {
  /// Returns the sizes of a scroll node in an absolute spec of a parent's size, and of its content.
  private func sizes(
    _ directions: ScrollableDirections = .vertical, content: LayoutElementStyle, in range: SizeRange, parent: Size
  ) throws -> (node: Size, content: Size) {
    var tree = ElementTree()
    let style = tree.add(style: content)
    let scroll = tree.open(.scroll(directions))
    let node = tree.open(.node)
    let wrapper = tree.open(.wrapper)
    var child = Element.node
    child.style = style
    tree.add(child)
    for index in [wrapper, node, scroll] { tree.close(index) }
    var solver = LayoutSolver(scale: 2)
    var frames = FlatBuffer<Frame>()
    // The tree is prepared by a layout, and then measured in the range of the case.
    _ = try? solver.layout(tree, in: range, leaves: .empty, frames: &frames)
    let measured = solver.layoutScroll(0, solver.elements, range, parent)
    return (measured.0, solver.placements[Int(measured.1)].size)
  }

  private func style(_ change: (inout LayoutElementStyle) -> Void) -> LayoutElementStyle {
    var style = LayoutElementStyle()
    change(&style)
    return style
  }

  @Test(arguments: [
    // Content that is smaller and larger than the parent.
    (Size(100, 100), SizeRange.unconstrained, Size(100, 200), Size(100, 200)),
    (Size(100, 500), SizeRange.unconstrained, Size(100, 200), Size(100, 200)),
    // A range that is smaller and larger than the parent.
    (Size(100, 100), SizeRange(min: Size(100, 100), max: Size(100, 200)), Size(100, 500), Size(100, 200)),
    (Size(100, 200), SizeRange(min: Size(100, 150), max: Size(100, 150)), Size(100, 100), Size(100, 150)),
    // A parent without a size.
    (Size(100, 200), SizeRange.unconstrained, Size(.infinity, .infinity), Size(100, 200)),
    // Along a stack the parent has no length, so that the node has the smallest one.
    (Size(100, 200), SizeRange(min: Size(100, 0), max: Size(100, .infinity)), Size(100, .nan), Size(100, 0)),
  ])
  func theNodeHasTheSizeOfItsParentInItsRange(content: Size, range: SizeRange, parent: Size, expected: Size) throws {
    let found = try sizes(content: style { $0.preferredSize = content }, in: range, parent: parent)
    #expect(found.node == expected && found.content == content)
  }

  @Test func contentThatIsTooSmallCanFillTheNode() throws {
    let content = style {
      $0.flexGrow = 1
      $0.minHeight = 50
      $0.width = 100
    }
    let range = SizeRange(min: Size(100, 200), max: Size(100, 200))
    let found = try sizes(content: content, in: range, parent: Size(100, 500))
    #expect(found.node == Size(100, 200) && found.content == Size(100, 200))
  }

  /// A scroll node is measured with its parent's length, also if its stack was measured before without one.
  @Test func aMeasurementWithAnotherParentIsNotTaken() throws {
    var inner = StackOptions()
    inner.direction = .vertical
    var tree = ElementTree()
    var fixed = LayoutElementStyle()
    fixed.height = 300
    var growing = LayoutElementStyle()
    growing.flexGrow = 1
    var outer = Element.stack(inner)
    outer.style = tree.add(style: fixed)
    var flexible = Element.stack(inner)
    flexible.style = tree.add(style: growing)
    let root = tree.open(outer)
    tree.add(.node(calculatedSize: Size(10, 100)))
    let stack = tree.open(flexible)
    let scroll = tree.open(.scroll(.vertical))
    let content = tree.open(.node)
    tree.add(.node(calculatedSize: Size(100, 600)))
    for index in [content, scroll, stack, root] { tree.close(index) }
    var solver = LayoutSolver(scale: 2)
    var frames = FlatBuffer<Frame>()
    _ = try solver.layout(tree, in: SizeRange(width: 390), leaves: .empty, frames: &frames)
    #expect(frames.values.first { $0.element == scroll }?.rect.size.height == 200)
  }

  @Test func contentIsWithoutALimitAlongTheAxesThatScroll() throws {
    let range = SizeRange(min: Size(100, 0), max: Size(100, 60))
    let content = style { $0.preferredSize = Size(300, 40) }
    let horizontal = try sizes(.horizontal, content: content, in: range, parent: Size(100, .infinity))
    #expect(horizontal.node == Size(100, 60) && horizontal.content == Size(300, 40))
    let vertical = try sizes(.vertical, content: content, in: range, parent: Size(100, .infinity))
    #expect(vertical.content == Size(100, 40))
  }
}
