import Testing

@testable import LoadTesting

@Suite struct PlotAxisTests {
  @Test func linearAxesEndAtRoundNumbers() {
    let axis = PlotAxis.linear("ms", upTo: 437)
    #expect(axis.ticks.map(\.label) == ["0", "100", "200", "300", "400", "500"])
    #expect(axis.position(of: 250) == 0.5)
    #expect(PlotAxis.linear("s", upTo: 0.9).ticks.map(\.label).last == "1.0")
    #expect(PlotAxis.linear("s", upTo: 0).ticks.count > 1)
  }

  @Test func percentilesHaveEqualDistancesUpToTheLastThatTheValuesDistinguish() {
    let axis = PlotAxis.percentiles("", values: 1000)
    #expect(axis.ticks.map(\.label) == ["0 %", "90 %", "99 %", "99.9 %"])
    #expect(abs(axis.position(ofPercentile: 99) - 2.0 / 3) < 1e-9)
    #expect(axis.position(ofPercentile: 100) == 1)
  }
}
