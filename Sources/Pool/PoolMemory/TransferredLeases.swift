/// The leases that were transferred to other processes, until they are released.
public struct TransferredLeases {
  private var leases: [(lease: Lease, reader: PeerMemory)] = []

  public init() {}

  /// - Parameter reader: The memory of the process that releases the bytes from now on.
  public mutating func add(_ lease: Lease, to reader: PeerMemory) {
    lease.noteTransfer()
    leases.append((lease, reader))
  }

  /// The number of leases that were not released at the last call of `sweep`.
  public var count: Int { leases.count }

  /// Reports each lease with two owners: one that this process would also release, or whose bytes another lease can use.
  package func checkInvariants(_ report: (String) -> Void) {
    for (lease, _) in leases {
      if !lease.belongsToReader { report("the transferred leases: this process releases bytes that another releases") }
      if !lease.isOnlyOne { report("the transferred leases: another lease of the same bytes is possible") }
    }
    if Set(leases.map { ObjectIdentifier($0.lease) }).count != leases.count {
      report("the transferred leases: a lease is listed twice")
    }
  }

  /// Releases the bytes whose readers have ended, and removes the leases of released bytes.
  public mutating func sweep() {
    leases.removeAll { $0.lease.isReleased }
    var gone: [ObjectIdentifier: Bool] = [:]
    leases.removeAll { lease, reader in
      let isGone = gone[ObjectIdentifier(reader)] ?? reader.isGone
      gone[ObjectIdentifier(reader)] = isGone
      if isGone { lease.release() }
      return isGone
    }
  }
}
