import SeededRandom
import Testing

@testable import ListTables

/// Tests of the positions of rows along the axis of a list.
@Suite struct RowPlacementTests {
  /// Returns a placement of random rows, with their lengths.
  private func placement(
    _ axis: ListAxis, _ random: inout SplitMix
  ) throws -> (placement: RowPlacement, planner: PrefetchPlanner, lengths: [Double]) {
    let sample = try SampleList(SampleList.randomRows(60, &random))
    let tables = try MappedTables(sample.path)
    let placement = RowPlacement(tables.heights, isInverted: axis == .inverted)
    return (placement, PrefetchPlanner(tables, placement: placement), sample.rows.map { Double($0.height) })
  }

  private func randomQuery(_ random: inout SplitMix, _ axis: ListAxis, content: Double) -> PrefetchQuery {
    let directions: [ScrollDirection?] = [nil, axis.directions[0], axis.directions[1]]
    return PrefetchQuery(
      offset: ((random.unit() * 1.4 - 0.2) * content).rounded(), viewport: Double(random.below(900)),
      direction: directions[random.below(3)], mode: [.full, .minimum, .visibleOnly][random.below(3)])
  }

  @Test(arguments: ListAxis.allCases)
  func theVisibleRowsAreThoseOnTheScreen(axis: ListAxis) throws {
    var random = SplitMix(seed: 1)
    let (placement, planner, lengths) = try placement(axis, &random)
    #expect(placement.axis == axis && placement.contentLength == lengths.reduce(0, +))
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
    let sample = try SampleList(SampleList.randomRows(60, &random))
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

  @Test func theFirstRowOfAnInvertedListLiesAtTheBottom() throws {
    let sample = try SampleList([.init(id: "newest", height: 30), .init(id: "older", height: 50)])
    let placement = RowPlacement(try MappedTables(sample.path).heights, isInverted: true)
    #expect(placement.screenPosition(of: 0, offset: 0, viewport: 100) == 70)
    #expect(placement.screenPosition(of: 1, offset: 0, viewport: 100) == 20)
    // Scrolled by 10 points to older rows, the newest row leaves the screen at the bottom.
    #expect(placement.screenPosition(of: 0, offset: 10, viewport: 100) == 80)
  }
}
