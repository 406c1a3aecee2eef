/// The leases that were transferred to other processes, until their ranges are released.
public struct TransferredLeases {
  private var leases: [(lease: Lease, reader: PeerMemory)] = []

  public init() {}

  /// Transfers a lease.
  ///
  /// - Parameter reader: The memory of the process that releases the range from now on.
  public mutating func add(_ lease: Lease, to reader: PeerMemory) {
    lease.noteTransfer()
    leases.append((lease, reader))
  }

  /// The number of leases whose ranges were not released at the last call of `sweep`.
  public var count: Int { leases.count }

  /// Reports each lease whose range two processes would release, and each range that can be leased once more.
  package func checkInvariants(_ report: (String) -> Void) {
    for (lease, _) in leases {
      if !lease.belongsToReader { report("the transferred leases: this process releases bytes that another releases") }
      if !lease.isOnlyOne { report("the transferred leases: another lease of the same bytes is possible") }
    }
    if Set(leases.map { ObjectIdentifier($0.lease) }).count != leases.count {
      report("the transferred leases: a lease is listed twice")
    }
  }

  /// Releases the ranges whose readers have ended, and removes the leases of released ranges.
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
