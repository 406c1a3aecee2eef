import PoolMemory
import PoolProtocol

/// A system without shared memory: all bytes are parts of messages.
struct NoMemory: MemorySystem {
  let channelBytes = 0

  func create(bytes: Int) -> (any CreatedMemory)? { nil }
  func open(_ reference: MemoryReference, isReadOnly: Bool) -> (any OpenedMemory)? { nil }
  func hasEnded(process: Int64) -> Bool { false }
}
