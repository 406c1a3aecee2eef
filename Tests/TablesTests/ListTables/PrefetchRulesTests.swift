import SeededRandom
import Testing

@testable import ListTables

/// Tests of the rules of ranges, which need no table.
@Suite struct PrefetchRulesTests {
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
    func intervals(_ axis: ListAxis = .vertical) -> RangeIntervals {
      RangeIntervals(query, axis, contentLength: 5000)
    }
    let tolerance = query.tolerance
    #expect(try #require(intervals().display) == (950 + tolerance, 1200 - tolerance))
    #expect(try #require(intervals().preload) == (850 + tolerance, 1350 - tolerance))
    query.direction = .up
    #expect(try #require(intervals().display) == (900 + tolerance, 1150 - tolerance))
    #expect(try #require(intervals().preload) == (750 + tolerance, 1250 - tolerance))
    // In an inverted list the offset grows upwards.
    #expect(try #require(intervals(.inverted).preload) == (850 + tolerance, 1350 - tolerance))
    query.preload = TuningParameters(leading: 3, trailing: 0)
    #expect(try #require(intervals().preload) == (700 + tolerance, 1100 - tolerance))
    query.mode = .lowMemory
    #expect(intervals().display == nil && intervals().preload == nil)
    #expect(intervals().visible == (1000 + tolerance, 1100 - tolerance))
  }

  @Test func theDifferenceOfRowRangesEqualsThatOfSets() {
    var random = SplitMix(seed: 1)
    for _ in 0..<500 {
      let all = (0..<12).map { _ in random.below(2) == 0 }
      let removed = (0..<12).map { _ in random.below(2) == 0 }
      let left = Self.ranges(all).ranges.subtracting(Self.ranges(removed).ranges)
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
