import CLinux
import Glibc
import PoolMessages

/// Shared memory as it lies in this process. Before each piece of bytes there are two words: whether another process is to
/// read them, and whether this memory's own does.
final class Mapping: Sendable {
  static let alignment = 64

  // Never changed while this lives; what lies there is written by one process, before it tells others where it is, but
  // for the words, which are set atomically.
  nonisolated(unsafe) let start: UnsafeMutableRawPointer
  let size: Int

  /// Nil where it cannot be mapped.
  init?(_ descriptor: Int32, size: Int) {
    guard let start = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), start != MAP_FAILED else {
      return nil
    }
    (self.start, self.size) = (start, size)
  }

  deinit { munmap(start, size) }

  /// By which it is known.
  var token: UInt64 {
    get { start.load(as: UInt64.self) }
    set { start.storeBytes(of: newValue, as: UInt64.self) }
  }

  func bytes(_ place: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start + place.lowerBound, count: place.count)
  }

  func writable(_ place: Range<Int>) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: start + place.lowerBound, count: place.count)
  }

  /// The mark of bytes that another process has not given back; 0 if none has them.
  func mark(of offset: Int) -> UInt32 { galley_load(word(before: offset)) }
  func setMark(of offset: Int, _ mark: UInt32) { galley_store(word(before: offset), mark) }
  /// Gives bytes back, if they were not and there are no others there by now.
  func clearMark(of offset: Int, _ mark: UInt32) { galley_clear(word(before: offset), mark) }

  func isHeld(_ offset: Int) -> Bool { galley_load(word(before: offset) + 1) != 0 }
  func setHeld(_ offset: Int, _ isHeld: Bool) { galley_store(word(before: offset) + 1, isHeld ? 1 : 0) }

  private func word(before offset: Int) -> UnsafeMutablePointer<UInt32> {
    (start + offset - Self.alignment).assumingMemoryBound(to: UInt32.self)
  }
}

extension PoolSharedMemory {
  /// The memory in which bytes lie.
  init(of bytes: PoolSharedBytes) {
    self = .with { ($0.pid, $0.descriptor, $0.token) = (bytes.pid, bytes.descriptor, bytes.token) }
  }
}
