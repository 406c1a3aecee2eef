import CLinux
import Glibc
import PoolMessages
import ZeroMQ

/// Memory in which this process leaves bytes for another of its user and machine, so that no socket has to carry them.
///
/// Each piece of bytes has a word before it that says whether it is in use. This side sets it when it leaves the bytes,
/// the other side clears it when it has read them, and nobody waits: when there is no room, bytes go by the socket.
final class SharedMemory {
  /// Bytes in all. Only what was ever in use is really there: pieces are put as near to the beginning as there is room.
  static let size = 32 << 20
  static let tokenSize = 16
  static let name = "galley"
  static let alignment = 64

  /// By which the other process finds it.
  let reference: PoolSharedMemory
  private let start: UnsafeMutableRawPointer
  private var descriptor: Int32
  /// What is in use, from the beginning on, with the word before it.
  private var pieces: [Range<Int>] = []

  /// Nil where the system has none to give.
  init?() {
    let descriptor = galley_shared_memory(Self.name, Self.size)
    guard descriptor >= 0 else { return nil }
    guard let start = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), start != MAP_FAILED
    else {
      close(descriptor)
      return nil
    }
    (self.start, self.descriptor) = (start, descriptor)
    var generator = SystemRandomNumberGenerator()
    start.storeBytes(of: generator.next(), as: UInt64.self)
    start.storeBytes(of: generator.next(), toByteOffset: 8, as: UInt64.self)
    reference = .with {
      $0.pid = Int64(getpid())
      $0.descriptor = descriptor
      $0.token = .init(UnsafeRawBufferPointer(start: start, count: Self.tokenSize))
    }
  }

  deinit {
    munmap(start, Self.size)
    hide()
  }

  /// The other process has found it: nobody needs to any more.
  func hide() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  /// Leaves copies of frames; nil when there is no room for all of them.
  func leave(_ frames: [Frame]) -> [PoolSharedBytes]? {
    leave(frames.count, size: { frames[$0].count }) { index, start in
      frames[index].withBytes {
        UnsafeMutableRawBufferPointer(start: start, count: $0.count).copyMemory(from: $0)
      }
    }
  }

  /// Leaves so many pieces, of which `size` tells the bytes and `write` writes them; nil when there is no room for all.
  func leave(
    _ count: Int, size: (Int) -> Int, write: (Int, UnsafeMutableRawPointer) -> Void
  ) -> [PoolSharedBytes]? {
    var left: [PoolSharedBytes] = []
    for index in 0..<count {
      guard let bytes = leave(size: size(index), { write(index, $0) }) else {
        for bytes in left { takeBack(bytes) }
        return nil
      }
      left.append(bytes)
    }
    return left
  }

  /// Leaves bytes that `write` writes; nil when there is no room for them.
  func leave(size: Int, _ write: (UnsafeMutableRawPointer) -> Void) -> PoolSharedBytes? {
    pieces.removeAll { galley_load(word(at: $0.lowerBound)) == 0 }
    let needed = (size + 2 * Self.alignment - 1) & ~(Self.alignment - 1)
    var begin = Self.alignment
    var index = 0
    while index < pieces.count, pieces[index].lowerBound - begin < needed {
      begin = pieces[index].upperBound
      index += 1
    }
    guard Self.size - begin >= needed else { return nil }
    pieces.insert(begin..<begin + needed, at: index)
    write(start + begin + Self.alignment)
    galley_store(word(at: begin), 1)
    return .with {
      $0.token = reference.token
      $0.offset = UInt64(begin + Self.alignment)
      $0.size = UInt64(size)
    }
  }

  private func takeBack(_ bytes: PoolSharedBytes) { galley_store(word(at: Int(bytes.offset) - Self.alignment), 0) }

  private func word(at offset: Int) -> UnsafeMutablePointer<UInt32> {
    (start + offset).assumingMemoryBound(to: UInt32.self)
  }
}
