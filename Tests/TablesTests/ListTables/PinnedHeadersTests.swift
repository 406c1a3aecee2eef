import Foundation
import SeededRandom
import Testing

@testable import LayoutTables
@testable import ListTables

/// Tests of footers, and of headers that stay at the top of the viewport.
@Suite struct PinnedHeadersTests {
  /// - Parameter headers: The rows of the variant that has the headers, or nil if it is that of the cells.
  private func arrange(
    _ rows: [SampleList.Row], headers: [SampleList.Row]? = nil, pinsHeaders: Bool = true
  ) throws -> (MappedTables, Arrangement) {
    let list = try SampleList(rows)
    let wide = try headers.map { try SampleList($0, variant: "wide") }
    if let wide { try FileManager.default.moveItem(atPath: wide.path, toPath: list.directory + "/wide") }
    let source = try ArrangementSource(
      list.path, ArrangementRules(columns: 1, insets: ListInsets(top: 10, bottom: 20)), headerClasses: ["Header"],
      footerClasses: ["Footer"], pinsHeaders: pinsHeaders,
      headersFrom: wide == nil ? list.path : list.directory + "/wide")
    let summary = try source.summary()
    var table = try ArrangementTable(in: list.path, metadata: summary.metadata(source))
    var frames = source.rows
    while let frame = try frames.next() {
      try table.append(x: frame.x, y: frame.y, width: frame.width, height: frame.height, column: frame.column)
    }
    try table.finish()
    let tables = try MappedTables(list.path)
    return (tables, try #require(try tables.arrangement()))
  }

  private static let rows: [SampleList.Row] = [
    .init(id: "a", height: 40, cell: "Header"), .init(id: "b", height: 100), .init(id: "c", height: 100),
    .init(id: "d", height: 30, cell: "Footer"), .init(id: "e", height: 50, cell: "Header"), .init(id: "f", height: 200),
  ]

  @Test func aFooterLiesBelowTheCellsOfItsSection() throws {
    let (_, arrangement) = try arrange(Self.rows)
    // The insets are between a header and the first cell, and between the last cell and a footer.
    #expect(Self.rows.indices.map { arrangement.frame(of: $0).y } == [0, 50, 150, 270, 300, 360])
    #expect(arrangement.summary.contentHeight == 580)
  }

  @Test func aHeaderStaysAtTheTopUntilTheNextOnePushesItAway() throws {
    let (_, arrangement) = try arrange(Self.rows)
    func header(_ offset: Double) -> [Double] {
      arrangement.pinnedHeader(at: offset).map { [Double($0.row), $0.frame.y] } ?? []
    }
    #expect(header(-1) == [])
    #expect(header(0) == [0, 0] && header(200) == [0, 200] && header(260) == [0, 260])
    // The next header begins at 300 points.
    #expect(header(285) == [0, 260] && header(299.5) == [0, 260] && header(300) == [4, 300])
    #expect(header(530) == [4, 530] && header(570) == [4, 530] && header(580) == [])
    let (_, plain) = try arrange(Self.rows, pinsHeaders: false)
    #expect(plain.pinnedHeader(at: 200) == nil)
  }

  @Test func aFooterPushesTheHeaderAway() throws {
    let rows = Self.rows.prefix(4) + [SampleList.Row(id: "e", height: 200), .init(id: "f", height: 200)]
    let (_, arrangement) = try arrange(Array(rows))
    // The footer ends at 300 points.
    #expect(arrangement.pinnedHeader(at: 250)?.frame.y == 250 && arrangement.pinnedHeader(at: 280)?.frame.y == 260)
    #expect(arrangement.pinnedHeader(at: 300) == nil && arrangement.pinnedHeader(at: 500) == nil)
  }

  /// Headers and footers have the size and the resources of the variant of the list's width.
  @Test func headersAreThoseOfTheirOwnVariant() throws {
    func row(_ id: String, _ cell: String, _ height: Float, error: String? = nil) -> SampleList.Row {
      let frames = [SampleList.Frame(node: "n", type: 2, width: height * 2, height: height, url: id)]
      return .init(id: id, height: height, frames: error == nil ? frames : [], error: error, cell: cell)
    }
    let narrow = [
      row("a", "Header", 40), row("b", "Cell", 100), row("c", "Header", 0, error: "line 3: it is bad"),
      row("d", "Cell", 100), row("e", "Footer", 0, error: "line 5: it is bad"), row("f", "Cell", 100),
    ]
    let wide = [
      row("a", "Header", 50), row("b", "Cell", 20), row("c", "Header", 60), row("d", "Cell", 20),
      row("e", "Footer", 30), row("f", "Cell", 20),
    ]
    let (tables, arrangement) = try arrange(narrow, headers: wide)
    let planner = PrefetchPlanner(tables, placement: RowPlacement(arrangement))
    let query = PrefetchQuery(offset: 0, viewport: arrangement.summary.contentHeight)
    let resources = try planner.resources(of: planner.answer(query), for: query)
    #expect(resources.map(\.url) == ["a", "b", "c", "d", "e", "f"])
    #expect(resources.map(\.pixelHeight) == [100, 200, 120, 200, 60, 200])
    #expect(resources.map(\.pixelWidth) == [200, 400, 240, 400, 120, 400])
    // The second header begins at 180 points, and its footer ends at 400.
    #expect(arrangement.pinnedHeader(at: 200)?.row == 2 && arrangement.pinnedHeader(at: 399)?.frame.y == 340)
    #expect(arrangement.pinnedHeader(at: 400) == nil)
    var tracker = InterfaceStateTracker(planner)
    let visible = tracker.update(query).filter { $0.callback == .didEnterVisibleState }
    #expect(visible.map(\.row) == Array(0..<6))
  }

  /// The rows between a pinned header and the viewport are many.
  @Test func resourcesFarBelowAHeaderAreReadApartFromIt() throws {
    let frame = SampleList.Frame(node: "n", type: 2, width: 1, height: 1, url: "u")
    let rows = (0..<3000).map {
      SampleList.Row(id: "\($0)", height: 10, frames: [frame], cell: $0 == 0 ? "Header" : "Cell")
    }
    let (tables, _) = try arrange(rows)
    let cursor = PrefetchCursor(tables.resources, headers: nil)
    #expect(cursor.runs(of: [2500..<2510, 0..<1, 2400..<2450]) == [0..<1, 2400..<2510])
  }

  @Test func aPinnedHeaderIsVisible() throws {
    let (tables, arrangement) = try arrange(Self.rows)
    let planner = PrefetchPlanner(tables, placement: RowPlacement(arrangement))
    let query = PrefetchQuery(offset: 160, viewport: 50, mode: .visibleOnly)
    #expect(planner.answer(query).visible == RowRanges(0..<1, [2..<3]))
    #expect(planner.answer(query).preload == RowRanges(0..<1, [2..<3]))
    // The first header is above the display range.
    let full = planner.answer(PrefetchQuery(offset: 290, viewport: 20))
    #expect(full.visible == RowRanges(0..<1, [3..<5]) && full.display == RowRanges(0..<1, [3..<5]))
    let low = planner.answer(PrefetchQuery(offset: 160, viewport: 50, mode: .lowMemory))
    #expect(low.visible == RowRanges(0..<1, [2..<3]) && low.display.isEmpty)
  }

  @Test func theVisibleRowsAreThoseThatOverlapTheViewportAndThePinnedHeader() throws {
    var random = SplitMix(seed: 1)
    for _ in 0..<20 {
      let rows = (0..<60).map { row in
        SampleList.Row(
          id: "\(row)", height: random.below(8) == 0 ? 0 : Float(1 + random.below(100)),
          cell: ["Cell", "Cell", "Header", "Footer"][random.below(4)])
      }
      let (tables, arrangement) = try arrange(rows)
      let planner = PrefetchPlanner(tables, placement: RowPlacement(arrangement))
      for _ in 0..<100 {
        let offset = (random.unit() * 1.2 - 0.1) * arrangement.summary.contentHeight
        let viewport = Double(1 + random.below(300))
        let query = PrefetchQuery(offset: offset, viewport: viewport)
        let visible = planner.answer(query).visible
        let (top, bottom) = (offset + query.tolerance, offset + viewport - query.tolerance)
        var expected = Set(arrangement.rows(overlapping: top, bottom).joined())
        // The header of the section at the top.
        let header = rows.indices.last {
          rows[$0].cell == "Header" && rows[$0].height > 0 && arrangement.frame(of: $0).y <= top
        }
        if let header {
          // A footer ends the section, behind which rows have no header.
          let footer = rows.indices.first { $0 > header && rows[$0].cell == "Footer" && rows[$0].height > 0 }
          let end = footer.map { arrangement.frame(of: $0).y + Double(rows[$0].height) } ?? .infinity
          if top < min(end, arrangement.summary.contentHeight) { expected.insert(header) }
        }
        #expect(Set(visible.ranges.joined()) == expected, "\(offset) \(viewport)")
        #expect(visible.ranges == visible.ranges.sorted { $0.lowerBound < $1.lowerBound })
      }
    }
  }
}
