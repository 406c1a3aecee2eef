/// What one peer left, while others that were told where it lies may not have given it back.
struct HandedOver {
  private var leases: [(lease: Lease, reader: PeerMemory)] = []

  /// - Parameter reader: the memory of the process that has them now.
  mutating func add(_ lease: Lease, to reader: PeerMemory) {
    lease.noteHandedOver()
    leases.append((lease, reader))
  }

  /// As far as the last sweep has found.
  var isEmpty: Bool { leases.isEmpty }

  /// Gives back what those have who read no more.
  mutating func sweep() {
    leases.removeAll { $0.lease.isReturned }
    var gone: [ObjectIdentifier: Bool] = [:]
    leases.removeAll { lease, reader in
      let isGone = gone[ObjectIdentifier(reader)] ?? reader.isGone
      gone[ObjectIdentifier(reader)] = isGone
      if isGone { lease.giveBack() }
      return isGone
    }
  }
}
