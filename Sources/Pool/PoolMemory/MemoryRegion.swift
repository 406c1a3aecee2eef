import Synchronization

/// Shared memory as it is mapped in this process: a token that identifies it, a table of slots, and bytes.
///
/// A slot belongs to a range of bytes. Its first word, the mark, states whether another process is to read them; its second
/// word states whether the process that owns the memory reads them itself. Slots and bytes have separate areas, so that
/// clearing a slot late, after its range was reused, has no effect: the new bytes have another mark.
///
/// The life of a range, by what causes each step:
///
///              leave                PeerMemory.bytes(of:)            the lease ends
///     free ─────────────▶ marked ──────────────────────▶ leased ─────────────────────▶ free
///      │                    ▲                              │                            ▲
///      │ copy, write        │ leave                        │ TransferredLeases.add      │ the reader's lease ends,
///      ▼                    │                              ▼                            │ or sweep: the reader is gone
///     held ─────────────────┘                         transferred ──────────────────────┘
///      └──▶ free: the returned bytes end
///
/// | state | the words | who releases the range |
/// | --- | --- | --- |
/// | free | both are zero | nobody; the owner uses it again when it next allocates |
/// | held | the second is one | the owner of the memory, which reads it itself |
/// | marked | the mark is not zero; the range can also be held | nobody until a process leases it, or until the memory ends |
/// | leased | as marked | the process that has the range's only `Lease` |
/// | transferred | as marked | the process to which the coordinator sent the range, or the coordinator once that has ended |
///
/// In the drawing, a range whose mark is cleared is free; if it is also held, it is held until the bytes of the owner end. Parts of
/// a leased range can be *shown* to third processes: their reference has no mark, and they release nothing. The coordinator retains
/// the lease until they have replied or ended. The range of a program is held, shown to all workers, and never used again.
public final class MemoryRegion: Sendable {
  /// The alignment of ranges and of slots in bytes, so that processes that clear one slot do not slow down those that
  /// clear another.
  public static let alignment = 64
  /// The number of slots. The token takes the first one.
  public static let slots = 1024
  /// The offset of the first byte.
  public static let headerSize = slots * alignment

  /// Returns the next offset at which a range can begin.
  public static func aligned(_ offset: Int) -> Int { (offset + alignment - 1) & ~(alignment - 1) }

  // The address never changes while this lives. One process writes bytes before it announces them to others, and slots
  // are written atomically.
  private nonisolated(unsafe) let start: UnsafeMutableRawPointer
  public let size: Int
  /// The object that unmaps the memory at its end.
  private let owner: any AnyObject & Sendable

  /// - Parameters:
  ///   - start: The address of `size` bytes, at least `headerSize`, that `owner` keeps.
  public init(start: UnsafeMutableRawPointer, size: Int, owner: any AnyObject & Sendable) {
    (self.start, self.size, self.owner) = (start, size, owner)
  }

  /// The number that identifies the memory; zero stands for no memory.
  public var token: UInt64 { start.load(as: UInt64.self) }

  public func setToken(_ token: UInt64) { start.storeBytes(of: token, as: UInt64.self) }

  func bytes(_ range: Range<Int>) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: start + range.lowerBound, count: range.count)
  }

  /// Returns the mark of the slot's range until another process has released it; then zero.
  func mark(_ slot: Int) -> UInt32 { word(slot, 0).pointee.load(ordering: .acquiring) }

  func setMark(_ slot: Int, _ mark: UInt32) { word(slot, 0).pointee.store(mark, ordering: .releasing) }

  /// Releases a marked range, unless it was released before and the slot belongs to another one.
  func clearMark(_ slot: Int, _ mark: UInt32) {
    _ = word(slot, 0).pointee.compareExchange(
      expected: mark, desired: 0, successOrdering: .releasing, failureOrdering: .relaxed)
  }

  func isHeld(_ slot: Int) -> Bool { word(slot, 1).pointee.load(ordering: .acquiring) != 0 }

  func setHeld(_ slot: Int, _ isHeld: Bool) { word(slot, 1).pointee.store(isHeld ? 1 : 0, ordering: .releasing) }

  /// Another process may write the word at the same time.
  private func word(_ slot: Int, _ index: Int) -> UnsafeMutablePointer<Atomic<UInt32>> {
    (start + slot * Self.alignment + index * 4).assumingMemoryBound(to: Atomic<UInt32>.self)
  }
}
