import Testing

@testable import LoadTesting

@Suite struct LoadMeasurementsTests {
  private let span = LoadSpan(warmUp: 2, duration: 10, grace: 5)

  private func outcome(_ start: Double, _ ended: Double, _ end: BatchOutcome.End = .done) -> BatchOutcome {
    BatchOutcome(intendedStart: start, ended: ended, end: end)
  }

  /// One client, a coordinator that takes 1 ms a batch and stands still for five of ten seconds: every batch that was to
  /// start meanwhile has waited, not only the one that was under way.
  @Test func aStalledCoordinatorShowsInEveryBatchThatWasToStartMeanwhile() throws {
    var arrivals = Arrivals(.open(batchesPerSecond: 100), until: span.end)
    var measurements = LoadMeasurements(span)
    var now = 0.0
    let stall = 4.0..<9.0
    while let arrival = arrivals.next(now: now) {
      now = max(now, arrival.start) + 0.001
      if stall.contains(now) { now = stall.upperBound }
      measurements.note(outcome(arrival.start, now))
    }
    let latency = try #require(LoadReport.Latency(measurements.latencies))
    // Half of the span's batches were to start in the stall, their waits spread evenly over five seconds.
    #expect(latency.p50 < 800)
    #expect((3500...4500).contains(latency.p90))
    #expect((4800...5100).contains(latency.max))
  }

  @Test func latenciesAreThoseOfBatchesThatWereToStartInTheSpan() {
    var measurements = LoadMeasurements(span)
    measurements.note(outcome(1.9, 3))
    measurements.note(outcome(2, 2.5))
    measurements.note(outcome(11.9, 14))
    #expect(measurements.latencies.totalCount == 2)
    #expect(measurements.latencies.valuesAreEquivalent(measurements.latencies.max, 2_100_000))
  }

  @Test func throughputIsWhatEndsInTheSpan() {
    var measurements = LoadMeasurements(span)
    measurements.note(outcome(1.9, 3))
    measurements.note(outcome(11.9, 14))
    for moment in [1.9, 2, 11.99, 12] { measurements.note(rows: 10, bad: 0, now: moment) }
    #expect(measurements.batches == 1)
    #expect(measurements.rows == 20)
    #expect(measurements.rowsOfPart.first == 10 && measurements.rowsOfPart.last == 10)
  }

  @Test func batchesGivenUpCountWithTheTimeTheyHadWaited() {
    var measurements = LoadMeasurements(span)
    measurements.note(outcome(10, 17, .late))
    #expect(measurements.late == 1 && measurements.batches == 0)
    #expect(measurements.latencies.valuesAreEquivalent(measurements.latencies.max, 7_000_000))
  }

  @Test func failuresCountByReasonAndHaveNoLatency() {
    var measurements = LoadMeasurements(span)
    for number in 0..<100 { measurements.note(outcome(3, 4, .failed("reason \(number % 50)"))) }
    #expect(measurements.failures.values.reduce(0, +) == 100)
    #expect(measurements.failures.count <= 21)
    #expect(measurements.latencies.totalCount == 0)
  }
}
