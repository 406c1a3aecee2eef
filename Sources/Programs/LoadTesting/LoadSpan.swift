/// The time of a run, in seconds from its start.
///
///     0 ── warm-up ── begin ═══ measured ═══ end ── grace ── cutOff
public struct LoadSpan: Equatable, Sendable {
  /// From here on batches are measured: workers know the program and their caches are filled.
  public let begin: Double
  /// From here on no batch starts.
  public let end: Double
  /// Here batches that have not ended are given up.
  public let cutOff: Double

  public init(warmUp: Double, duration: Double, grace: Double) {
    begin = warmUp
    end = warmUp + duration
    cutOff = end + grace
  }

  public var duration: Double { end - begin }

  func measures(_ moment: Double) -> Bool { begin <= moment && moment < end }
}
