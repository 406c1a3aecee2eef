import PoolProtocol
import SeededRandom
import Testing

/// Tests of histograms of durations, some of them against sorted lists of the same durations.
@Suite struct TimeHistogramTests {
  /// Durations in nanoseconds, of which some are bounds of buckets and some are beyond the last bound.
  private static func durations(_ random: inout SplitMix) -> [UInt64] {
    (0..<random.below(60)).map { _ in
      switch random.below(4) {
      case 0: UInt64((TimeHistogram.bounds[random.below(TimeHistogram.bounds.count)] * 1e9).rounded())
      case 1: UInt64(random.below(1_000_000))
      case 2: UInt64(random.below(2_000_000_000))
      default: UInt64(random.below(100_000_000_000))
      }
    }
  }

  private static func histogram(_ durations: some Sequence<UInt64>) -> TimeHistogram {
    var histogram = TimeHistogram()
    for duration in durations { histogram.record(duration) }
    return histogram
  }

  /// The bounds of the bucket of a duration in seconds.
  private static func bucket(_ duration: UInt64) -> ClosedRange<Double> {
    let seconds = Double(duration) / 1e9
    let lower = TimeHistogram.bounds.last { $0 < seconds } ?? 0
    return lower...(TimeHistogram.bounds.first { seconds <= $0 } ?? lower)
  }

  @Test func aHistogramCountsWhatASortedListHas() {
    var random = SplitMix(seed: 1)
    for _ in 0..<300 {
      let durations = Self.durations(&random).sorted()
      let histogram = Self.histogram(durations)
      #expect(histogram.count == UInt64(durations.count))
      #expect(histogram.nanoseconds == durations.reduce(0, +))
      let counts = TimeHistogram.bounds.map { bound in UInt64(durations.count { Double($0) / 1e9 <= bound }) }
      #expect(histogram.cumulativeCounts == counts)
    }
  }

  @Test func aQuantileIsInTheBucketOfTheOneOfASortedList() {
    var random = SplitMix(seed: 2)
    for _ in 0..<300 {
      let durations = Self.durations(&random).sorted()
      let histogram = Self.histogram(durations)
      var last = 0.0
      for share in [0, 0.01, 0.25, 0.5, 0.9, 0.99, 1] {
        guard let quantile = histogram.quantile(share) else {
          #expect(durations.isEmpty)
          continue
        }
        let rank = Int((share * Double(durations.count)).rounded(.up))
        #expect(Self.bucket(durations[max(rank, 1) - 1]).contains(quantile))
        #expect(quantile >= last)
        last = quantile
      }
    }
  }

  @Test func aQuantileIsInterpolatedInItsBucket() {
    // Ten durations from 0.1 s to 0.25 s, and as many from 0.5 s to 1 s.
    let histogram = Self.histogram(
      [UInt64](repeating: 200_000_000, count: 10) + [UInt64](repeating: 600_000_000, count: 10))
    func quantile(_ share: Double) -> Double { ((histogram.quantile(share) ?? -1) * 1e6).rounded() / 1e6 }
    #expect(quantile(0) == 0.1)
    #expect(quantile(0.25) == 0.175)
    #expect(quantile(0.5) == 0.25)
    #expect(quantile(0.75) == 0.75)
    #expect(quantile(1) == 1)
    #expect(TimeHistogram().quantile(0.5) == nil)
  }

  @Test func whatWasRecordedLaterIsTheDifference() {
    var random = SplitMix(seed: 3)
    for _ in 0..<100 {
      let (first, second) = (Self.durations(&random), Self.durations(&random))
      #expect(Self.histogram(first + second).since(Self.histogram(first)) == Self.histogram(second))
    }
  }

  @Test func countsOfOtherBucketsAreNotUsed() {
    #expect(TimeHistogram(counts: [1, 2, 3], nanoseconds: 4) == TimeHistogram())
    let counts = [UInt64](repeating: .max, count: TimeHistogram.bounds.count + 1)
    let most = TimeHistogram(counts: counts, nanoseconds: .max)
    #expect(most.count == .max && most.cumulativeCounts.allSatisfy { $0 == .max } && most.quantile(0.5) != nil)
  }

  @Test func metricsThatWereCountedLaterAreTheDifference() {
    var earlier = PoolStatus()
    (earlier.pid, earlier.host) = (7, "host")
    (earlier.metrics.uptime, earlier.metrics.jobsDone, earlier.metrics.retries) = (10, 5, 1)
    earlier.metrics.queueTime.record(1_000)
    var later = earlier
    (later.metrics.uptime, later.metrics.jobsDone, later.metrics.resultBytesSent) = (12.5, 8, 100)
    later.metrics.queueTime.record(2_000_000)
    var difference = PoolMetrics()
    (difference.uptime, difference.jobsDone, difference.resultBytesSent) = (2.5, 3, 100)
    difference.queueTime.record(2_000_000)
    #expect(later.metrics(since: earlier) == difference)
    // The coordinator was started again.
    #expect(earlier.metrics(since: later) == nil)
    var other = later
    other.pid = 8
    #expect(other.metrics(since: earlier) == nil)
    (other.pid, other.host) = (7, "other")
    #expect(other.metrics(since: earlier) == nil)
  }
}
