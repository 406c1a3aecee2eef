import PoolProtocol
import Synchronization

/// A lease of bytes in another process's memory. The bytes are released when the lease is deallocated, unless the lease was
/// transferred: then the process that received it releases them.
public final class Lease: Sendable {
  private let memory: PeerMemory
  private let range: Range<Int>
  private let slot: Int
  /// The value of the slot until the bytes are released. Zero means that no process waits for the release.
  private let mark: UInt32
  private let pieces: [UInt64]
  private let isTransferred = Atomic<Bool>(false)

  init(_ memory: PeerMemory, _ range: Range<Int>, _ shared: SharedRange) {
    (self.memory, self.range) = (memory, range)
    (slot, mark, pieces) = (Int(shared.slot), shared.mark, shared.pieces)
  }

  deinit {
    if !isTransferred.load(ordering: .relaxed) { release() }
    if mark != 0 { memory.endLease(slot, mark) }
  }

  var bytes: UnsafeRawBufferPointer { memory.bytes(range) }

  func release() {
    if mark != 0 { memory.clearMark(slot, mark) }
  }

  /// Returns the range of a part of the bytes, which third processes can map while this lease exists.
  package func shown(_ part: Range<Int>) -> SharedRange {
    SharedRange(
      memory: memory.shownReference, offset: UInt64(range.lowerBound + part.lowerBound), count: UInt64(part.count))
  }

  /// The range for a third process that is to release the bytes.
  package var transferred: SharedRange {
    SharedRange(
      memory: memory.shownReference, offset: UInt64(range.lowerBound), count: UInt64(range.count),
      slot: UInt32(slot), mark: mark, pieces: pieces)
  }

  /// Whether the process to which the lease was transferred releases the bytes.
  var belongsToReader: Bool { isTransferred.load(ordering: .relaxed) }
  /// Whether further leases of the bytes are impossible.
  var isOnlyOne: Bool { mark == 0 || memory.isLeased(slot, mark) }

  func noteTransfer() { isTransferred.store(true, ordering: .relaxed) }

  /// Whether the process that received the lease has released the bytes.
  var isReleased: Bool { mark == 0 || !memory.hasMark(slot, mark) }
}
