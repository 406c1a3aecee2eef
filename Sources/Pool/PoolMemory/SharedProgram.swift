import Buffers
import PoolProtocol

/// A program in memory of its own, which all workers of this user and machine map, so that none has a copy.
public final class SharedProgram {
  private let memory: SharedMemory
  /// The bytes of the program.
  public let bytes: OwnedBytes

  /// Returns nil if the system provides no memory.
  ///
  /// - Parameter parts: The bytes of the program, one part after the other.
  public init?(_ parts: [OwnedBytes], _ system: some MemorySystem) {
    guard let memory = SharedMemory(system, bytes: MemoryRegion.headerSize + parts.byteCount),
      let bytes = memory.write(parts)
    else { return nil }
    // A faulty worker cannot change the program for the others.
    memory.sealWriting()
    (self.memory, self.bytes) = (memory, bytes)
  }

  /// The range of the program. It can be mapped while this object exists, and remains valid for processes that have mapped it.
  public var range: SharedRange {
    SharedRange(memory: memory.reference, offset: UInt64(MemoryRegion.headerSize), count: UInt64(bytes.count))
  }
}
