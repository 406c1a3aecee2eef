import Buffers
import GalleyTestSupport
import LayoutEngine
import Testing

@testable import CellTemplates

/// Tests that rows have the sizes and frames of Texture, as `layout-semantics` describes them.
@Suite struct TextureConformanceTests {
  // Each row is also laid out again at other widths, which must not change the results.

  @Test func everyRowHasTheFramesOfTexture() throws {
    let failures = try differences(fixture: "texture-layouts.jsonl")
    #expect(failures.rows == 393)
    #expect(failures.messages == [])
  }

  /// The expected frames are those of independent models of the same rules, which remember no measurements. The rows of the second
  /// file have stacks that take baselines of earlier measurements.
  @Test(arguments: [("random-layouts.jsonl", 1001), ("earlier-baselines.jsonl", 51)])
  func randomSpecsHaveTheFramesOfTheModel(fixture: String, rows: Int) throws {
    let failures = try differences(fixture: fixture)
    #expect(failures.rows == rows)
    #expect(failures.messages == [])
  }

  /// The expected frames are those of an independent model of the sources of AsyncDisplayKit 1.9.92. In the rows of the
  /// second file the smallest error of floating point arithmetic costs a pixel, as it did there.
  @Test(arguments: [("asyncdisplaykit1-layouts.jsonl", 600), ("asyncdisplaykit1-pixels.jsonl", 48)])
  func theFirstGenerationHasTheFramesOfItsModel(fixture: String, rows: Int) throws {
    let failures = try differences(fixture: fixture, generation: 1)
    #expect(failures.rows == rows)
    #expect(failures.messages == [])
  }
}

/// Tests of cells files with `generation: 1`.
@Suite struct FirstGenerationTests {
  private func mistake(_ layout: String, generation: Int = 1) throws -> String? {
    do {
      _ = try Programs.compile(#"{"generation":\#(generation),"cells":{"A":{"layout":\#(layout)}}}"#)
      return nil
    } catch let error as CellError { return error.description }
  }

  @Test(arguments: [
    (
      #"{"type":"stack","flexWrap":"wrap"}"#,
      "cells.A.layout.flexWrap: is not in AsyncDisplayKit 1.9; leave it out, or write generation: 2"
    ),
    (
      #"{"type":"spec","style":{"width":10}}"#,
      "cells.A.layout.style.width: is not in AsyncDisplayKit 1.9; a node has preferredFrameSize, and a child of a static has "
        + "sizeRange; leave it out, or write generation: 2"
    ),
    (
      #"{"type":"absolute"}"#,
      "cells.A.layout.type: \"absolute\" is not in AsyncDisplayKit 1.9; write static, or write generation: 2"
    ),
    (
      #"{"type":"spec","style":{"flexGrow":2}}"#,
      "cells.A.layout.style.flexGrow: is a number, but must be true or false with generation: 1"
    ),
  ])
  func whatItDidNotHaveIsRefused(layout: String, message: String) throws {
    #expect(try mistake(layout) == message)
    #expect(try mistake(layout, generation: 2) == nil)
  }

  @Test func whatOnlyItHasIsRefusedInTheSecond() throws {
    let layout = #"{"type":"stack","baselineRelativeArrangement":true}"#
    #expect(try mistake(layout) == nil)
    #expect(try mistake(layout, generation: 2)?.contains("is only in AsyncDisplayKit 1.x") == true)
  }

  @Test func anotherGenerationIsAMistake() throws {
    #expect(
      try mistake(#"{"type":"spec"}"#, generation: 3) == "generation: must be 1 (AsyncDisplayKit 1.9) or 2 (Texture)")
  }

  /// Returns the size of the first frame inside the cell.
  private func size(_ layout: String, generation: Int = 1) throws -> Size {
    let binder = RowBinder(try Programs.compile(#"{"generation":\#(generation)}"#))
    try binder.read(Programs.row(#"{"layout":\#(layout)}"#))
    try binder.bind(SizeRange(width: 100))
    var solver = LayoutSolver(scale: 2)
    var frames = FlatBuffer<Frame>()
    _ = try solver.layout(binder.tree, in: SizeRange(width: 100), leaves: .empty, frames: &frames)
    return frames[1].rect.size
  }

  @Test func aPreferredFrameSizeOfZeroIsNone() throws {
    let zero = #""style":{"preferredFrameSize":[0,0]}"#
    for type in ["image", "button"] {
      let layout = #"{"type":"stack","children":[{"type":"\#(type)","imageSize":[42,33],\#(zero)}]}"#
      #expect(try size(layout) == Size(42, 33), "\(type)")
      #expect(try size(layout, generation: 2) == .zero, "\(type)")
    }
  }

  @Test func aPreferredFrameSizeIsStretchedByStretchAlone() throws {
    func height(_ generation: Int, _ alignment: String) throws -> Double {
      try size(
        #"{"type":"stack",\#(alignment)"children":[{"type":"node","style":{"preferredFrameSize":[30,30]}},"#
          + #"{"type":"node","calculatedSize":[5,40]}]}"#, generation: generation
      ).height
    }
    // A default of 1.9 is start, and 2.x sets the preferredSize.
    #expect(try height(1, "") == 30)
    #expect(try height(1, #""alignItems":"stretch","#) == 40)
    #expect(try height(2, "") == 30)
  }

  /// The smallest size of a child between a free edge and an inset below 0 is that inset, in both generations.
  @Test func anInsetBelowZeroEnlargesTheMinimumAtAFreeEdge() throws {
    var tree = ElementTree()
    let inset = tree.open(.inset(EdgeInsets(top: .infinity, left: 0, bottom: -3.5, right: 0)))
    tree.add(.node(calculatedSize: Size(5, 0)))
    tree.close(inset)
    var solver = LayoutSolver(scale: 2)
    var frames = FlatBuffer<Frame>()
    _ = try solver.layout(
      tree, in: SizeRange(exactly: Size(20, 20)), leaves: .empty, frames: &frames)
    #expect(frames[1].rect.size.height == 3.5)
  }
}

private func differences(fixture: String, generation: Int = 2) throws -> (rows: Int, messages: [String]) {
  let lines = try Fixtures.lines(fixture)
  let program = try Programs.compile(#"{"generation":\#(generation)}"#)
  let binder = RowBinder(program)
  var solver = LayoutSolver(scale: 2)
  var frames = FlatBuffer<Frame>()
  var messages: [String] = []
  for line in lines {
    try Array(line).withPadding { row in
      let expected = try Expected(row)
      do {
        try binder.read(row)
        let range = binder.constrainedSize(.unconstrained)
        try binder.bind(range)
        frames.removeAll()
        let size = try solver.layout(binder.tree, in: range, leaves: .empty, frames: &frames)
        messages += try furtherDifferences(binder.tree, after: range).map { "\(expected.id): \($0)" }
        if size != expected.size { messages.append("\(expected.id): size \(size), not \(expected.size)") }
        var names = FlatBuffer<UInt8>()
        var found = 0
        for index in 1..<max(frames.count, 1) {
          names.removeAll()
          binder.appendName(of: frames[index].element, index: index - 1, to: &names)
          let name = String(decoding: names.values, as: UTF8.self)
          if let rect = expected.frames[name] {
            found += 1
            if rect != frames[index].rect {
              messages.append("\(expected.id): \(name) \(frames[index].rect), not \(rect)")
            }
          }
        }
        if found != expected.frames.count {
          messages.append("\(expected.id): \(found) of \(expected.frames.count) frames")
        }
      } catch {
        messages.append("\(expected.id): \(error)")
      }
    }
  }
  return (lines.count, messages)
}

/// Lays the tree out in several ranges, once with the earlier measurements and once without, and returns the
/// differences.
private func furtherDifferences(_ tree: borrowing ElementTree, after first: SizeRange) throws -> [String] {
  var remembering = LayoutSolver(scale: 2)
  var frames = FlatBuffer<Frame>()
  var again = false
  var messages: [String] = []
  for range in [first, SizeRange(width: 200), SizeRange(width: 333.5), first, SizeRange(exactly: Size(200, 90))] {
    frames.removeAll()
    let remembered = try? remembering.layout(tree, in: range, leaves: .empty, again: again, frames: &frames)
    again = true
    var fresh = LayoutSolver(scale: 2)
    var freshFrames = FlatBuffer<Frame>()
    let size = try? fresh.layout(tree, in: range, leaves: .empty, frames: &freshFrames)
    let same =
      frames.count == freshFrames.count && (0..<frames.count).allSatisfy { frames[$0].rect == freshFrames[$0].rect }
    if remembered != size || !same { messages.append("differs in \(range) when laid out again") }
  }
  return messages
}

private struct Expected {
  let id: String
  let size: Size
  var frames: [String: Rect] = [:]

  init(_ row: ByteString) throws {
    let parser = JSONParser()
    let root = try parser.parse(row)
    id = root.member("id")?.string?.string ?? ""
    let expected = try #require(root.member("expected"))
    let size = try #require(expected.member("size"))
    self.size = Size(size.element(0)?.number ?? -1, size.element(1)?.number ?? -1)
    var frames: [String: Rect] = [:]
    expected.member("frames")?.forEachMember { name, frame in
      let numbers = (0..<4).map { frame.element($0)?.number ?? -1 }
      frames[name.string] = Rect(numbers[0], numbers[1], numbers[2], numbers[3])
    }
    self.frames = frames
  }
}
