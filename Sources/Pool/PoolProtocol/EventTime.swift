/// The time of an event.
public struct EventTime: Sendable {
  /// Nanoseconds of a monotonic clock.
  public var monotonic: UInt64
  /// Milliseconds since 1970; zero for a core that does not use them.
  public var sinceEpoch: UInt64

  public init(monotonic: UInt64, sinceEpoch: UInt64 = 0) { (self.monotonic, self.sinceEpoch) = (monotonic, sinceEpoch) }
}
