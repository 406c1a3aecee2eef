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
    let token = bytes.memory.token
    if memories.last?.token != token {
      let known = memories.firstIndex { $0.token == token }.map { memories.remove(at: $0) }
      guard let memory = known ?? PeerMemory(bytes.memory) else { return nil }
      if memories.count == limit { memories.removeFirst() }
      memories.append(memory)
    }
    return memories.last?.frame(bytes)
  }
}
