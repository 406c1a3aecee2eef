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

  /// The expected frames are those of an independent model of the same rules, which remembers no measurements.
  @Test func randomSpecsHaveTheFramesOfTheModel() throws {
    let failures = try differences(fixture: "random-layouts.jsonl")
    #expect(failures.rows == 1001)
    #expect(failures.messages == [])
  }
}

private func differences(fixture: String) throws -> (rows: Int, messages: [String]) {
  let lines = try Fixtures.lines(fixture)
  let program = try Programs.compile("{}")
  let binder = RowBinder(program)
  var solver = LayoutSolver(scale: 2)
  var frames = FlatBuffer<Frame>()
  var messages: [String] = []
  for line in lines {
    var padded = Array(line)
    padded += [UInt8](repeating: 0, count: JSONParser.padding)
    try padded.withUnsafeBufferPointer { bytes in
      let row = ByteString(start: bytes.baseAddress!, count: line.count)
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
