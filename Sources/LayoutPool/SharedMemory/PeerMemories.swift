import PoolMessages
import ZeroMQ

/// Memories of other processes that this one was shown lately.
struct PeerMemories {
  private let limit: Int
  /// Those used last at the end.
  private var memories: [PeerMemory] = []

  init(limit: Int) { self.limit = limit }

  mutating func forget() { memories = [] }

  /// What lies there; nil when it is not seen.
  mutating func frame(_ bytes: PoolSharedBytes) -> Frame? {
    if memories.last?.token != bytes.token {
      let known = memories.firstIndex { $0.token == bytes.token }.map { memories.remove(at: $0) }
      guard let memory = known ?? PeerMemory(PoolSharedMemory(of: bytes)) else { return nil }
      if memories.count == limit { memories.removeFirst() }
      memories.append(memory)
    }
    return memories.last?.frame(bytes)
  }
}
