import Foundation
import GalleyTestSupport
import SeededRandom
import Testing

@testable import ListTables

/// Tests of the rules of ranges and of batch fetching, which need no table.
@Suite struct PrefetchRulesTests {
  /// The facts that Texture's ASBatchFetchingTests.mm gives for vertical lists that are not fetching already.
  private struct BatchFetchingFact: Decodable {
    let test, scrollDirection: String
    let viewport, contentHeight, offset, leadingScreens: Double
    let expect: Bool
  }

  @Test func batchesAreFetchedWhenTextureFetchesThem() throws {
    let facts = try Fixtures.lines("batch-fetching.jsonl").map {
      try JSONDecoder().decode(BatchFetchingFact.self, from: $0)
    }
    #expect(facts.count == 24)
    for fact in facts {
      // Texture compares a direction only with those that lead to the list's beginning.
      let query = PrefetchQuery(
        offset: fact.offset, viewport: fact.viewport,
        direction: ["up", "left"].contains(fact.scrollDirection) ? .up : .down,
        leadingScreensForBatching: fact.leadingScreens)
      #expect(query.fetchesNextBatch(contentHeight: fact.contentHeight) == fact.expect, "\(fact)")
    }
  }

  @Test func theRulesOfBatchFetchingHaveAnOrder() {
    func fetches(_ query: PrefetchQuery, content: Double) -> Bool { query.fetchesNextBatch(contentHeight: content) }
    // No leading screens, and no viewport, precede everything.
    #expect(!fetches(PrefetchQuery(offset: 0, viewport: 10, leadingScreensForBatching: 0), content: 5))
    #expect(!fetches(PrefetchQuery(offset: 0, viewport: 10, leadingScreensForBatching: -1), content: 5))
    #expect(!fetches(PrefetchQuery(offset: 0, viewport: 0), content: 0))
    // Content that is shorter than the viewport precedes the direction.
    #expect(fetches(PrefetchQuery(offset: 0, viewport: 10, direction: .up), content: 9))
    #expect(!fetches(PrefetchQuery(offset: 0, viewport: 10, direction: .up), content: 10))
    // Two viewports remain, and a point more.
    #expect(fetches(PrefetchQuery(offset: 70, viewport: 10), content: 100))
    #expect(!fetches(PrefetchQuery(offset: 69, viewport: 10), content: 100))
    #expect(fetches(PrefetchQuery(offset: 500, viewport: 10), content: 100))
  }

  @Test(arguments: [
    (RangeMode.full, [1, 0.5], [2.5, 1.5]), (.minimum, [0.25, 0.25], [0.5, 0.25]), (.visibleOnly, [0, 0], [0, 0]),
    (.lowMemory, [0, 0], [0, 0]),
  ])
  func modesHaveTheParametersOfTexture(mode: RangeMode, display: [Double], preload: [Double]) {
    #expect([mode.display.leading, mode.display.trailing] == display)
    #expect([mode.preload.leading, mode.preload.trailing] == preload)
  }

  @Test func leadingIsInTheDirectionOfTravel() throws {
    var query = PrefetchQuery(offset: 1000, viewport: 100)
    #expect(try #require(query.displayInterval) == (950, 1200))
    #expect(try #require(query.preloadInterval) == (850, 1350))
    query.direction = .up
    #expect(try #require(query.displayInterval) == (900, 1150))
    #expect(try #require(query.preloadInterval) == (750, 1250))
    query.preload = TuningParameters(leading: 3, trailing: 0)
    #expect(try #require(query.preloadInterval) == (700, 1100))
    query.mode = .lowMemory
    #expect(query.displayInterval == nil && query.preloadInterval == nil)
    #expect(query.visibleInterval == (1000, 1100))
  }

  @Test func theDifferenceOfRowRangesEqualsThatOfSets() {
    var random = SplitMix(seed: 1)
    for _ in 0..<500 {
      let all = (0..<12).map { _ in random.below(2) == 0 }
      let removed = (0..<12).map { _ in random.below(2) == 0 }
      let left = RowRanges.subtract(Self.ranges(removed), from: Self.ranges(all).ranges)
      #expect(left.flatMap { Array($0) } == (0..<12).filter { all[$0] && !removed[$0] }, "\(all) \(removed)")
      #expect(left.allSatisfy { !$0.isEmpty })
    }
  }

  private static func ranges(_ flags: [Bool]) -> RowRanges {
    let ranges = flags.indices.filter { flags[$0] }.reduce(into: [Range<Int>]()) { ranges, row in
      if let last = ranges.last, last.upperBound == row {
        ranges[ranges.count - 1] = last.lowerBound..<row + 1
      } else {
        ranges.append(row..<row + 1)
      }
    }
    return RowRanges(ranges.first ?? 0..<0, Array(ranges.dropFirst()))
  }
}
