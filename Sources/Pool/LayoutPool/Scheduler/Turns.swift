/// Batches with queued jobs: those of a higher priority before the others, and of the same priority the one that has
/// waited longest for its turn. Batches that have nothing to send cost nothing.
struct Turns {
  struct Turn: Comparable {
    let priority: Int32
    /// Turns that were given before this one was asked for.
    let number: UInt64
    let batch: BatchID

    static func < (a: Turn, b: Turn) -> Bool {
      a.priority == b.priority ? a.number < b.number : a.priority > b.priority
    }
  }

  private var sorted: [Turn] = []

  var next: BatchID? { sorted.first?.batch }
  var isEmpty: Bool { sorted.isEmpty }

  mutating func add(_ turn: Turn) {
    let place = place(of: turn)
    if place == sorted.count || sorted[place] != turn { sorted.insert(turn, at: place) }
  }

  mutating func remove(_ turn: Turn) {
    let place = place(of: turn)
    if place < sorted.count && sorted[place] == turn { sorted.remove(at: place) }
  }

  /// Where it is or would be.
  private func place(of turn: Turn) -> Int {
    var range = 0..<sorted.count
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      range = sorted[middle] < turn ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}
