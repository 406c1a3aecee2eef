import PoolMessages
import Synchronization

/// Bytes that another process left in its memory for this one. They are given back when this ends, unless somebody else
/// was told to give them back.
final class Lease: Sendable {
  private let memory: PeerMemory
  private let place: Range<Int>
  private let slot: Int
  private let mark: UInt32
  private let pieces: [UInt64]
  private let isHandedOver = Atomic<Bool>(false)

  /// - Parameter mark: what the slot has until the bytes are given back; 0: nobody waits for that.
  init(_ memory: PeerMemory, _ place: Range<Int>, slot: Int, mark: UInt32, pieces: [UInt64]) {
    (self.memory, self.place, self.slot, self.mark, self.pieces) = (memory, place, slot, mark, pieces)
  }

  deinit {
    if !isHandedOver.load(ordering: .relaxed) { giveBack() }
  }

  var bytes: UnsafeRawBufferPointer { memory.bytes(place) }

  func giveBack() {
    if mark != 0 { memory.clearMark(slot, mark) }
  }

  /// Where a part of the bytes is for others, as long as this lives.
  func shown(_ part: Range<Int>) -> PoolSharedBytes {
    let start = place.lowerBound + part.lowerBound
    return PoolSharedBytes(start..<start + part.count, in: memory.shown, slot: 0, mark: 0)
  }

  /// Where the bytes are for a process that is to give them back.
  var handedOver: PoolSharedBytes {
    PoolSharedBytes(place, in: memory.shown, slot: slot, mark: mark, pieces: pieces)
  }

  /// They are in the hands of another process, which was told so.
  func noteHandedOver() { isHandedOver.store(true, ordering: .relaxed) }

  /// Whether that process has given them back.
  var isReturned: Bool { mark == 0 || !memory.hasMark(slot, mark) }
}
