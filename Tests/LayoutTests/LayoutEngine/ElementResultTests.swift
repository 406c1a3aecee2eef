import Buffers
import LayoutEngine
import Testing

/// The results of all elements of a layout.
@Suite struct ElementResultTests {
  private func results(
    _ solver: inout LayoutSolver, _ tree: borrowing ElementTree, _ range: SizeRange
  ) -> (results: [ElementResult], failed: Bool, frames: [Frame]) {
    var frames = FlatBuffer<Frame>()
    var failed = false
    solver.remembersLeaves = true
    do throws(LayoutFailure) {
      _ = try solver.layout(tree, in: range, leaves: .empty, frames: &frames)
    } catch {
      failed = true
      solver.appendFrames(to: &frames)
    }
    var results: [ElementResult] = []
    solver.forEachResult { results.append($0) }
    return (results, failed, Array(frames.values))
  }

  @Test func theOwnRangeIsTheIntersectionWithTheStyle() {
    var tree = ElementTree()
    var style = LayoutElementStyle()
    style.maxWidth = .points(40)
    style.height = .points(30)
    let root = tree.open(.wrapper)
    var text = Element.text
    text.style = tree.add(style: style)
    tree.add(text)
    tree.close(root)
    var solver = LayoutSolver(scale: 2)
    let found = results(&solver, tree, SizeRange(min: .zero, max: Size(100, 200)))
    #expect(found.results.count == 2)
    #expect(found.results[1].constrainedSize == SizeRange(min: .zero, max: Size(100, 200)))
    #expect(found.results[1].ownRange == SizeRange(min: Size(0, 30), max: Size(40, 30)))
  }

  @Test func aFailedLayoutHasFramesAndLeavesTheSolverUsable() {
    var tree = ElementTree()
    var options = StackOptions()
    options.direction = .vertical
    let root = tree.open(.stack(options))
    tree.add(.node(calculatedSize: Size(10, 20)))
    let inset = tree.open(.inset(EdgeInsets(top: .infinity, left: 0, bottom: 0, right: 0)))
    tree.add(.node(calculatedSize: Size(10, 20)))
    tree.close(inset)
    tree.close(root)
    var solver = LayoutSolver(scale: 2)
    let found = results(&solver, tree, SizeRange(width: 100))
    #expect(found.failed)
    #expect(found.frames.count == 3)
    #expect(found.frames[1].rect == Rect(0, 0, 100, 20))
    // The solver lays out the next tree correctly.
    var plain = ElementTree()
    plain.add(.node(calculatedSize: Size(1, 2)))
    #expect(
      results(&solver, plain, SizeRange(min: .zero, max: .unbounded)).frames.map(\.rect.size) == [
        Size(1, 2), Size(1, 2),
      ])
  }
}
