import PoolProtocol

/// The memories of other processes that this process has open, the one used last at the end.
struct OpenMemories {
  private let limit: Int
  private let system: any MemorySystem
  private let reader: (any CreatedMemory)?
  private var memories: [PeerMemory] = []

  /// - Parameters:
  ///   - limit: The number of memories that stay open.
  ///   - reader: This process's own memory, which stays open as long as it reads in others'.
  init(limit: Int, _ system: any MemorySystem, reader: (any CreatedMemory)? = nil) {
    (self.limit, self.system, self.reader) = (limit, system, reader)
  }

  mutating func removeAll() { memories = [] }

  /// Returns nil when the memory is not there.
  subscript(reference: MemoryReference) -> PeerMemory? {
    mutating get {
      if memories.last?.token == reference.token { return memories.last }
      if let known = memories.firstIndex(where: { $0.token == reference.token }) {
        memories.append(memories.remove(at: known))
      } else {
        guard let memory = PeerMemory(reference, system, reader: reader) else { return nil }
        memories.removeAll(where: \.isGone)
        if memories.count == limit { memories.removeFirst() }
        memories.append(memory)
      }
      return memories.last
    }
  }
}
