import Testing

@testable import LoadTesting

@Suite struct LoadMeasurementsTests {
  private let span = LoadSpan(warmUp: 2, duration: 10, grace: 5)

  private func outcome(_ start: Double, _ ended: Double, _ end: BatchOutcome.End = .done) -> BatchOutcome {
    BatchOutcome(intendedStart: start, ended: ended, end: end)
  }

  /// One client submits to a coordinator that takes 1 ms per batch and stalls for five of ten seconds. The stall is
  /// part of the latency of every batch whose intended start is in it, not only of the batch that was submitted before
  /// it.
  @Test func aStallIsPartOfTheLatencyOfEveryBatchThatShouldStartDuringIt() throws {
    var arrivals = Arrivals(.open(batchesPerSecond: 100), until: span.end)
    var measurements = LoadMeasurements(span)
    var now = 0.0
    let stall = 4.0..<9.0
    while let arrival = arrivals.next(now: now) {
      now = max(now, arrival.start) + 0.001
      if stall.contains(now) { now = stall.upperBound }
      measurements.record(outcome(arrival.start, now))
    }
    let latency = try #require(LoadReport.Latency(measurements.latencies))
    // Half of the batches should start during the stall. Their waiting times have a uniform distribution over five
    // seconds.
    #expect(latency.p50 < 800)
    #expect((3500...4500).contains(latency.p90))
    #expect((4800...5100).contains(latency.max))
  }

  @Test func latenciesAreThoseOfBatchesThatShouldStartInTheMeasuredTime() {
    var measurements = LoadMeasurements(span)
    measurements.record(outcome(1.9, 3))
    measurements.record(outcome(2, 2.5))
    measurements.record(outcome(11.9, 14))
    #expect(measurements.latencies.totalCount == 2)
    #expect(measurements.latencies.valuesAreEquivalent(measurements.latencies.max, 2_100_000))
  }

  @Test func throughputCountsResultsReceivedInTheMeasuredTime() {
    var measurements = LoadMeasurements(span)
    measurements.record(outcome(1.9, 3))
    measurements.record(outcome(11.9, 14))
    for time in [1.9, 2, 11.99, 12] { measurements.record(rows: 10, bad: 1, now: time) }
    #expect(measurements.batches == 1)
    #expect(measurements.rows == 20 && measurements.badRows == 2)
    #expect(measurements.rowsOfPart.first == 10 && measurements.rowsOfPart.last == 10)
  }

  @Test func aCanceledBatchCountsWithTheTimeUntilItsCancellation() {
    var measurements = LoadMeasurements(span)
    measurements.record(outcome(10, 17, .late))
    #expect(measurements.late == 1 && measurements.batches == 0)
    #expect(measurements.latencies.valuesAreEquivalent(measurements.latencies.max, 7_000_000))
  }

  @Test func failuresAreCountedByReasonAndHaveNoLatency() {
    var measurements = LoadMeasurements(span)
    for number in 0..<100 { measurements.record(outcome(3, 4, .failed("reason \(number % 50)"))) }
    #expect(measurements.failures.values.reduce(0, +) == 100)
    #expect(measurements.failures.count <= 21)
    #expect(measurements.latencies.totalCount == 0)
  }
}
