/// A queue of future events, ordered by time. Events at the same time have the order in which they were added.
struct EventQueue<Event> {
  private struct Entry {
    let time: UInt64
    let number: Int
    let event: Event

    func comes(before other: Entry) -> Bool { (time, number) < (other.time, other.number) }
  }

  /// A binary heap: no entry comes before its parent, which is at half its index.
  private var entries: [Entry] = []
  private var added = 0

  mutating func add(_ event: Event, at time: UInt64) {
    entries.append(Entry(time: time, number: added, event: event))
    added += 1
    var index = entries.count - 1
    while index > 0, entries[index].comes(before: entries[(index - 1) / 2]) {
      entries.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// Removes and returns the earliest event, or returns nil if there is none.
  mutating func next() -> (time: UInt64, event: Event)? {
    guard let first = entries.first else { return nil }
    entries.swapAt(0, entries.count - 1)
    entries.removeLast()
    var index = 0
    while let child = [index * 2 + 1, index * 2 + 2].filter({ $0 < entries.count })
      .min(by: { entries[$0].comes(before: entries[$1]) }), entries[child].comes(before: entries[index])
    {
      entries.swapAt(index, child)
      index = child
    }
    return (first.time, first.event)
  }
}
