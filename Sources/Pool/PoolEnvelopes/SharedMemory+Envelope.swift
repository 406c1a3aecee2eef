import PoolProtocol

extension MemoryReference {
  init(_ message: PoolSharedMemory) {
    self.init(process: message.pid, descriptor: message.descriptor, token: message.token)
  }

  var message: PoolSharedMemory? {
    guard token != 0 else { return nil }
    return .with { ($0.pid, $0.descriptor, $0.token) = (process, descriptor, token) }
  }
}

extension SharedFile {
  init(_ message: PoolSharedFile) {
    self.init(process: message.pid, descriptor: message.descriptor, inode: message.inode, count: message.size)
  }

  var message: PoolSharedFile {
    .with { ($0.pid, $0.descriptor, $0.inode, $0.size) = (process, descriptor, inode, count) }
  }
}

extension SharedRange {
  init(_ message: PoolSharedBytes) {
    self.init(
      memory: MemoryReference(process: message.pid, descriptor: message.descriptor, token: message.token),
      offset: message.offset, count: message.size, slot: message.slot, mark: message.mark, pieces: message.pieces)
  }

  var message: PoolSharedBytes {
    .with {
      ($0.pid, $0.descriptor, $0.token) = (memory.process, memory.descriptor, memory.token)
      ($0.offset, $0.size, $0.slot, $0.mark, $0.pieces) = (offset, count, slot, mark, pieces)
    }
  }
}
