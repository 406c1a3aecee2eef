import Buffers
import PoolProtocol
import Synchronization

/// The `SharedMemory` of another process, as this one sees it.
///
/// The other process can change bytes there after they were checked. It belongs to the same user, and could do as much to
/// this one by other means; a process of another user has no way to offer memory that is seen.
public final class PeerMemory: Sendable {
  private let opened: any OpenedMemory
  private let region: MemoryRegion
  /// This process's own memory, which stays open. Other processes recognize by it that this process reads here.
  private let reader: (any CreatedMemory)?
  /// The ranges that have a lease, each as its slot and its mark. A second lease of the same bytes would release them
  /// while the first is used, when a worker sends a result twice.
  private let leased = Mutex<Set<UInt64>>([])

  /// Returns nil when the memory is not there.
  ///
  /// - Parameters:
  ///   - reader: This process's own memory, which stays open as long as this lives.
  ///   - isReadOnly: Whether nothing that lies there is ever released.
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

  /// Whether the other process has ended or has closed the memory: then it no longer reads.
  public var isGone: Bool { opened.isClosedByOwner }

  /// Returns bytes that a process left there. They are released at the end of their owner, which is a `Lease`. Nil when
  /// they were released, or have a lease already.
  public func bytes(of range: SharedRange) -> OwnedBytes? { lease(range).map { OwnedBytes($0.bytes, keeping: $0) } }

  /// Returns the pieces of a range. They are released when the last of them is released.
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
    return Lease(self, Int(range.offset)..<Int(range.offset + range.count), range)
  }

  func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(region.bytes(range)) }

  /// Whether bytes are not released yet.
  func hasMark(_ slot: Int, _ mark: UInt32) -> Bool { region.mark(slot) == mark }

  func clearMark(_ slot: Int, _ mark: UInt32) { region.clearMark(slot, mark) }

  func isLeased(_ slot: Int, _ mark: UInt32) -> Bool { leased.withLock { $0.contains(Self.key(slot, mark)) } }

  /// Another lease of the bytes can be made, if they were not released.
  func endLease(_ slot: Int, _ mark: UInt32) {
    _ = leased.withLock { $0.remove(Self.key(slot, mark)) }
  }

  private static func key(_ slot: Int, _ mark: UInt32) -> UInt64 { UInt64(slot) << 32 | UInt64(mark) }

  /// The reference by which third processes find the memory.
  var shownReference: MemoryReference { opened.shownReference }
}
