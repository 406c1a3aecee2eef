import SeededRandom
import Testing

@testable import ListTables

/// Tests of the positions of rows along the axis of a list.
@Suite struct RowPlacementTests {
  /// Returns rows of random heights and widths.
  private func randomRows(_ random: inout SplitMix) -> [SampleList.Row] {
    var rows = SampleList.randomRows(60, &random)
    for row in rows.indices { rows[row].width = rows[row].error == nil ? Float(random.below(800)) / 2 : 0 }
    return rows
  }

  private func placement(
    _ axis: ListAxis, _ heights: Heights, _ margins: ListInsets = ListInsets()
  ) throws -> RowPlacement {
    switch axis {
    case .vertical, .inverted: RowPlacement(heights, isInverted: axis == .inverted, contentMargins: margins)
    case .horizontal, .rightToLeft:
      RowPlacement(try HorizontalRows(heights), isRightToLeft: axis == .rightToLeft, contentMargins: margins)
    }
  }

  private static let margins = ListInsets(top: 47, left: 59, bottom: 34, right: 11)

  private func randomQuery(_ random: inout SplitMix, _ axis: ListAxis, content: Double) -> PrefetchQuery {
    let directions: [ScrollDirection?] = [nil, axis.directions[0], axis.directions[1]]
    return PrefetchQuery(
      offset: ((random.unit() * 1.4 - 0.2) * content).rounded(), viewport: Double(random.below(900)),
      direction: directions[random.below(3)], mode: [.full, .minimum, .visibleOnly][random.below(3)])
  }

  @Test(arguments: ListAxis.allCases)
  func theVisibleRowsAreThoseOnTheScreen(axis: ListAxis) throws {
    var random = SplitMix(seed: 1)
    let sample = try SampleList(randomRows(&random))
    let tables = try MappedTables(sample.path)
    let placement = try placement(axis, tables.heights, Self.margins)
    let planner = PrefetchPlanner(tables, placement: placement)
    let isHorizontal = [.horizontal, .rightToLeft].contains(axis)
    let lengths = sample.rows.map { row in Double(isHorizontal && row.height > 0 ? row.width : row.height) }
    #expect(placement.axis == axis && placement.contentLength == lengths.reduce(isHorizontal ? 70 : 81, +))
    for _ in 0..<400 {
      let query = randomQuery(&random, axis, content: placement.contentLength)
      let visible = planner.answer(query).visible
      for row in lengths.indices where lengths[row] > 0 {
        let position = placement.screenPosition(of: row, offset: query.offset, viewport: query.viewport)
        let isOnScreen = position < query.viewport && position + lengths[row] > 0 && query.viewport > 0
        #expect(visible.contains(row) == isOnScreen, "\(query) \(row)")
      }
    }
  }

  /// An inverted list is a list whose view is flipped: with the direction of its content, all decisions are the same.
  @Test func anInvertedListHasTheAnswersOfAListWhoseDirectionIsFlipped() throws {
    var random = SplitMix(seed: 2)
    let sample = try SampleList(randomRows(&random))
    let tables = try MappedTables(sample.path)
    let vertical = PrefetchPlanner(tables)
    let inverted = PrefetchPlanner(tables, placement: RowPlacement(tables.heights, isInverted: true))
    for _ in 0..<400 {
      let query = randomQuery(&random, .vertical, content: vertical.placement.contentLength)
      var flipped = query
      flipped.direction = query.direction?.opposite
      let answer = inverted.answer(flipped)
      #expect(answer == vertical.answer(query), "\(query)")
      #expect(
        try inverted.resources(of: answer, for: flipped) == vertical.resources(of: answer, for: query), "\(query)")
    }
  }

  @Test(arguments: ListAxis.allCases)
  func aMarginIsAtItsEdgeOfTheScreen(axis: ListAxis) throws {
    let sample = try SampleList([.init(id: "a", height: 100, width: 100)])
    let placement = try placement(axis, try MappedTables(sample.path).heights, Self.margins)
    // The viewport is as long as the content.
    let position = placement.screenPosition(of: 0, offset: 0, viewport: placement.contentLength)
    #expect(position == ([.vertical, .inverted].contains(axis) ? 47 : 59))
  }

  /// From right to left, everything is the mirror image of a list from left to right.
  @Test func aListFromRightToLeftIsMirrored() throws {
    var random = SplitMix(seed: 3)
    let sample = try SampleList(randomRows(&random))
    let tables = try MappedTables(sample.path)
    let left = PrefetchPlanner(tables, placement: try placement(.horizontal, tables.heights))
    let right = PrefetchPlanner(tables, placement: try placement(.rightToLeft, tables.heights))
    let content = left.placement.contentLength
    for _ in 0..<400 {
      let query = randomQuery(&random, .horizontal, content: content)
      var mirrored = query
      mirrored.offset = content - query.viewport - query.offset
      mirrored.direction = query.direction?.opposite
      let answer = right.answer(mirrored)
      #expect(answer == left.answer(query), "\(query)")
      #expect(try right.resources(of: answer, for: mirrored) == left.resources(of: answer, for: query), "\(query)")
    }
  }

  @Test func aRowThatTouchesTheViewportFromRightToLeftIsNotVisible() throws {
    let sample = try SampleList((0..<14).map { .init(id: "\($0)", height: 50, width: 100) })
    let tables = try MappedTables(sample.path)
    let planner = PrefetchPlanner(tables, placement: try placement(.rightToLeft, tables.heights))
    // 1400 - 360.6 - 400 + 360.6 is above 1000, where row 10 begins.
    let query = PrefetchQuery(offset: 400, viewport: 360.6, mode: .visibleOnly)
    #expect(planner.answer(query).visible == RowRanges(6..<10))
    let long = try SampleList((0..<40).map { .init(id: "\($0)", height: 50, width: 100) })
    let longTables = try MappedTables(long.path)
    let longPlanner = PrefetchPlanner(longTables, placement: try placement(.rightToLeft, longTables.heights))
    // 4000 - 392.73 - 1607.27 is below 2000, where row 19 ends.
    let touching = PrefetchQuery(offset: 1607.2727272727273, viewport: 392.72727272727275, mode: .visibleOnly)
    #expect(longPlanner.answer(touching).visible == RowRanges(20..<24))
  }

  /// The page has 411.428571 points on the screen, and 411.428558 in the table.
  @Test(arguments: ListAxis.allCases)
  func aPagerOnAScreenOfFractionalPointsShowsOnePage(axis: ListAxis) throws {
    let screen = 1080 / 2.625
    let sample = try SampleList(
      (0..<1000).map { .init(id: "\($0)", height: Float(screen), width: Float(screen)) })
    let tables = try MappedTables(sample.path)
    let planner = PrefetchPlanner(tables, placement: try placement(axis, tables.heights))
    for page in 0..<1000 {
      let offset = Double(axis == .rightToLeft ? 999 - page : page) * screen
      let answer = planner.answer(PrefetchQuery(offset: offset, viewport: screen, mode: .visibleOnly))
      #expect(answer.visible == RowRanges(page..<page + 1))
    }
  }

  @Test func aRowIsAsLongAsItsCellIsWide() throws {
    let sample = try SampleList([
      .init(id: "a", height: 80, width: 120), .init(id: "b", height: 0, width: 50),
      .init(id: "c", height: 100, width: 40.5),
    ])
    let rows = try HorizontalRows(try MappedTables(sample.path).heights)
    #expect(rows.rowCount == 3 && rows.contentWidth == 160.5 && rows.height == 100)
    #expect((0...3).map { rows.offset(of: $0) } == [0, 120, 120, 160.5])
    #expect((0..<3).map { rows.width(of: $0) } == [120, 0, 40.5])
    #expect([-5, 0, 119.5, 120, 160.5].map { rows.row(at: $0) } == [0, 0, 0, 2, nil])
    #expect(rows.rows(overlapping: 100, 120) == 0..<1 && rows.rows(overlapping: 120, 130) == 2..<3)
    #expect(rows.rows(overlapping: 500, 600) == 3..<3 && rows.rows(overlapping: 130, 130) == 2..<2)
  }

  /// A pager is a list whose rows are as wide as its viewport.
  @Test func aPagerShowsOnePageAtAMultipleOfItsWidth() throws {
    let sample = try SampleList((0..<5).map { .init(id: "\($0)", height: 600, width: 390) })
    let rows = try HorizontalRows(try MappedTables(sample.path).heights)
    for page in 0..<5 {
      let offset = 390 * Double(page)
      #expect(rows.row(at: offset) == page && rows.rows(overlapping: offset, offset + 390) == page..<page + 1)
      let placement = RowPlacement(rows, isRightToLeft: true)
      #expect(placement.screenPosition(of: page, offset: rows.contentWidth - 390 - offset, viewport: 390) == 0)
    }
  }

  @Test func theFirstRowOfAnInvertedListLiesAtTheBottom() throws {
    let sample = try SampleList([.init(id: "newest", height: 30), .init(id: "older", height: 50)])
    let placement = RowPlacement(try MappedTables(sample.path).heights, isInverted: true)
    #expect(placement.screenPosition(of: 0, offset: 0, viewport: 100) == 70)
    #expect(placement.screenPosition(of: 1, offset: 0, viewport: 100) == 20)
    // Scrolled by 10 points to older rows, the newest row leaves the screen at the bottom.
    #expect(placement.screenPosition(of: 0, offset: 10, viewport: 100) == 80)
  }
}
