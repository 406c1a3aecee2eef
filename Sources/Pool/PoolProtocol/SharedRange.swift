/// Memory of a process that other processes of its user and machine can map.
public struct MemoryReference: Hashable, Sendable {
  /// The process that has the memory open.
  public var process: Int64
  /// Its file descriptor of the memory.
  public var descriptor: Int32
  /// The random number with which the memory begins. A process that reads this number there has mapped the same memory. Zero
  /// means no memory.
  public var token: UInt64

  public init(process: Int64, descriptor: Int32, token: UInt64) {
    self.process = process
    self.descriptor = descriptor
    self.token = token
  }

  public static let none = MemoryReference(process: 0, descriptor: 0, token: 0)
}

/// A file that a process has open and that other processes of the same user and machine can map.
public struct SharedFile: Hashable, Sendable {
  /// The process that has the file open.
  public var process: Int64
  /// Its file descriptor.
  public var descriptor: Int32
  /// The number of the file in its file system. A process that finds another one has opened another file.
  public var inode: UInt64
  /// The number of its bytes.
  public var count: UInt64

  public init(process: Int64, descriptor: Int32, inode: UInt64, count: UInt64) {
    (self.process, self.descriptor, self.inode, self.count) = (process, descriptor, inode, count)
  }
}

/// A range of bytes in shared memory.
public struct SharedRange: Hashable, Sendable {
  public var memory: MemoryReference
  /// The offset of the first byte from the beginning of the memory.
  public var offset: UInt64
  public var count: UInt64
  /// The index of the word that holds the mark.
  public var slot: UInt32
  /// The value of that word until the reader has released the bytes. Zero means that no process waits for the release.
  public var mark: UInt32
  /// The sizes in bytes of the pieces in the range. The first begins at the offset, each other at the next multiple of 64
  /// behind the one before it.
  public var pieces: [UInt64]

  public init(
    memory: MemoryReference, offset: UInt64, count: UInt64, slot: UInt32 = 0, mark: UInt32 = 0, pieces: [UInt64] = []
  ) {
    self.memory = memory
    self.offset = offset
    self.count = count
    self.slot = slot
    self.mark = mark
    self.pieces = pieces
  }
}
