import PoolProtocol

/// The memories of other processes that this process has mapped, in the order of their last use.
struct OpenMemories {
  private let limit: Int
  private let system: any MemorySystem
  private let reader: (any CreatedMemory)?
  private var memories: [PeerMemory] = []

  /// - Parameters:
  ///   - limit: The number of memories that stay open.
  ///   - reader: This process's own memory, which remains open while it reads memories of others.
  init(limit: Int, _ system: any MemorySystem, reader: (any CreatedMemory)? = nil) {
    (self.limit, self.system, self.reader) = (limit, system, reader)
  }

  mutating func removeAll() { memories = [] }

  /// Returns nil if the memory cannot be mapped.
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
