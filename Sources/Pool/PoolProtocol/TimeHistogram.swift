/// A histogram of durations. Its buckets are the same everywhere, so that histograms can be added up and subtracted.
public struct TimeHistogram: Equatable, Sendable {
  /// The upper bounds of the buckets in seconds. A bound belongs to its bucket. One more bucket has the longer durations.
  public static let bounds = [
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
  ]
  /// The same bounds in nanoseconds.
  private static let nanosecondBounds = bounds.map { UInt64(($0 * 1e9).rounded()) }

  /// The number of durations in each bucket, of which there is one more than bounds.
  public private(set) var counts = [UInt64](repeating: 0, count: bounds.count + 1)
  /// The sum of all durations in nanoseconds.
  public private(set) var nanoseconds: UInt64 = 0

  public init() {}

  /// Creates the histogram that another process has counted; an empty one if its buckets are others than these.
  public init(counts: [UInt64], nanoseconds: UInt64) {
    guard counts.count == self.counts.count else { return }
    (self.counts, self.nanoseconds) = (counts, nanoseconds)
  }

  /// Records a duration in nanoseconds.
  public mutating func record(_ duration: UInt64) {
    var bucket = 0
    while bucket < Self.nanosecondBounds.count, duration > Self.nanosecondBounds[bucket] { bucket += 1 }
    counts[bucket] &+= 1
    nanoseconds &+= duration
  }

  /// The number of all durations.
  public var count: UInt64 { counts.reduce(0) { $0.addingWithSaturation($1) } }

  /// The sum of all durations in seconds.
  public var sum: Double { Double(nanoseconds) / 1e9 }

  /// The number of durations up to each bound.
  public var cumulativeCounts: [UInt64] {
    var sum: UInt64 = 0
    return counts.dropLast().map { count in
      sum = sum.addingWithSaturation(count)
      return sum
    }
  }

  /// Returns the duration in seconds that a share of all durations does not exceed, or nil if there are none.
  ///
  /// It is estimated as if the durations of a bucket had equal distances from each other. If it is longer than the last
  /// bound, the last bound is returned.
  ///
  /// - Parameter share: The share from 0 to 1, such as 0.99.
  public func quantile(_ share: Double) -> Double? {
    let count = count
    guard count > 0 else { return nil }
    let rank = min(max(share, 0), 1) * Double(count)
    var (before, lower) = (0.0, 0.0)
    for (count, upper) in zip(counts, Self.bounds) {
      let upTo = before + Double(count)
      if count > 0, upTo >= rank { return lower + (upper - lower) * max(rank - before, 0) / Double(count) }
      (before, lower) = (upTo, upper)
    }
    return lower
  }

  /// Returns the durations that were recorded after an earlier state of the same histogram.
  public func since(_ earlier: TimeHistogram) -> TimeHistogram {
    TimeHistogram(
      counts: zip(counts, earlier.counts).map { $0 - min($0, $1) },
      nanoseconds: nanoseconds - min(nanoseconds, earlier.nanoseconds))
  }
}

extension TimeHistogram: Encodable {
  private enum Key: String, CodingKey {
    case count, sum, p50, p90, p99, buckets
  }

  private struct Bucket: Encodable {
    /// The upper bound in seconds.
    let le: Double
    /// The number of durations up to it.
    let count: UInt64
  }

  /// Encodes the buckets with the numbers of all durations up to their bounds, as Prometheus has them.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(count, forKey: .count)
    try container.encode(sum, forKey: .sum)
    try container.encodeIfPresent(quantile(0.5), forKey: .p50)
    try container.encodeIfPresent(quantile(0.9), forKey: .p90)
    try container.encodeIfPresent(quantile(0.99), forKey: .p99)
    try container.encode(zip(Self.bounds, cumulativeCounts).map { Bucket(le: $0, count: $1) }, forKey: .buckets)
  }
}

extension UInt64 {
  /// Counts come from other processes, so their sum may be too large.
  fileprivate func addingWithSaturation(_ other: UInt64) -> UInt64 {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}
