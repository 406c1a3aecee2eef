import Buffers
import PoolMemory
import PoolProtocol

/// A memory system without shared memory. All bytes are sent as parts of messages.
struct NoMemory: MemorySystem {
  let channelBytes = 0

  func create(bytes: Int) -> (any CreatedMemory)? { nil }
  func open(_ reference: MemoryReference, isReadOnly: Bool) -> (any OpenedMemory)? { nil }
  func share(_ file: MappedFile) -> SharedFile? { nil }
  func open(_ file: SharedFile) -> OwnedBytes? { nil }
  func hasEnded(process: Int64) -> Bool { false }
}
