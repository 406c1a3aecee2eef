import Buffers

/// Finds the rows and the resources that a list needs at a position, by the rules of Texture's `ASRangeController` and
/// `ASAbstractLayoutController` (layout-semantics 9 and 10).
///
/// A planner is a value on the tables of a variant. It can be used from all threads.
///
/// ```swift
/// let planner = PrefetchPlanner(try MappedTables("tables/w390"))
/// let query = PrefetchQuery(offset: 12_000, viewport: 844)
/// let answer = planner.answer(query)
/// for resource in try planner.resources(of: answer, for: query) { … }
/// ```
public struct PrefetchPlanner: Sendable {
  private let tables: MappedTables
  /// The positions of the rows.
  public let placement: RowPlacement

  /// Creates a planner.
  ///
  /// - Parameters:
  ///   - tables: The tables of a variant.
  ///   - placement: The positions of the rows if they are arranged. By default each row is below the one before.
  public init(_ tables: MappedTables, placement: RowPlacement? = nil) {
    self.tables = tables
    self.placement = placement ?? RowPlacement(tables.heights)
  }

  /// Returns the ranges of rows, and whether to ask for more rows. The cost is the logarithm of the number of rows. No
  /// number in a query is an error here: with a length that is negative or not a number, ranges are empty.
  public func answer(_ query: PrefetchQuery) -> PrefetchAnswer {
    let intervals = RangeIntervals(query, placement.axis, contentLength: placement.contentLength)
    let pinnedRow = query.viewport > 0 ? placement.pinnedRow?(intervals.visible.lower) : nil
    func rows(_ interval: RangeIntervals.Interval) -> RowRanges {
      let rows = placement.rows(interval.lower, interval.upper)
      return pinnedRow.map { rows.inserting($0) } ?? rows
    }
    let visible = rows(intervals.visible)
    // A range without an interval would begin where the visible rows do.
    let none = RowRanges(visible.first.lowerBound..<visible.first.lowerBound)
    let batch = BatchFetching(query, placement.axis, contentLength: placement.contentLength)
    return PrefetchAnswer(
      visible: visible, display: intervals.display.map(rows) ?? none, preload: intervals.preload.map(rows) ?? none,
      fetchesNextBatch: batch.fetchesNextBatch, remaining: batch.remaining, remainingTime: batch.remainingTime)
  }

  /// Returns the resources of an answer's rows in the order in which they are needed: those of the visible rows in the
  /// direction of travel, then those of the other rows of the display range, then those of the preload range. In these
  /// two ranges the rows ahead precede those behind, and on each side the nearest row is the first. A URL comes once.
  ///
  /// - Throws: `TableError` if the tables are damaged at one of these rows, or have changed since they were opened.
  public func resources(
    of answer: PrefetchAnswer, for query: PrefetchQuery
  ) throws(TableError) -> [PrefetchResource] {
    try resources(of: answer, for: query, cursor())
  }

  package func resources(
    of answer: PrefetchAnswer, for query: PrefetchQuery, _ cursor: PrefetchCursor
  ) throws(TableError) -> [PrefetchResource] {
    var order = PrefetchOrder()
    let parts = parts(of: answer, for: query)
    let runs = cursor.runs(of: parts.map(\.rows))
    for part in parts {
      let resources = try cursor.resources(of: part.rows, among: runs).filter { hasLength($0.row) }
      order.append(resources, part.range, isReversed: part.isReversed)
    }
    return order.resources
  }

  /// Returns a reader with which the resources of many queries are found fast, if the queries are those of a scroll.
  package func cursor() -> PrefetchCursor { PrefetchCursor(tables.resources, headers: placement.headerResources) }

  /// Returns whether a row has a length. A row without one can be between the rows of a range, but overlaps nothing.
  func hasLength(_ row: Int) -> Bool { placement.length(row) > 0 }

  // MARK: Order of rows

  /// Rows that follow each other in the order of need.
  private struct Part {
    let rows: Range<Int>
    let range: PrefetchRange
    /// Whether the last row is needed first.
    let isReversed: Bool
  }

  private func parts(of answer: PrefetchAnswer, for query: PrefetchQuery) -> [Part] {
    let visible = answer.visible.ranges
    let others = answer.display.ranges.subtracting(visible)
    let further = answer.preload.ranges.subtracting(visible).subtracting(answer.display.ranges)
    let isBackward = placement.axis.isBackward(query.direction)
    let intervals = RangeIntervals(query, placement.axis, contentLength: placement.contentLength)
    let viewportEnd = intervals.visible.upper
    return Self.parts(visible, .visible, isReversed: isBackward)
      + partsAround(others, .display, viewportEnd, isBackward: isBackward)
      + partsAround(further, .preload, viewportEnd, isBackward: isBackward)
  }

  private static func parts(_ rows: [Range<Int>], _ range: PrefetchRange, isReversed: Bool) -> [Part] {
    let parts = rows.map { Part(rows: $0, range: range, isReversed: isReversed) }
    return isReversed ? parts.reversed() : parts
  }

  /// Returns parts of rows that are not visible: those ahead of the viewport, then those behind it.
  private func partsAround(
    _ rows: [Range<Int>], _ range: PrefetchRange, _ viewportEnd: Double, isBackward: Bool
  ) -> [Part] {
    var before: [Range<Int>] = []
    var after: [Range<Int>] = []
    for run in rows {
      let split = run.lowerBound + partitionPoint(run.count) { placement.start(run.lowerBound + $0) < viewportEnd }
      if run.lowerBound < split { before.append(run.lowerBound..<split) }
      if split < run.upperBound { after.append(split..<run.upperBound) }
    }
    let backward = Self.parts(before, range, isReversed: true)
    let forward = Self.parts(after, range, isReversed: false)
    return isBackward ? backward + forward : forward + backward
  }
}
