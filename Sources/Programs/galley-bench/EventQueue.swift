import Buffers

/// A queue of future events, ordered by time. Events at the same time have the order in which they were added.
struct EventQueue<Event> {
  /// The events from the last one to the next one.
  private var entries: [(time: UInt64, event: Event)] = []

  mutating func add(_ event: Event, at time: UInt64) {
    entries.insert((time, event), at: partitionPoint(entries.count) { entries[$0].time > time })
  }

  /// Removes and returns the earliest event, or returns nil if there is none.
  mutating func next() -> (time: UInt64, event: Event)? { entries.popLast() }
}
