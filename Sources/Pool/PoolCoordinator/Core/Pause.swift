/// A wait for the next retry of an operation that failed for a temporary reason, such as a full disk.
struct Pause {
  let reason: String
  /// The time of the next retry, and the nanoseconds before it.
  let retryAt: UInt64
  private let backOff: UInt64

  /// - Parameters:
  ///   - earlier: The pause before the retry that has failed, if it was one.
  ///   - first: The nanoseconds before the first retry, which are doubled for each further one.
  ///   - longest: Their maximum.
  init(_ reason: String, after earlier: Pause?, first: UInt64, longest: UInt64, at now: UInt64) {
    backOff = earlier.map { min($0.backOff * 2, longest) } ?? first
    (self.reason, retryAt) = (reason, now + backOff)
  }
}
