import Glibc
import Testing

@testable import LoadTesting

@Suite struct ArrivalsTests {
  private func starts(rate: Double, seconds: Double) -> [Double] {
    var arrivals = Arrivals(.open(batchesPerSecond: rate), until: seconds)
    var starts: [Double] = []
    while let arrival = arrivals.next(now: 0) {
      #expect(arrival.number == starts.count)
      starts.append(arrival.start)
    }
    return starts
  }

  @Test func openLoopArrivalsAreTheSameInEveryRun() {
    #expect(starts(rate: 50, seconds: 10) == starts(rate: 50, seconds: 10))
  }

  /// In a Poisson process, the standard deviation of the gaps equals their mean, and a fraction e^-1 of them is longer
  /// than it.
  @Test func openLoopArrivalsAreAPoissonProcess() {
    let starts = starts(rate: 100, seconds: 1000)
    let gaps = zip(starts, [0] + starts).map { $0 - $1 }
    let mean = gaps.reduce(0, +) / Double(gaps.count)
    let variance = gaps.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(gaps.count)
    #expect(gaps.allSatisfy { $0 >= 0 })
    #expect(abs(Double(starts.count) - 100_000) < 1000)
    #expect(abs(variance.squareRoot() / mean - 1) < 0.02)
    #expect(abs(Double(gaps.count { $0 > mean }) / Double(gaps.count) - exp(-1)) < 0.01)
  }

  @Test func openLoopArrivalsDoNotDependOnTheCurrentTime() {
    var prompt = Arrivals(.open(batchesPerSecond: 10), until: 100)
    var stalled = prompt
    for _ in 0..<100 { #expect(prompt.next(now: 0) == stalled.next(now: 99)) }
  }

  @Test func closedLoopBatchesStartImmediatelyUntilTheEnd() {
    var arrivals = Arrivals(.closed, until: 2)
    #expect(arrivals.next(now: 0.5) == .init(number: 0, start: 0.5))
    #expect(arrivals.next(now: 1.9) == .init(number: 1, start: 1.9))
    #expect(arrivals.next(now: 2) == nil)
  }

  @Test func batchesThatWereDueBeforeAStopStillArrive() {
    var stopped = Arrivals(.open(batchesPerSecond: 10), until: 100)
    stopped.stop(at: 5)
    var starts: [Double] = []
    while let arrival = stopped.next(now: 5) { starts.append(arrival.start) }
    #expect(starts == self.starts(rate: 10, seconds: 5))
    var closed = Arrivals(.closed, until: 100)
    closed.stop(at: 5)
    #expect(closed.next(now: 5) == nil)
  }
}

@Suite struct BatchMixTests {
  @Test func everyGroupHasEverySizeInAnOrderThatIsTheSameInEveryRun() {
    let mix = BatchMix(sizes: [1, 10, 100])
    let batches = (0..<300).map { mix.rows(ofBatch: $0) }
    for size in mix.sizes { #expect(batches.count { $0.count == size } == 100) }
    let turns = stride(from: 0, to: 300, by: 3).map { batches[$0..<$0 + 3].map(\.count) }
    #expect(Set(turns).count == 6)
    #expect(batches == (0..<300).map { BatchMix(sizes: [1, 10, 100]).rows(ofBatch: $0) })
  }

  @Test func theRowsOfBatchesHaveNoGaps() {
    let mix = BatchMix(sizes: [7, 3])
    var next = 0
    for number in 0..<50 {
      let rows = mix.rows(ofBatch: number)
      #expect(rows.lowerBound == next)
      next = rows.upperBound
    }
  }
}
