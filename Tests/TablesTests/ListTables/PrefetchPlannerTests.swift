import Foundation
import SeededRandom
import Testing

@testable import ListTables

/// Tests of the ranges and resources that a planner finds in tables.
@Suite struct PrefetchPlannerTests {
  // MARK: Ranges

  /// A list whose rows are searched one by one.
  private struct NaiveList {
    let tops: [Double]
    let heights: [Double]

    init(_ heights: [Float]) {
      var y = 0.0
      tops = heights.map { height in
        defer { y += Double(height) }
        return y
      }
      self.heights = heights.map(Double.init)
    }

    func overlaps(_ row: Int, _ lower: Double, _ upper: Double) -> Bool {
      heights[row] > 0 && lower < upper && tops[row] < upper && tops[row] + heights[row] > lower
    }

    /// Returns whether a range is that of the rows that overlap an interval. It only searches rows around the range,
    /// because offsets never decrease from row to row.
    func isRange(_ rows: RowRanges, _ start: Double, _ end: Double, _ tolerance: Double) -> Bool {
      guard rows.others.isEmpty else { return false }
      let (lower, upper) = (start + tolerance, end - tolerance)
      let range = rows.first
      let before = stride(from: range.lowerBound - 1, through: 0, by: -1).first { heights[$0] > 0 }
      let after = (range.upperBound..<tops.count).first { heights[$0] > 0 }
      if let before, tops[before] + heights[before] > max(lower, 0) { return false }
      if range.isEmpty {
        if let after, overlaps(after, lower, upper) { return false }
        // An empty range begins at a row, or at the end.
        return range.lowerBound == (after ?? tops.count)
      }
      if let after, tops[after] < upper { return false }
      return overlaps(range.lowerBound, lower, upper) && overlaps(range.upperBound - 1, lower, upper)
    }
  }

  /// Returns the interval of a range, from the table of layout-semantics 9.
  private func interval(_ query: PrefetchQuery, _ leading: Double, _ trailing: Double) -> (Double, Double) {
    let isDown = query.direction == .down
    return (
      query.offset - query.viewport * (isDown ? trailing : leading),
      query.offset + query.viewport + query.viewport * (isDown ? leading : trailing)
    )
  }

  private func randomQuery(_ random: inout SplitMix, content: Double) -> PrefetchQuery {
    var query = PrefetchQuery(
      offset: (random.unit() * 1.5 - 0.25) * (content + 100),
      viewport: random.unit() * [0, 1, 900, content][random.below(4)],
      direction: ScrollDirection.allCases[random.below(2)], mode: RangeMode.allCases[random.below(4)])
    // Edges that touch need whole numbers.
    if random.below(2) == 0 {
      query.offset = query.offset.rounded()
      query.viewport = query.viewport.rounded()
    }
    func parameters(_ random: inout SplitMix) -> TuningParameters? {
      guard random.below(4) == 0 else { return nil }
      return TuningParameters(leading: Double(random.below(9)) / 2, trailing: Double(random.below(5)) / 4)
    }
    query.display = parameters(&random)
    query.preload = parameters(&random)
    query.leadingScreensForBatching = Double(random.below(6)) - 1
    return query
  }

  private func check(_ heights: [Float], queries: Int, _ random: inout SplitMix) throws {
    let sample = try SampleList(heights.enumerated().map { SampleList.Row(id: "\($0)", height: $1) })
    let planner = PrefetchPlanner(try MappedTables(sample.path))
    let list = NaiveList(heights)
    let content = list.heights.reduce(0, +)
    let defaults: [RangeMode: [(Double, Double)]] = [
      .full: [(1, 0.5), (2.5, 1.5)], .minimum: [(0.25, 0.25), (0.5, 0.25)], .visibleOnly: [(0, 0), (0, 0)],
    ]
    for _ in 0..<queries {
      let query = randomQuery(&random, content: content)
      let answer = planner.answer(query)
      var isRight = list.isRange(answer.visible, query.offset, query.offset + query.viewport, query.tolerance)
      if let parameters = defaults[query.mode] {
        let display = query.display.map { ($0.leading, $0.trailing) } ?? parameters[0]
        let preload = query.preload.map { ($0.leading, $0.trailing) } ?? parameters[1]
        let displayed = interval(query, display.0, display.1)
        let preloaded = interval(query, preload.0, preload.1)
        isRight = isRight && list.isRange(answer.display, displayed.0, displayed.1, query.tolerance)
        isRight = isRight && list.isRange(answer.preload, preloaded.0, preloaded.1, query.tolerance)
      } else {
        let none = answer.visible.first.lowerBound..<answer.visible.first.lowerBound
        isRight = isRight && answer.display == RowRanges(none) && answer.preload == RowRanges(none)
      }
      isRight = isRight && answer.remaining == content - query.viewport - query.offset
      isRight =
        isRight && answer.fetchesNextBatch == BatchFetching(query, .vertical, contentLength: content).fetchesNextBatch
      // An expectation for each query would take most of the time.
      if !isRight { Issue.record("\(query) has \(answer)") }
    }
  }

  @Test(arguments: [0, 1, 2, 3, 40, 3000])
  func rangesEqualThoseOfANaiveSearch(count: Int) throws {
    var random = SplitMix(seed: UInt64(count))
    let heights = (0..<count).map { _ in random.below(4) == 0 ? 0 : Float(random.below(1600)) / 4 }
    try check(heights, queries: 12_000, &random)
  }

  @Test func rangesOfAListWithoutHeightAreEmpty() throws {
    var random = SplitMix(seed: 7)
    try check([Float](repeating: 0, count: 500), queries: 1000, &random)
  }

  @Test func rangesOfAMillionRowsEqualThoseOfANaiveSearch() throws {
    var random = SplitMix(seed: 8)
    let heights = (0..<1_000_000).map { _ in random.below(4) == 0 ? 0 : Float(random.below(1600)) / 4 }
    try check(heights, queries: 9000, &random)
  }

  @Test func numbersThatAreNoLengthsGiveEmptyRanges() throws {
    let sample = try SampleList([.init(id: "a", height: 10), .init(id: "b", height: 10)])
    let planner = PrefetchPlanner(try MappedTables(sample.path))
    for query in [
      PrefetchQuery(offset: .nan, viewport: 10), PrefetchQuery(offset: 5, viewport: .nan),
      PrefetchQuery(offset: 5, viewport: -10), PrefetchQuery(offset: .infinity, viewport: 10),
      PrefetchQuery(offset: -.infinity, viewport: .infinity),
    ] {
      let answer = planner.answer(query)
      #expect(answer.visible.isEmpty, "\(query)")
      #expect(try planner.resources(of: answer, for: query).count == 0)
    }
    let all = planner.answer(PrefetchQuery(offset: -1e300, viewport: .infinity))
    #expect(all.visible == RowRanges(0..<2) && all.preload == RowRanges(0..<2))
  }

  // MARK: Resources

  /// Returns the resources of a query by sorting all rows by the order of need.
  private func naiveResources(_ sample: SampleList, _ query: PrefetchQuery) -> [PrefetchResource] {
    let list = NaiveList(sample.rows.map(\.height))
    let ranges = RangeIntervals(query, .vertical, contentLength: 0)
    let intervals = [ranges.visible, ranges.display, ranges.preload]
    let needed = sample.rows.indices.compactMap { row -> (rank: [Double], row: Int, range: PrefetchRange)? in
      guard
        let range = intervals.firstIndex(where: { interval in
          interval.map { list.overlaps(row, $0.lower, $0.upper) } ?? false
        })
      else { return nil }
      let isBelow = list.tops[row] >= ranges.visible.upper
      let isAhead = range == 0 || isBelow == (query.direction == .down)
      // The number of a row grows with its distance below the viewport, and falls above it.
      let isAscending = range == 0 ? query.direction == .down : isBelow
      return ([Double(range), isAhead ? 0 : 1, Double(isAscending ? row : -row)], row, PrefetchRange.allCases[range])
    }
    var resources: [PrefetchResource] = []
    for place in needed.sorted(by: { $0.rank.lexicographicallyPrecedes($1.rank) }) {
      for frame in sample.rows[place.row].frames {
        guard let url = frame.url else { continue }
        let (width, height) = (Int((frame.width * 2).rounded(.up)), Int((frame.height * 2).rounded(.up)))
        guard let known = resources.firstIndex(where: { $0.url == url }) else {
          resources.append(
            PrefetchResource(
              row: place.row, node: frame.node, type: SampleList.types[Int(frame.type)], url: url, pixelWidth: width,
              pixelHeight: height, range: place.range))
          continue
        }
        if width * height > resources[known].pixelWidth * resources[known].pixelHeight {
          resources[known].pixelWidth = width
          resources[known].pixelHeight = height
        }
      }
    }
    return resources
  }

  @Test func resourcesComeInTheOrderOfNeed() throws {
    var random = SplitMix(seed: 9)
    var found = 0
    for count in [1, 5, 60] {
      let sample = try SampleList(SampleList.randomRows(count, &random))
      let planner = PrefetchPlanner(try MappedTables(sample.path))
      for _ in 0..<300 {
        let query = randomQuery(&random, content: planner.placement.contentLength)
        let resources = try planner.resources(of: planner.answer(query), for: query)
        found += resources.count
        #expect(resources == naiveResources(sample, query), "\(query)")
      }
    }
    #expect(found > 1000)
  }

  /// Rows of 10 points with the URLs 0, 1, 2, …, of which the viewport shows rows 10 and 11.
  private func numbered(_ direction: ScrollDirection) throws -> [PrefetchResource] {
    let sample = try SampleList(
      (0..<30).map {
        .init(id: "\($0)", height: 10, frames: [.init(node: "a", type: 2, width: 1, height: 1, url: "\($0)")])
      })
    let planner = PrefetchPlanner(try MappedTables(sample.path))
    let query = PrefetchQuery(offset: 100, viewport: 20, direction: direction)
    return try planner.resources(of: planner.answer(query), for: query)
  }

  @Test func rowsAheadPrecedeRowsBehindNearestFirst() throws {
    let down = try numbered(.down)
    #expect(down.map(\.row) == [10, 11, 12, 13, 9, 14, 15, 16, 8, 7])
    #expect(down.map { $0.range.rawValue.prefix(1) }.joined() == "vvdddppppp")
    let up = try numbered(.up)
    #expect(up.map(\.row) == [11, 10, 9, 8, 12, 7, 6, 5, 13, 14])
  }

  @Test func aURLComesOnceInTheSizeWithTheLargestArea() throws {
    func frame(_ width: Float, _ height: Float, _ url: String = "u") -> SampleList.Frame {
      .init(node: "n\(Int(width))", type: 2, width: width, height: height, url: url)
    }
    let sample = try SampleList([
      .init(id: "0", height: 10, frames: [frame(30, 1), frame(2, 20), frame(3, 3, "e\u{301}")]),
      .init(id: "1", height: 10, frames: [frame(5, 9), frame(4, 4, "\u{e9}")]),
      // Beyond the preload range.
      .init(id: "2", height: 100), .init(id: "3", height: 10, frames: [frame(50, 50)]),
    ])
    let planner = PrefetchPlanner(try MappedTables(sample.path))
    let query = PrefetchQuery(offset: 0, viewport: 10)
    let resources = try planner.resources(of: planner.answer(query), for: query)
    // Strings that only differ in the composition of accents are other URLs.
    #expect(resources.map(\.url.utf8.count) == [1, 3, 2])
    let first = try #require(resources.first)
    #expect(first.pixelWidth == 10 && first.pixelHeight == 18)
    #expect(first.row == 0 && first.node == "n30" && first.range == .visible)
  }

  @Test func aRowWithoutHeightIsInNoRange() throws {
    let frame = SampleList.Frame(node: "a", type: 2, width: 1, height: 1, url: "u")
    let sample = try SampleList([
      .init(id: "0", height: 10), .init(id: "1", height: 0, frames: [frame]), .init(id: "2", height: 10),
    ])
    let planner = PrefetchPlanner(try MappedTables(sample.path))
    let query = PrefetchQuery(offset: 0, viewport: 20)
    #expect(planner.answer(query).visible == RowRanges(0..<3))
    #expect(try planner.resources(of: planner.answer(query), for: query).count == 0)
  }

  @Test func resourcesInAnotherOrderAreAnError() throws {
    let frame = SampleList.Frame(node: "a", type: 2, width: 1, height: 1, url: "u")
    let sample = try SampleList((0..<4).map { .init(id: "\($0)", height: 10, frames: [frame]) })
    let path = sample.path + "/resources.arrow"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    // The rows are four numbers that follow each other.
    let rows = (0..<4).flatMap { row in (0..<8).map { $0 == 0 ? UInt8(row) : 0 } }
    let place = try #require(bytes.firstRange(of: Data(rows)))
    bytes[place.lowerBound + 8] = 200
    try bytes.write(to: URL(fileURLWithPath: path))
    let planner = PrefetchPlanner(try MappedTables(sample.path))
    let query = PrefetchQuery(offset: 0, viewport: 40)
    #expect(throws: TableError.self) { _ = try planner.resources(of: planner.answer(query), for: query) }
  }

  // MARK: Arrangements

  /// A grid of two columns, with a gap of 10 points below each line of 10 points.
  @Test func rowsOfAnArrangementAreSeveralRanges() throws {
    let sample = try SampleList(
      (0..<40).map {
        .init(id: "\($0)", height: 10, frames: [.init(node: "a", type: 2, width: 1, height: 1, url: "\($0)")])
      })
    // Row 20 is moved far below.
    let top: @Sendable (Int) -> Double = { $0 == 20 ? 900 : Double($0 / 2) * 20 }
    let placement = RowPlacement(
      axis: .vertical, contentLength: 910, isArranged: true,
      rows: { lower, upper in
        let rows = (0..<40).filter { top($0) < upper && top($0) + 10 > lower }
        guard let first = rows.first, let last = rows.last else { return RowRanges(0..<0) }
        return first < 20 && last > 20 && !rows.contains(20)
          ? RowRanges(first..<20, [21..<last + 1]) : RowRanges(first..<last + 1)
      }, start: top, pinnedRow: nil, length: { _ in 10 }, headerResources: nil)
    let planner = PrefetchPlanner(try MappedTables(sample.path), placement: placement)
    let query = PrefetchQuery(offset: 175, viewport: 50)
    let answer = planner.answer(query)
    #expect(answer.visible == RowRanges(18..<20, [21..<24]))
    #expect(answer.remaining == 910 - 225)
    let rows = try planner.resources(of: answer, for: query).map(\.row)
    #expect(Array(rows.prefix(14)) == [18, 19, 21, 22, 23, 24, 25, 26, 27, 17, 16, 28, 29, 30])
    // A viewport in a gap shows no row, and has rows above and below.
    let gap = PrefetchQuery(offset: 92, viewport: 6, display: TuningParameters(leading: 2, trailing: 2))
    #expect(planner.answer(gap).visible.isEmpty)
    #expect(try planner.resources(of: planner.answer(gap), for: gap).map(\.row) == [10, 11, 9, 8])
  }
}
