/// The times of a run, in seconds from its start.
///
///     0 ── warm-up ── begin ═══ measured ═══ end ── grace ── cutOff
public struct LoadSpan: Equatable, Sendable {
  /// The beginning of the measured time. Workers have loaded the program and filled their caches before it.
  public let begin: Double
  /// The end of the measured time, after which no batch starts.
  public let end: Double
  /// The time at which batches that are not complete are canceled.
  public let cutOff: Double

  /// - Parameters:
  ///   - warmUp: The time before the measured time in seconds.
  ///   - duration: The measured time in seconds.
  ///   - grace: The time in seconds within which batches have to complete after the measured time.
  public init(warmUp: Double, duration: Double, grace: Double) {
    begin = warmUp
    end = warmUp + duration
    cutOff = end + grace
  }

  /// The length of the measured time in seconds.
  public var duration: Double { end - begin }

  /// Returns whether a time of the run is in the measured time.
  func measures(_ time: Double) -> Bool { begin <= time && time < end }
}
