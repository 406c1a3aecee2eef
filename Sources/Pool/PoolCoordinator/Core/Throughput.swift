/// The number of rows per second over the last seconds.
struct Throughput {
  /// Nanoseconds over which the mean is taken.
  private static let span: UInt64 = 5_000_000_000

  private var samples: [(time: UInt64, rows: UInt64)] = []

  /// - Parameter rows: The number of rows that are done so far.
  mutating func sample(rows: UInt64, at now: UInt64) {
    samples.append((now, rows))
    while let first = samples.first, samples.count > 2, now - first.time > Self.span { samples.removeFirst() }
  }

  var rowsPerSecond: Double {
    guard let first = samples.first, let last = samples.last, last.time > first.time else { return 0 }
    return Double(last.rows - first.rows) / (Double(last.time - first.time) / 1e9)
  }
}
