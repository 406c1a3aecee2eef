import Buffers
import PoolProtocol

/// A program in memory of its own, where all workers of this user and machine read it, so that none has a copy.
public final class SharedProgram {
  private let memory: SharedMemory
  /// The program where it lies.
  public let bytes: OwnedBytes

  /// Returns nil where the system has no such memory.
  public init?(_ program: OwnedBytes, _ system: some MemorySystem) {
    guard let memory = SharedMemory(system, bytes: MemoryRegion.headerSize + program.count),
      let bytes = program.withBytes({ memory.copy($0) })
    else { return nil }
    // A faulty worker cannot change the program for the others.
    memory.sealWriting()
    (self.memory, self.bytes) = (memory, bytes)
  }

  /// The range of the program. It stays there as long as this lives, and for those who have mapped it by then.
  public var range: SharedRange {
    SharedRange(memory: memory.reference, offset: UInt64(MemoryRegion.headerSize), count: UInt64(bytes.count))
  }
}
