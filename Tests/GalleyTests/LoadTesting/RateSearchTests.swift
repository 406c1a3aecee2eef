import Testing

@testable import LoadTesting

@Suite struct RateSearchTests {
  /// Returns the rates that a search tries with a pool that sustains rates below `limit`, and the rate that it finds.
  private func search(from start: Double, sustained limit: Double) -> (tried: [Double], found: Double?) {
    var search = RateSearch(start: start, lowest: 0.1)
    var tried: [Double] = []
    while let rate = search.next, tried.count < 100 {
      tried.append(rate)
      search.record(rate, passed: rate < limit)
    }
    return (tried, search.highestPassing)
  }

  @Test(arguments: [0.7, 1, 37, 4000])
  func theHighestRateIsFoundWithinFivePercent(limit: Double) throws {
    let (tried, found) = search(from: 1, sustained: limit)
    let rate = try #require(found)
    #expect(rate < limit && rate * RateSearch.precision >= limit)
    #expect(tried.count < 25)
  }

  @Test func theSearchDoublesRatesAndThenBisects() {
    #expect(search(from: 1, sustained: 5).tried.prefix(5).map { ($0 * 100).rounded() } == [100, 200, 400, 800, 566])
  }

  @Test func theSearchEndsIfNoRatePassesOrAllRatesPass() {
    let none = search(from: 1, sustained: 0)
    #expect(none.found == nil && none.tried == [1, 0.5, 0.25, 0.125])
    #expect(search(from: 1, sustained: .infinity).found == 65536)
  }
}
