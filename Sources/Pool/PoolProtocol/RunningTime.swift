/// The time for which a process has run, which events advance from zero.
///
/// A pause of the process hardly counts: a process that was stopped, or whose machine was, has not read what others sent meanwhile,
/// so it must not conclude from its clock that they are silent.
public struct RunningTime: Sendable {
  /// The longest step between two events, in nanoseconds. A longer step is a pause and counts as this one, because a process that
  /// runs reports ticks several times a second.
  public static let longestStep: UInt64 = 1_000_000_000

  /// The time in nanoseconds.
  public private(set) var nanoseconds: UInt64 = 0
  /// The time of the last event.
  private var lastEvent: UInt64?

  public init() {}

  /// Advances the time to that of an event.
  public mutating func advance(to time: EventTime) {
    let event = time.monotonic
    if let lastEvent, event > lastEvent { nanoseconds += min(event - lastEvent, Self.longestStep) }
    lastEvent = max(event, lastEvent ?? 0)
  }
}
