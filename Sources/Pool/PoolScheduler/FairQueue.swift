/// A queue of the batches that have queued jobs: those of a higher priority first, and of the same priority the one that
/// was served longest ago. Batches that have nothing to send cost nothing.
struct FairQueue {
  /// The position of a batch in the queue.
  struct Ticket: Comparable {
    let priority: Int32
    /// The number of tickets that were issued before this one.
    let number: UInt64
    let batch: BatchID

    static func < (a: Ticket, b: Ticket) -> Bool {
      a.priority == b.priority ? a.number < b.number : a.priority > b.priority
    }
  }

  private var sorted: [Ticket] = []

  var next: BatchID? { sorted.first?.batch }
  var isEmpty: Bool { sorted.isEmpty }

  mutating func insert(_ ticket: Ticket) {
    let index = index(of: ticket)
    if index == sorted.count || sorted[index] != ticket { sorted.insert(ticket, at: index) }
  }

  mutating func remove(_ ticket: Ticket) {
    let index = index(of: ticket)
    if index < sorted.count && sorted[index] == ticket { sorted.remove(at: index) }
  }

  /// Returns the index at which the ticket is or would be.
  private func index(of ticket: Ticket) -> Int {
    var range = 0..<sorted.count
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      range = sorted[middle] < ticket ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}
