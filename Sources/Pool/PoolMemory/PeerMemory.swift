import Buffers
import PoolProtocol
import Synchronization

/// The `SharedMemory` of another process, mapped in this process.
///
/// The other process can change bytes after they were checked. It belongs to the same user, and could harm this process by
/// other means too. Memory of another user's process cannot be mapped.
public final class PeerMemory: Sendable {
  let opened: any OpenedMemory
  let region: MemoryRegion
  /// This process's own memory, which remains open. It shows other processes that this process may still read.
  private let reader: (any CreatedMemory)?
  /// The leased ranges, each as its slot and its mark. If a worker sends a result twice, a second lease of the same range would
  /// release it while the first is in use.
  private let leased = Mutex<Set<UInt64>>([])

  /// Returns nil if the memory cannot be mapped.
  ///
  /// - Parameters:
  ///   - reader: This process's own memory, which remains open while this object exists.
  ///   - isReadOnly: Whether ranges in this memory are never released.
  public init?(
    _ reference: MemoryReference, _ system: some MemorySystem, reader: (any CreatedMemory)? = nil,
    isReadOnly: Bool = false
  ) {
    guard reference.token != 0, let opened = system.open(reference, isReadOnly: isReadOnly),
      opened.region.token == reference.token
    else { return nil }
    (self.opened, region, self.reader) = (opened, opened.region, reader)
  }

  public var token: UInt64 { region.token }

  /// Whether the other process has ended or has closed the memory, so that it no longer reads ranges.
  public var isGone: Bool { opened.isClosedByOwner }

  /// Leases a marked range, or maps one that is shown. Returns its bytes, whose owner is a `Lease`; its end releases the range.
  /// Returns nil if the range was released or is already leased.
  public func bytes(of range: SharedRange) -> OwnedBytes? { lease(range).map { OwnedBytes($0.bytes, keeping: $0) } }

  /// Leases a range. Returns its pieces; the range is released with the last of them.
  public func pieces(of range: SharedRange) -> [OwnedBytes]? {
    guard range.pieces.count <= ProtocolLimits.variants, let lease = lease(range) else { return nil }
    let whole = OwnedBytes(lease.bytes, keeping: lease)
    var pieces: [OwnedBytes] = []
    var start = 0
    for size in range.pieces {
      guard start <= whole.count, size <= UInt64(whole.count - start) else { return nil }
      let end = start + Int(size)
      pieces.append(whole.slice(start..<end))
      start = MemoryRegion.aligned(end)
    }
    return pieces
  }

  private func lease(_ range: SharedRange) -> Lease? {
    let size = UInt64(region.size)
    guard range.memory.token == token, range.offset >= UInt64(MemoryRegion.headerSize), range.offset <= size,
      range.count <= size - range.offset
    else { return nil }
    let slot = Int(range.slot)
    if range.mark != 0 {
      guard 1..<MemoryRegion.slots ~= slot, region.mark(slot) == range.mark,
        leased.withLock({ $0.insert(Self.key(slot, range.mark)).inserted })
      else { return nil }
    }
    return Lease(self, range)
  }

  func isLeased(_ slot: Int, _ mark: UInt32) -> Bool { leased.withLock { $0.contains(Self.key(slot, mark)) } }

  /// Records the end of a lease. If its range was not released, it can be leased again.
  func endLease(_ slot: Int, _ mark: UInt32) {
    _ = leased.withLock { $0.remove(Self.key(slot, mark)) }
  }

  private static func key(_ slot: Int, _ mark: UInt32) -> UInt64 { UInt64(slot) << 32 | UInt64(mark) }
}
