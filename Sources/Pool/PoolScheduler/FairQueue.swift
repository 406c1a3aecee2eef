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

  /// The batches of one owner that have queued jobs, by the numbers of their tickets.
  private struct Share {
    let owner: Owner
    var tickets: [Ticket]
  }

  private struct OwnerState {
    let priority: Int32
    /// The number of the last ticket that was served.
    var turn: UInt64 = 0
  }

  private struct OwnerKey: Hashable {
    let name: String
    let priority: Int32
  }

  private var owners: [OwnerState] = []
  private var indices: [OwnerKey: Owner] = [:]
  /// Ordered by priority, then by ticket.
  private var shares: [Share] = []

  var next: BatchID? { shares.first?.tickets.first?.batch }
  var isEmpty: Bool { shares.isEmpty }
  var batches: [BatchID] { shares.flatMap { $0.tickets.map(\.batch) } }

  func contains(_ ticket: Ticket) -> Bool { shares.contains { $0.tickets.contains(ticket) } }

  /// Returns the index of an owner at a priority. It is never removed: there are few keys, and each uses few priorities.
  mutating func owner(_ name: String, priority: Int32) -> Owner {
    let key = OwnerKey(name: name, priority: priority)
    if let known = indices[key] { return known }
    owners.append(OwnerState(priority: priority))
    indices[key] = owners.count - 1
    return owners.count - 1
  }

  mutating func insert(_ ticket: Ticket) {
    let index = index(of: ticket.owner)
    guard index < shares.count, shares[index].owner == ticket.owner else {
      return shares.insert(Share(owner: ticket.owner, tickets: [ticket]), at: index)
    }
    let slot = slot(of: ticket, inShare: index)
    if slot == shares[index].tickets.count || shares[index].tickets[slot] != ticket {
      shares[index].tickets.insert(ticket, at: slot)
    }
  }

  mutating func remove(_ ticket: Ticket) {
    let index = index(of: ticket.owner)
    guard index < shares.count, shares[index].owner == ticket.owner else { return }
    let slot = slot(of: ticket, inShare: index)
    guard slot < shares[index].tickets.count, shares[index].tickets[slot] == ticket else { return }
    shares[index].tickets.remove(at: slot)
    if shares[index].tickets.isEmpty { shares.remove(at: index) }
  }

  /// Moves the owner of a batch behind the other owners of the same priority, after a job of the batch was taken.
  ///
  /// - Parameter ticket: The new ticket of the batch, which has the highest number of all. It is not inserted.
  mutating func noteServed(_ ticket: Ticket) {
    let index = index(of: ticket.owner)
    let share = index < shares.count && shares[index].owner == ticket.owner ? shares.remove(at: index) : nil
    owners[ticket.owner].turn = ticket.number
    if let share { shares.insert(share, at: self.index(of: ticket.owner)) }
  }

  /// Returns the index at which a ticket is or would be among those of a share.
  private func slot(of ticket: Ticket, inShare index: Int) -> Int {
    partitionPoint(shares[index].tickets.count) { shares[index].tickets[$0].number < ticket.number }
  }

  /// Returns the index at which the share of an owner is or would be.
  private func index(of owner: Owner) -> Int {
    let key = (-Int64(owners[owner].priority), owners[owner].turn, owner)
    return partitionPoint(shares.count) { index in
      let other = shares[index].owner
      return (-Int64(owners[other].priority), owners[other].turn, other) < key
    }
  }
}
