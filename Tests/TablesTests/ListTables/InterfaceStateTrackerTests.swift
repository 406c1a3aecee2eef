import SeededRandom
import Testing

@testable import ListTables

/// Tests of the callbacks of interface states.
@Suite struct InterfaceStateTrackerTests {
  private typealias Event = InterfaceStateEvent

  private func planner(_ rows: [SampleList.Row]) throws -> PrefetchPlanner {
    let sample = try SampleList(rows)
    return try withExtendedLifetime(sample) { PrefetchPlanner(try MappedTables(sample.path)) }
  }

  private func events(_ callbacks: [InterfaceStateCallback], _ rows: Int...) -> [Event] {
    rows.flatMap { row in callbacks.map { Event(row: row, callback: $0) } }
  }

  // MARK: Properties

  /// Sets of rows that follow the callbacks, as an application does it.
  private struct FollowedStates {
    var visible: Set<Int> = []
    var display: Set<Int> = []
    var preload: Set<Int> = []

    /// Returns whether the callback changes a state.
    mutating func apply(_ event: Event) -> Bool {
      switch event.callback {
      case .didEnterVisibleState: visible.insert(event.row).inserted
      case .didExitVisibleState: visible.remove(event.row) != nil
      case .didEnterDisplayState: display.insert(event.row).inserted
      case .didExitDisplayState: display.remove(event.row) != nil
      case .didEnterPreloadState: preload.insert(event.row).inserted
      case .didExitPreloadState: preload.remove(event.row) != nil
      }
    }
  }

  private func randomQuery(_ random: inout SplitMix, content: Double) -> PrefetchQuery {
    PrefetchQuery(
      offset: (random.unit() * 1.4 - 0.2) * content, viewport: random.unit() * 900,
      direction: random.below(2) == 0 ? .down : .up, mode: [.full, .minimum, .visibleOnly][random.below(3)])
  }

  @Test(arguments: 0..<8)
  func callbacksFromAnyPositionReachTheRangesOfAQuery(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let sample = try SampleList(SampleList.randomRows(150, &random))
    let tables = try MappedTables(sample.path)
    // In lists of all axes, with and without margins.
    let margins = ListInsets(top: 40, left: 30, bottom: 20, right: 10)
    let placements = [
      RowPlacement(tables.heights), RowPlacement(tables.heights, isInverted: true, contentMargins: margins),
      RowPlacement(try HorizontalRows(tables.heights)),
      RowPlacement(try HorizontalRows(tables.heights), isRightToLeft: true, contentMargins: margins),
    ]
    let planner = PrefetchPlanner(tables, placement: placements[Int(seed) % placements.count])
    let directions = planner.placement.axis.directions
    var tracker = InterfaceStateTracker(planner)
    var followed = FollowedStates()
    for _ in 0..<60 {
      var query = randomQuery(&random, content: planner.placement.contentLength)
      query.direction = directions[random.below(2)]
      for event in tracker.update(query) {
        let isChange = followed.apply(event)
        #expect(isChange, "\(event)")
      }
      let answer = planner.answer(query)
      func rows(_ ranges: RowRanges) -> Set<Int> {
        Set(ranges.ranges.flatMap { $0 }.filter { sample.rows[$0].height > 0 })
      }
      #expect(followed.visible == rows(answer.visible), "\(query)")
      #expect(followed.display == rows(answer.display), "\(query)")
      #expect(followed.preload == rows(answer.preload), "\(query)")
      #expect(tracker.update(query).isEmpty)
    }
  }

  /// Texture asserts that a visible node is displayed.
  @Test func aVisibleRowIsDisplayedAndPreloaded() throws {
    var random = SplitMix(seed: 20)
    let planner = try planner(SampleList.randomRows(100, &random))
    var tracker = InterfaceStateTracker(planner)
    var followed = FollowedStates()
    for _ in 0..<200 {
      var query = randomQuery(&random, content: planner.placement.contentLength)
      query.mode = RangeMode.allCases[random.below(4)]
      query.isHidden = random.below(4) == 0
      for event in tracker.update(query) { _ = followed.apply(event) }
      #expect(followed.visible.isSubset(of: followed.display) && followed.display.isSubset(of: followed.preload))
      #expect(!query.isHidden || followed.visible.isEmpty)
    }
  }

  // MARK: Orders and cases computed by hand

  private static let enterAll: [InterfaceStateCallback] = [
    .didEnterPreloadState, .didEnterDisplayState, .didEnterVisibleState,
  ]

  private func rowsOf100Points(_ count: Int) -> [SampleList.Row] { (0..<count).map { .init(id: "\($0)", height: 100) } }

  @Test func rowsComeByUrgencyAndTheirCallbacksInTheOrderOfTexture() throws {
    let planner = try planner(rowsOf100Points(20))
    var tracker = InterfaceStateTracker(planner)
    // Visible 10; display from 950 to 1200: 9, 11; preload from 850 to 1350: 8, 12, 13.
    #expect(
      tracker.update(PrefetchQuery(offset: 1000, viewport: 100))
        == events(Self.enterAll, 10) + events([.didEnterPreloadState, .didEnterDisplayState], 9, 11)
        + events([.didEnterPreloadState], 8, 12, 13))
    // Visible 11; display 10, 12; preload 9, 13, 14.
    #expect(
      tracker.update(PrefetchQuery(offset: 1100, viewport: 100))
        == events([.didEnterVisibleState], 11) + events([.didExitVisibleState], 10)
        + events([.didEnterDisplayState], 12) + events([.didExitDisplayState], 9) + events([.didEnterPreloadState], 14)
        + events([.didExitPreloadState], 8))
    // Far away, all rows exit in ascending order, and preload precedes visible as when they enter.
    let last = tracker.update(PrefetchQuery(offset: 0, viewport: 0))
    #expect(
      last == events([.didExitPreloadState], 9) + events([.didExitPreloadState, .didExitDisplayState], 10)
        + events([.didExitPreloadState, .didExitDisplayState, .didExitVisibleState], 11)
        + events([.didExitPreloadState, .didExitDisplayState], 12) + events([.didExitPreloadState], 13, 14))
  }

  @Test func aListInNoWindowHasNoVisibleRows() throws {
    let planner = try planner(rowsOf100Points(20))
    func first(_ mode: RangeMode, isHidden: Bool) -> [Event] {
      var tracker = InterfaceStateTracker(planner)
      return tracker.update(PrefetchQuery(offset: 1000, viewport: 100, mode: mode, isHidden: isHidden))
    }
    #expect(
      first(.full, isHidden: true)
        == events([.didEnterPreloadState, .didEnterDisplayState], 10) + events([.didEnterPreloadState], 9, 11))
    #expect(first(.lowMemory, isHidden: true) == events([.didEnterPreloadState], 10))
    #expect(first(.lowMemory, isHidden: false) == events(Self.enterAll, 10))
  }
}
