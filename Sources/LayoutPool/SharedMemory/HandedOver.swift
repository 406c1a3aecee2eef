import Glibc

/// What one peer left, while others that were told where it lies may not have given it back.
struct HandedOver {
  private var leases: [(lease: Lease, reader: pid_t)] = []

  mutating func add(_ new: [Lease], to reader: pid_t) {
    for lease in new {
      lease.noteHandedOver()
      leases.append((lease, reader))
    }
  }

  /// Gives back what those had who cannot any more.
  mutating func sweep() { leases.removeAll { $0.lease.isOver(for: $0.reader) } }
}
