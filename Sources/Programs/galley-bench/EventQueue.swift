/// What is to happen, the earliest first; of the same time in the order in which it was added.
struct EventQueue<Event> {
  private struct Entry {
    let time: UInt64
    let number: Int
    let event: Event

    func comes(before other: Entry) -> Bool { (time, number) < (other.time, other.number) }
  }

  /// A binary heap: no entry comes before the one at half its place.
  private var entries: [Entry] = []
  private var added = 0

  mutating func add(_ event: Event, at time: UInt64) {
    entries.append(Entry(time: time, number: added, event: event))
    added += 1
    var place = entries.count - 1
    while place > 0, entries[place].comes(before: entries[(place - 1) / 2]) {
      entries.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  mutating func next() -> (time: UInt64, event: Event)? {
    guard let first = entries.first else { return nil }
    entries.swapAt(0, entries.count - 1)
    entries.removeLast()
    var place = 0
    while let child = [place * 2 + 1, place * 2 + 2].filter({ $0 < entries.count })
      .min(by: { entries[$0].comes(before: entries[$1]) }), entries[child].comes(before: entries[place])
    {
      entries.swapAt(place, child)
      place = child
    }
    return (first.time, first.event)
  }
}
