import Glibc
import PoolMessages
import Synchronization

/// Bytes that another process left in its memory for this one. They are given back when this ends, unless somebody else
/// was told to give them back.
final class Lease: Sendable {
  private let memory: PeerMemory
  private let mapping: Mapping
  private let place: Range<Int>
  private let mark: UInt32
  private let isHandedOver = Atomic<Bool>(false)

  /// - Parameter mark: what the word before the bytes has until they are given back; 0: nobody waits for that.
  init(_ mapping: Mapping, _ place: Range<Int>, mark: UInt32, memory: PeerMemory) {
    (self.mapping, self.place, self.mark, self.memory) = (mapping, place, mark, memory)
  }

  deinit {
    if !isHandedOver.load(ordering: .relaxed) { giveBack() }
  }

  private func giveBack() {
    if mark != 0 { mapping.clearMark(of: place.lowerBound, mark) }
  }

  /// Where a part of the bytes is for others, as long as this lives.
  func shown(_ part: Range<Int>) -> PoolSharedBytes {
    .with {
      let memory = memory.reference
      ($0.pid, $0.descriptor, $0.token) = (memory.pid, memory.descriptor, memory.token)
      $0.offset = UInt64(place.lowerBound + part.lowerBound)
      $0.size = UInt64(part.count)
    }
  }

  /// Where the bytes are for a process that is to give them back.
  var handedOver: PoolSharedBytes {
    var bytes = shown(0..<place.count)
    bytes.mark = mark
    return bytes
  }

  /// They are in the hands of another process, which was told so.
  func noteHandedOver() { isHandedOver.store(true, ordering: .relaxed) }

  /// Whether that process has given them back, now that it has ended at the latest.
  func isOver(for reader: pid_t) -> Bool {
    if mapping.mark(of: place.lowerBound) != mark { return true }
    guard ProcessID.hasEnded(reader) else { return false }
    giveBack()
    return true
  }
}

enum ProcessID {
  /// Of a process of this user.
  static func hasEnded(_ process: pid_t) -> Bool { kill(process, 0) != 0 && errno == ESRCH }
}
