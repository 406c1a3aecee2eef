import CellTemplates
import GalleyTestSupport
import LayoutEngine
import Testing

@testable import BatchLayout

/// Layouts from right to left.
@Suite struct LayoutDirectionTests {
  /// The position and width of a frame in the table, and the index of the frame that contains it, or -1.
  private struct Place: Equatable {
    let parent: Int
    var x: Float
    let width: Float
    let type: UInt8
  }

  private static let fonts = #"{"body":{"face":0,"size":15},"bold":{"face":0,"size":17},"small":{"face":0,"size":12}}"#

  private static func layout(_ variants: [Variant], cells: String = "{}") throws -> JobLayout {
    let program = try Programs.compile(
      #"{"fonts":\#(fonts),"cells":\#(cells)}"#, faces: [Programs.face("Inter-Regular.otf")])
    return try JobLayout(program, variants: variants)
  }

  /// Returns the places of the nodes of each row that is not bad.
  private func places(_ layout: JobLayout, _ rows: [String], _ variant: Int) -> [[Place]?] {
    layout.layOut(rows)
    return layout.withColumns(of: variant) { job in
      var frame = 0
      return rows.indices.map { row in
        let count = Int(job.columns.frameCount[row])
        defer { frame += count }
        guard job.columns.errorLength[row] == 0 else { return nil }
        return (frame..<frame + count).map {
          Place(
            parent: Int(job.columns.parent[$0]), x: job.columns.frameRect.x[$0], width: job.columns.frameRect.width[$0],
            type: job.columns.type[$0])
        }
      }
    }
  }

  /// Returns the places of a list from right to left, from the definition: each node is mirrored in the one that contains it.
  private func mirrored(_ places: [Place], cell: Float) -> [Place] {
    var mirrored = places
    for (index, place) in places.enumerated() {
      let (old, new) = place.parent < 0 ? (0, 0) : (places[place.parent].x, mirrored[place.parent].x)
      let room = place.parent < 0 ? cell : places[place.parent].width
      // The content of a scroll node begins at the left in it.
      let isContent = place.parent >= 0 && places[place.parent].type == ElementType.scroll.rawValue
      mirrored[index].x = new + (isContent ? place.x - old : room - place.width - (place.x - old))
    }
    return mirrored
  }

  /// Returns an element without the directions that its nodes state.
  private func withoutDirections(_ element: JSON) -> JSON {
    switch element {
    case .array(let values): .array(values.map(withoutDirections))
    case .object(let members):
      .object(members.filter { $0.key != "layoutDirection" }.mapValues(withoutDirections))
    default: element
    }
  }

  @Test(arguments: [2.0, 4])
  func everyNodeIsMirroredInTheOneThatContainsIt(scale: Double) throws {
    let layout = try Self.layout([
      Variant(width: 320, scale: scale), Variant(width: 320, scale: scale, layoutDirection: .rtl),
    ])
    var random = RandomCells(seed: 31)
    let rows = (0..<400).map { _ in #"{"layout":\#(withoutDirections(random.element(depth: 4)).text)}"# }
    let (ltr, rtl) = (places(layout, rows, 0), places(layout, rows, 1))
    var moved = 0
    for (row, places) in ltr.enumerated() {
      guard let places else {
        #expect(rtl[row] == nil)
        continue
      }
      let expected = mirrored(places, cell: 320)
      #expect(rtl[row] == expected, "\(rows[row])")
      #expect(mirrored(expected, cell: 320) == places, "mirroring twice is the identity: \(rows[row])")
      moved += zip(places, expected).count { $0 != $1 }
    }
    #expect(moved > 80, "\(moved)")
  }

  private static let bubble = #"""
    {"type":"stack","children":[{"type":"node","id":"bubble","layoutDirection":"{direction?}","style":{"width":100,
      "height":20},"layout":{"type":"stack","direction":"horizontal","children":[
        {"type":"node","id":"avatar","calculatedSize":[20,20]}]}}]}
    """#

  @Test(arguments: [
    // A list from right to left has the bubble at the right, and the avatar at the right of it.
    ("rtl", #"{}"#, [200.0, 280]), ("ltr", #"{}"#, [0, 0]),
    // Only the subnodes of the cell, or only those of the bubble, are mirrored.
    ("ltr", #"{"mine":true}"#, [200, 200]), ("ltr", #"{"direction":"rtl"}"#, [0, 80]),
    ("rtl", #"{"direction":"ltr"}"#, [200, 200]), ("rtl", #"{"mine":false}"#, [0, 80]),
    ("rtl", #"{"mine":true,"direction":"rtl"}"#, [200, 280]),
  ])
  func cellsAndNodesCanStateADirectionOfTheirOwn(list: String, row: String, x: [Float]) throws {
    let direction = #"{"if":"mine","then":"rtl","else":{"if":{"field":"mine","equals":false},"then":"ltr"}}"#
    let layout = try Self.layout(
      [Variant(width: 300, layoutDirection: try #require(LayoutDirection(name: list)))],
      cells: #"{"C":{"layoutDirection":\#(direction),"layout":\#(Self.bubble)}}"#)
    // The second row may be found in the cache of the first one.
    #expect(places(layout, [row, row], 0).map { $0?.map(\.x) } == [x, x])
  }

  @Test func rowsThatDifferOnlyInTheDirectionOfTheirCellHaveFramesOfTheirOwn() throws {
    let layout = try Self.layout(
      [Variant(width: 300)], cells: #"{"C":{"layoutDirection":"{d}","layout":\#(Self.bubble)}}"#)
    let rows = [#"{"d":"ltr"}"#, #"{"d":"rtl"}"#, #"{"d":"ltr"}"#, #"{"d":"rtl"}"#, #"{"d":"up"}"#]
    #expect(places(layout, rows, 0).map { $0?.first?.x } == [0, 200, 0, 200, nil])
    #expect(layout.cacheHits == 2)
    let error = layout.withColumns(of: 0) { String(decoding: $0.columns.errorBytes.values, as: UTF8.self) }
    #expect(error.contains("layoutDirection") && error.contains("ltr, rtl"), "\(error)")
  }

  @Test func imageAndTitleOfAButtonAreMirrored() throws {
    func found(_ direction: String) throws -> [Place] {
      let button = #"""
        {"type":"button","title":"Reply","imageSize":[16,16],"layoutDirection":\#(direction),"style":{"width":100}}
        """#
      let layout = try Self.layout(
        [Variant(width: 300)], cells: #"{"C":{"layout":{"type":"stack","children":[\#(button)]}}}"#)
      return try #require(places(layout, [#"{"yes":true}"#], 0)[0])
    }
    let ltr = try found(#""ltr""#)
    #expect(ltr.count == 3 && ltr[1].x + ltr[1].width + 8 == ltr[2].x)
    #expect(try found(#""{d?}""#) == ltr)
    let mirrored = mirrored(ltr, cell: 100)
    #expect(try found(#""rtl""#) == mirrored && mirrored[0] == ltr[0] && mirrored[1].x > mirrored[2].x)
    #expect(try found(#"{"if":"yes","then":"rtl"}"#) == mirrored)
  }

  @Test(arguments: [("rtl", [0, 0, 160, 0]), ("ltr", [0, 0, 0, 140])] as [(String, [Float])])
  func theContentOfAScrollNodeHasItsDirection(direction: String, x: [Float]) throws {
    let carousel = #"""
      {"type":"scroll","id":"carousel","scrollableDirections":"horizontal","layoutDirection":"{d}","layout":{
        "type":"stack","spacing":20,"children":[{"type":"node","calculatedSize":[120,80]},
          {"type":"node","calculatedSize":[140,80]}]}}
      """#
    let layout = try Self.layout([Variant(width: 200)], cells: #"{"C":{"layout":\#(carousel)}}"#)
    let found = try #require(places(layout, [#"{"d":"\#(direction)"}"#], 0)[0])
    #expect(found.map(\.x) == x && found.map(\.width) == [200, 280, 120, 140])
    let cell = layout.inspect(Programs.row(#"{"d":"\#(direction)"}"#))
    #expect(cell.nodes.prefix(2).map(\.name) == ["carousel", "carousel.content"])
    // Nothing in the content is outside of the cell.
    #expect(cell.overflow.isEmpty)
  }

  @Test(arguments: [LayoutDirection.ltr, .rtl])
  func aScrollNodeInSwiftHasTheFramesOfThatInACellsFile(direction: LayoutDirection) throws {
    struct Carousel: CellNode {
      func layoutSpecThatFits(_ constrainedSize: SizeRange) -> any LayoutElement {
        ScrollNode("carousel", .horizontal) { _ in
          StackLayoutSpec(.horizontal, spacing: 20) {
            DisplayNode("a").preferringFrameSize(Size(120, 80))
            DisplayNode("b").preferringFrameSize(Size(140, 80))
          }
        }
      }
    }
    var cells = CellRegistry()
    cells.register("Carousel") { _ in Carousel() }
    let program = try Programs.compile(
      #"""
      {"cells":{"C":{"layout":{"type":"scroll","id":"carousel","scrollableDirections":"horizontal","layout":{
        "type":"stack","spacing":20,"children":[{"type":"node","id":"a","style":{"preferredSize":[120,80]}},
        {"type":"node","id":"b","style":{"preferredSize":[140,80]}}]}}}}}
      """#)
    let layout = try JobLayout(
      program, cells: cells, variants: [Variant(width: 200, scale: 2, layoutDirection: direction)])
    let found = places(layout, [#"{"cell":"C"}"#, #"{"cell":"Carousel"}"#], 0)
    #expect(found[0] != nil && found[0] == found[1])
    let names = ["C", "Carousel"].map { layout.inspect(Programs.row(#"{"cell":"\#($0)"}"#)).nodes.map(\.name) }
    #expect(names[0] == ["carousel", "carousel.content", "a", "b"] && names[0] == names[1])
  }

  @Test func theAreaOfChildrenThatAreTooLongIsMirroredWithTheirNode() throws {
    let row = #"""
      {"layout":{"type":"stack","direction":"horizontal","children":[
        {"type":"node","calculatedSize":[80,10]},{"type":"node","calculatedSize":[50,10]}]}}
      """#
    let layout = try Self.layout([Variant(width: 100, layoutDirection: .rtl)])
    let found = layout.inspect(Programs.row(row.replacing("\n", with: "")))
    #expect(found.overflow.first { $0.kind == .stack }?.area == Rect(-30, 0, 30, 10))
  }
}
