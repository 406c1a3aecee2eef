import PoolMessages
import ZeroMQ

/// Memories of other processes that this one was shown lately.
struct PeerMemories {
  private let limit: Int
  private let reader: MemoryFile?
  /// Those used last at the end.
  private var memories: [PeerMemory] = []

  /// - Parameter reader: this process's own memory, which stays open as long as it reads in others'.
  init(limit: Int, reader: MemoryFile? = nil) { (self.limit, self.reader) = (limit, reader) }

  mutating func forget() { memories = [] }

  /// Nil when it is not seen.
  subscript(reference: PoolSharedMemory) -> PeerMemory? {
    mutating get {
      if memories.last?.token == reference.token { return memories.last }
      if let known = memories.firstIndex(where: { $0.token == reference.token }) {
        memories.append(memories.remove(at: known))
      } else {
        guard let memory = PeerMemory(reference, reader: reader) else { return nil }
        memories.removeAll(where: \.isGone)
        if memories.count == limit { memories.removeFirst() }
        memories.append(memory)
      }
      return memories.last
    }
  }
}
