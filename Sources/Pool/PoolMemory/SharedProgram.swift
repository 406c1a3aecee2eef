import Buffers
import PoolProtocol

/// A program in memory of its own and in files, which all workers of this user and machine map, so that none has a copy.
public final class SharedProgram {
  private let memory: SharedMemory
  /// The range of the bytes in memory. It can be mapped while this object exists, and remains valid for processes that have mapped it.
  public let range: SharedRange
  /// The files whose bytes follow those in memory.
  public let files: [SharedFile]
  /// The bytes of the program, one part after the other.
  public let parts: [OwnedBytes]

  /// Returns nil if the system provides no memory.
  ///
  /// - Parameters:
  ///   - parts: The bytes of the program, one part after the other.
  ///   - sharesFiles: Whether workers map the files that are mapped here. What another program writes in such a file is not noticed
  ///     then, and a worker ends if another program shortens it.
  public init?(_ parts: [OwnedBytes], sharesFiles: Bool, _ system: some MemorySystem) {
    var files: [SharedFile] = []
    if sharesFiles {
      for part in parts.reversed() {
        // A file is shared as a whole.
        guard let file = part.owner as? MappedFile, file.bytes.count == part.count, let shared = system.share(file)
        else { break }
        files.insert(shared, at: 0)
      }
    }
    let inMemory = Array(parts.dropLast(files.count))
    guard let memory = SharedMemory(system, bytes: MemoryRegion.headerSize + inMemory.byteCount),
      let bytes = memory.write(inMemory)
    else { return nil }
    // A faulty worker cannot change the program for the others.
    memory.sealWriting()
    range = SharedRange(
      memory: memory.reference, offset: UInt64(MemoryRegion.headerSize), count: UInt64(bytes.count))
    (self.memory, self.files) = (memory, files)
    self.parts = [bytes] + parts.suffix(files.count)
  }
}
