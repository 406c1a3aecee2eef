import PoolMessages
import ZeroMQ

/// A program in memory of its own, where all workers of this user and machine read it, so that none has a copy.
final class SharedProgram {
  private let memory: SharedMemory
  /// The program where it lies.
  let frame: Frame

  /// Nil where the system has no such memory.
  init?(_ program: Frame) {
    guard let memory = SharedMemory(size: Mapping.headerSize + program.count),
      let frame = program.withBytes({ memory.frame(copying: $0) })
    else { return nil }
    // A worker that goes astray cannot spoil it for the others.
    memory.sealWriting()
    (self.memory, self.frame) = (memory, frame)
  }

  /// Where it lies: it stays there as long as this lives, and for those who have opened it by then.
  var place: PoolSharedBytes {
    let start = Mapping.headerSize
    return PoolSharedBytes(start..<start + frame.count, in: memory.reference, slot: 0, mark: 0)
  }
}
