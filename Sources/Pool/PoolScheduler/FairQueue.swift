import Buffers

/// A queue of the batches with queued jobs, ordered by priority. Owners of the same priority are served in turn, and within the
/// share of an owner its batches are served in turn, so that an owner with many batches receives no more workers than one with
/// a single batch. Batches without queued jobs are not in the queue.
struct FairQueue {
  /// The index of an owner at a priority.
  typealias Owner = Int

  /// The position of a batch in the queue.
  struct Ticket: Equatable {
    let owner: Owner
    /// The number of tickets that were issued before this one.
    let number: UInt64
    let batch: BatchID
  }

  private struct OwnerState {
    let priority: Int32
    /// The number of the last ticket that was served.
    var turn: UInt64 = 0
  }

  private var owners: [OwnerState] = []
  private var indices: [String: [Int32: Owner]] = [:]
  /// The tickets of each owner with queued jobs, by their numbers. Ordered by priority, then by the owner's turn.
  private var shares: [[Ticket]] = []

  var next: BatchID? { shares.first?.first?.batch }
  var isEmpty: Bool { shares.isEmpty }
  var batches: [BatchID] { shares.flatMap { $0.map(\.batch) } }

  func contains(_ ticket: Ticket) -> Bool { shares.contains { $0.contains(ticket) } }

  /// Returns the index of an owner at a priority. It is never removed: there are few keys, and each uses few priorities.
  mutating func owner(_ name: String, priority: Int32) -> Owner {
    if let known = indices[name]?[priority] { return known }
    owners.append(OwnerState(priority: priority))
    indices[name, default: [:]][priority] = owners.count - 1
    return owners.count - 1
  }

  mutating func insert(_ ticket: Ticket) {
    let index = index(of: ticket.owner)
    guard index < shares.count, shares[index][0].owner == ticket.owner else {
      return shares.insert([ticket], at: index)
    }
    let slot = slot(of: ticket, inShare: index)
    if slot == shares[index].count || shares[index][slot] != ticket { shares[index].insert(ticket, at: slot) }
  }

  mutating func remove(_ ticket: Ticket) {
    let index = index(of: ticket.owner)
    guard index < shares.count, shares[index][0].owner == ticket.owner else { return }
    let slot = slot(of: ticket, inShare: index)
    guard slot < shares[index].count, shares[index][slot] == ticket else { return }
    shares[index].remove(at: slot)
    if shares[index].isEmpty { shares.remove(at: index) }
  }

  /// Moves the owner of a batch behind the other owners of the same priority, after a job of the batch was taken.
  ///
  /// - Parameter ticket: The new ticket of the batch, which has the highest number of all. It is not inserted.
  mutating func noteServed(_ ticket: Ticket) {
    let index = index(of: ticket.owner)
    let share = index < shares.count && shares[index][0].owner == ticket.owner ? shares.remove(at: index) : nil
    owners[ticket.owner].turn = ticket.number
    if let share { shares.insert(share, at: self.index(of: ticket.owner)) }
  }

  /// Returns the index at which a ticket is or would be among those of a share.
  private func slot(of ticket: Ticket, inShare index: Int) -> Int {
    partitionPoint(shares[index].count) { shares[index][$0].number < ticket.number }
  }

  /// Returns the index at which the share of an owner is or would be.
  private func index(of owner: Owner) -> Int {
    let key = (-Int64(owners[owner].priority), owners[owner].turn, owner)
    return partitionPoint(shares.count) { index in
      let other = shares[index][0].owner
      return (-Int64(owners[other].priority), owners[other].turn, other) < key
    }
  }
}
