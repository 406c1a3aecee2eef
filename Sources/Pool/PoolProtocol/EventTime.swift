/// The time of an event.
public struct EventTime: Sendable {
  /// Nanoseconds of a clock that never goes back.
  public var monotonic: UInt64
  /// Milliseconds since 1970; zero for a machine that does not need them.
  public var sinceEpoch: UInt64

  public init(monotonic: UInt64, sinceEpoch: UInt64 = 0) { (self.monotonic, self.sinceEpoch) = (monotonic, sinceEpoch) }
}
