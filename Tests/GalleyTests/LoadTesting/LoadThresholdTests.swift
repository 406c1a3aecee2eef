import Testing

@testable import LoadTesting

/// Tests of the conditions under which a load test fails.
@Suite struct LoadThresholdTests {
  @Test(arguments: [
    ("p99>500ms", "p99", LoadThreshold.Comparison.above, 500.0),
    ("p99.9 >= 0.5s", "p99.9", .atLeast, 500), ("max<2000us", "max", .below, 2), ("p50<=3", "p50", .atMost, 3),
    ("errors>0", "errors", .above, 0), ("bad-rows>=1e3", "bad-rows", .atLeast, 1000),
    ("rows/s<10000", "rows/s", .below, 10000), ("batches/s<0.5", "batches/s", .below, 0.5),
  ])
  func conditionsAreParsed(
    text: String, metric: String, comparison: LoadThreshold.Comparison, limit: Double
  ) throws {
    let threshold = try LoadThreshold(text)
    #expect(threshold.metric.name == metric && threshold.comparison == comparison && threshold.limit == limit)
  }

  @Test(arguments: [
    ("", "it has no comparison"), ("p99", "it has no comparison"), ("p98>5", "\"p98\" is not a figure"),
    (">5", "\"\" is not a figure"), ("p99>", "\"\" is not a time"), ("p99>5m", "\"5m\" is not a time"),
    ("errors>5ms", "\"5ms\" is not a number"), ("p99>-1", "\"-1\" is not a time"), ("p99>nan", "\"nan\" is not a time"),
    ("p99>1>2", "\"1>2\" is not a time"), ("p99=5", "it has no comparison"),
  ])
  func otherTextsAreErrorsThatListTheFigures(text: String, reason: String) {
    let error = #expect(throws: LoadTestError.self) { try LoadThreshold(text) }
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    #expect(error?.description.contains("p50, p90, p95, p99, p99.9, max, errors, failed, late, bad-rows") == true)
  }
}
