import SeededRandom
import Testing

@testable import ListTables

/// Tests of simulated scrolls.
@Suite struct PrefetchReplayTests {
  private typealias Line = PrefetchReplay.Line

  /// Returns the planner of a list with rows of 100 points, each with a resource of 10 × 10 pixels.
  private func planner(rows: Int) throws -> PrefetchPlanner {
    let sample = try SampleList(
      (0..<rows).map {
        .init(id: "\($0)", height: 100, frames: [.init(node: "a", type: 2, width: 5, height: 5, url: "\($0)")])
      })
    return try withExtendedLifetime(sample) { PrefetchPlanner(try MappedTables(sample.path)) }
  }

  private func connection(bandwidth: Double, latency: Double = 0) throws -> PrefetchReplay.Connection {
    try #require(PrefetchReplay.Connection(bandwidth: bandwidth, latency: latency, bytesPerPixel: 1))
  }

  // MARK: Cases computed by hand

  /// Each resource has 100 bytes and takes 1 s + 1 s. The mode of the only line is minimum, but only what is visible is
  /// loaded after the last line: rows 0 and 1, until 2 s and 4 s.
  @Test func theResourcesOfALineAreLoadedOneAfterTheOther() throws {
    let planner = try planner(rows: 20)
    let result = try PrefetchReplay.run(
      [Line(time: 5, offset: 0)], viewport: 200, planner: planner,
      connection: connection(bandwidth: 100, latency: 1))
    #expect(result.visibleCount == 2 && result.readyCount == 0 && result.neverLoadedCount == 0)
    #expect(result.delays == [2, 4])
    #expect(result.loadedCount == 2 && result.loadedBytes == 200 && result.unusedCount == 0)
  }

  /// A resource takes 1 s. At 0 s the mode is minimum: visible 0, 1; preload to 300 points: row 2. They are there at
  /// 1 s, 2 s, 3 s. At 10 s the viewport has rows 2 and 3: row 2 is there, row 3 at 11 s. The display range to 600 has
  /// rows 4 and 5, the preload range to 900 rows 6, 7, 8: there at 12 s to 16 s. At 13.5 s the viewport has rows 3 and
  /// 4, which are there; of rows 5 to 9, row 5 is being loaded until 14 s, although nothing but the visible rows is
  /// loaded after the last line. It never becomes visible.
  @Test func aScrollLoadsWhatItNeedsNext() throws {
    let planner = try planner(rows: 20)
    let result = try PrefetchReplay.run(
      [Line(time: 0, offset: 0), Line(time: 10, offset: 200), Line(time: 13.5, offset: 300)], viewport: 200,
      planner: planner, connection: connection(bandwidth: 100))
    #expect(result.visibleCount == 5)
    #expect(result.delays == [1, 1, 2])
    #expect(result.readyCount == 2 && result.neverLoadedCount == 0)
    #expect(result.loadedCount == 7 && result.unusedCount == 2)
    #expect(result.unusedBytes == 200 && result.loadedBytes == 700)
  }

  /// A resource takes 1 s. At 0.5 s the list is elsewhere: only row 0 was begun, row 1 is dropped. Rows 10 and 11 are
  /// there at 2 s and 3 s.
  @Test func aResourceThatIsNotBegunIsDroppedWhenItIsNotNeeded() throws {
    let planner = try planner(rows: 20)
    let result = try PrefetchReplay.run(
      [Line(time: 0, offset: 0), Line(time: 0.5, offset: 1000)], viewport: 200, planner: planner,
      connection: connection(bandwidth: 100))
    #expect(result.visibleCount == 4 && result.neverLoadedCount == 1)
    #expect(result.delays == [1, 1.5, 2.5])
  }

  /// A resource takes 1 s. In mode minimum rows 10, 11, 12 and 9 are there at 1 s to 4 s. At 100 s the list moves up:
  /// rows 8, 7, 6 and 5 are there at 101 s to 104 s, also because the second line of that time is upward too. If it were
  /// downward, rows 13, 14 and 15 would precede row 7.
  @Test func aLineWithTheSameOffsetKeepsTheDirection() throws {
    let planner = try planner(rows: 20)
    let lines = [
      Line(time: 0, offset: 1000), Line(time: 100, offset: 900), Line(time: 100, offset: 900),
      Line(time: 104, offset: 500),
    ]
    let result = try PrefetchReplay.run(
      lines, viewport: 200, planner: planner, connection: connection(bandwidth: 100))
    #expect(result.visibleCount == 5)
    #expect(result.delays == [1, 2])
  }

  @Test func theModeIsMinimumUntilTheListIsScrolled() throws {
    let planner = try planner(rows: 20)
    let still = [Line(time: 0, offset: 0), Line(time: 100, offset: 0), Line(time: 200, offset: 0)]
    let fast = try connection(bandwidth: .infinity)
    let minimum = try PrefetchReplay.run(still, viewport: 200, planner: planner, connection: fast)
    #expect(minimum.loadedCount == 3)
    let scrolled = [Line(time: 0, offset: 0), Line(time: 100, offset: 1), Line(time: 200, offset: 1)]
    let full = try PrefetchReplay.run(scrolled, viewport: 200, planner: planner, connection: fast)
    #expect(full.loadedCount == 8)
    let none = TuningParameters(leading: 0, trailing: 0)
    let own = try PrefetchReplay.run(
      scrolled, viewport: 200, planner: planner, connection: fast, display: none, preload: none)
    #expect(own.loadedCount == 3)
  }

  @Test func aConnectionNeedsNumbersThatMakeSense() {
    func isAccepted(_ bandwidth: Double, _ latency: Double, _ bytes: Double) -> Bool {
      PrefetchReplay.Connection(bandwidth: bandwidth, latency: latency, bytesPerPixel: bytes) != nil
    }
    #expect(isAccepted(1, 0, 0) && isAccepted(.infinity, 0, 1))
    #expect(!isAccepted(0, 0, 1) && !isAccepted(-1, 0, 1) && !isAccepted(.nan, 0, 1))
    #expect(!isAccepted(1, -1, 1) && !isAccepted(1, .nan, 1) && !isAccepted(1, .infinity, 1))
    #expect(!isAccepted(1, 0, -1) && !isAccepted(1, 0, .nan) && !isAccepted(1, 0, .infinity))
  }

  @Test func quantilesAreByTheNearestRank() {
    func result(_ delays: [Double]) -> PrefetchReplayResult {
      PrefetchReplayResult(
        visibleCount: 0, delays: delays, lateTimes: [], neverLoadedCount: 0, loadedCount: 0, loadedBytes: 0,
        unusedCount: 0, unusedBytes: 0)
    }
    #expect(result([]).delay(atQuantile: 0.5) == nil)
    #expect(result([7]).delay(atQuantile: 0.5) == 7)
    let twenty = result((1...20).map(Double.init))
    #expect(twenty.delay(atQuantile: 0.5) == 10)
    #expect(twenty.delay(atQuantile: 0.95) == 19)
    #expect(twenty.delay(atQuantile: 1) == 20)
    #expect(twenty.delay(atQuantile: 0) == nil && twenty.delay(atQuantile: 1.5) == nil)
  }

  // MARK: Properties

  private func randomScroll(_ random: inout SplitMix, content: Double) -> [Line] {
    var time = 0.0
    return (0...random.below(30)).map { _ in
      time += Double(random.below(4)) / 4
      return Line(time: time, offset: random.unit() * content)
    }
  }

  @Test func aConnectionThatTakesNoTimeHasEverythingWhenItIsVisible() throws {
    var random = SplitMix(seed: 1)
    let planner = try planner(rows: 60)
    let connection = try connection(bandwidth: .infinity)
    for _ in 0..<60 {
      let lines = randomScroll(&random, content: 6000)
      let result = try PrefetchReplay.run(lines, viewport: 250, planner: planner, connection: connection)
      #expect(result.delays.isEmpty && result.neverLoadedCount == 0)
      #expect(result.readyCount == result.visibleCount && result.visibleCount > 0)
    }
  }

  @Test func theCountsOfAnyScrollAgree() throws {
    var random = SplitMix(seed: 2)
    let sample = try SampleList(SampleList.randomRows(80, &random))
    let planner = PrefetchPlanner(try MappedTables(sample.path))
    for _ in 0..<60 {
      let lines = randomScroll(&random, content: planner.placement.contentLength)
      let result = try PrefetchReplay.run(
        lines, viewport: 300, planner: planner,
        connection: connection(bandwidth: 1e3 + random.unit() * 1e6, latency: random.unit() / 4))
      #expect(result.readyCount >= 0 && result.lateTimes.count == result.delays.count)
      #expect(result.loadedCount == result.visibleCount - result.neverLoadedCount + result.unusedCount)
      #expect(result.unusedBytes <= result.loadedBytes)
      #expect(result.delays.allSatisfy { $0 > 0 && $0.isFinite } && result.delays == result.delays.sorted())
    }
  }

  /// With several lines a faster connection may be later for a resource: it may have begun another one that is no longer
  /// needed, which it loads completely.
  @Test func aFasterConnectionIsNotLaterForAListThatDoesNotMove() throws {
    var random = SplitMix(seed: 3)
    let sample = try SampleList(SampleList.randomRows(80, &random))
    let planner = PrefetchPlanner(try MappedTables(sample.path))
    for _ in 0..<40 {
      let lines = [Line(time: 0, offset: random.unit() * planner.placement.contentLength)]
      let delays = try [1e4, 1e5, 1e6, .infinity].map { bandwidth in
        try PrefetchReplay.run(
          lines, viewport: 1000, planner: planner, connection: connection(bandwidth: bandwidth, latency: 0.1)
        ).delays
      }
      for (slow, fast) in zip(delays, delays.dropFirst()) {
        #expect(slow.count == fast.count && zip(slow, fast).allSatisfy { $0 >= $1 })
      }
    }
  }

  @Test func aScrollFromRightToLeftHasTheResultOfItsMirrorImage() throws {
    var random = SplitMix(seed: 4)
    var rows = SampleList.randomRows(80, &random)
    for row in rows.indices where rows[row].error == nil { rows[row].width = Float(1 + random.below(300)) }
    let sample = try SampleList(rows)
    let tables = try MappedTables(sample.path)
    let widths = try HorizontalRows(tables.heights)
    let left = PrefetchPlanner(tables, placement: RowPlacement(widths))
    let right = PrefetchPlanner(tables, placement: RowPlacement(widths, isRightToLeft: true))
    for _ in 0..<40 {
      let lines = randomScroll(&random, content: widths.contentWidth).map {
        Line(time: $0.time, offset: $0.offset.rounded())
      }
      let mirrored = lines.map { Line(time: $0.time, offset: widths.contentWidth - 300 - $0.offset) }
      let connection = try connection(bandwidth: 1e4 + random.unit() * 1e6, latency: 0.1)
      let results = try [(lines, left), (mirrored, right)].map { lines, planner in
        try PrefetchReplay.run(lines, viewport: 300, planner: planner, connection: connection)
      }
      #expect(results[0] == results[1])
    }
  }

  @Test func aScrollWithoutLinesNeedsNothing() throws {
    let planner = try planner(rows: 3)
    let result = try PrefetchReplay.run(
      [], viewport: 200, planner: planner, connection: connection(bandwidth: 100))
    #expect(result.visibleCount == 0 && result.loadedCount == 0)
  }
}
