import PoolProtocol
import Synchronization

/// A lease of a marked range in another process's memory (`MemoryRegion` has the life of a range). The range is released when the
/// lease is deallocated, unless the lease was transferred: then the process that received the range releases it.
public final class Lease: Sendable {
  private let memory: PeerMemory
  /// The range. Its mark is zero if it was shown to this process, which then releases nothing.
  private let range: SharedRange
  private let isTransferred = Atomic<Bool>(false)

  /// - Parameter range: A range within the memory.
  init(_ memory: PeerMemory, _ range: SharedRange) { (self.memory, self.range) = (memory, range) }

  deinit {
    if !isTransferred.load(ordering: .relaxed) { release() }
    if range.mark != 0 { memory.endLease(slot, range.mark) }
  }

  private var slot: Int { Int(range.slot) }

  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(memory.region.bytes(Int(range.offset)..<Int(range.offset + range.count)))
  }

  /// Releases the range, unless another process has released it.
  func release() {
    if range.mark != 0 { memory.region.clearMark(slot, range.mark) }
  }

  /// Returns the range of a part of the bytes, which third processes can map while this lease exists.
  package func shown(_ part: Range<Int>) -> SharedRange {
    SharedRange(
      memory: memory.opened.shownReference, offset: range.offset + UInt64(part.lowerBound), count: UInt64(part.count))
  }

  /// The range for a third process that is to lease and release it.
  package var transferred: SharedRange {
    var range = range
    range.memory = memory.opened.shownReference
    return range
  }

  /// Whether the process to which the lease was transferred releases the range.
  var belongsToReader: Bool { isTransferred.load(ordering: .relaxed) }
  /// Whether further leases of the range are impossible in this process.
  var isOnlyOne: Bool { range.mark == 0 || memory.isLeased(slot, range.mark) }

  func noteTransfer() { isTransferred.store(true, ordering: .relaxed) }

  /// Whether the range is released, or needs no release.
  var isReleased: Bool { range.mark == 0 || memory.region.mark(slot) != range.mark }
}
