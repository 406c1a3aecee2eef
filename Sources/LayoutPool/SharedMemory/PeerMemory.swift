import CLinux
import Foundation
import Glibc
import PoolMessages
import ZeroMQ

/// The `SharedMemory` of another process, as this one sees it.
///
/// The other process can change what lies there after it was checked. It is of the same user, and could do as much to
/// this one by other means; who is not has no way to offer memory that is seen.
final class PeerMemory: Sendable {
  private static let maxSize = Int(Coordinator.maxMessageSize)

  let token: Data
  // Never changed while this lives; what lies there is another process's and only read, but for the words that are
  // set atomically.
  private nonisolated(unsafe) let start: UnsafeMutableRawPointer
  private let size: Int

  /// Nil when it is not there: the process runs on another machine, in another container or as another user.
  init?(_ reference: PoolSharedMemory) {
    guard reference.token.count == SharedMemory.tokenSize, let descriptor = Self.open(reference) else { return nil }
    defer { close(descriptor) }
    var status = stat()
    // What can be made smaller could end this process when it reads.
    guard galley_cannot_shrink(descriptor) != 0, fstat(descriptor, &status) == 0,
      SharedMemory.tokenSize...Self.maxSize ~= Int(status.st_size),
      let start = mmap(nil, Int(status.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), start != MAP_FAILED
    else { return nil }
    guard reference.token.elementsEqual(UnsafeRawBufferPointer(start: start, count: SharedMemory.tokenSize)) else {
      munmap(start, Int(status.st_size))
      return nil
    }
    self.start = start
    size = Int(status.st_size)
    token = reference.token
  }

  deinit { munmap(start, size) }

  /// Another process, and not always one of this machine, says which file to open: only one that is memory and this
  /// user's is touched.
  private static func open(_ reference: PoolSharedMemory) -> Int32? {
    let seen = galley_look_at("/proc/\(reference.pid)/fd/\(reference.descriptor)")
    guard seen >= 0 else { return nil }
    defer { close(seen) }
    let path = "/proc/self/fd/\(seen)"
    let kind = "/memfd:\(SharedMemory.name)"
    var name = [CChar](repeating: 0, count: kind.utf8.count)
    guard readlink(path, &name, kind.utf8.count) == kind.utf8.count, name.elementsEqual(kind.utf8.map { CChar($0) })
    else { return nil }
    var status = stat()
    guard fstat(seen, &status) == 0, status.st_uid == geteuid() else { return nil }
    let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC)
    return descriptor < 0 ? nil : descriptor
  }

  /// Bytes that the other process left; they are given back when the frame ends. Nil when they are not there.
  func frame(_ bytes: PoolSharedBytes) -> Frame? {
    let alignment = SharedMemory.alignment
    guard bytes.token == token, bytes.offset % UInt64(alignment) == 0,
      bytes.offset >= UInt64(2 * alignment), bytes.offset <= UInt64(size), bytes.size <= UInt64(size) - bytes.offset
    else { return nil }
    let lease = Lease(memory: self, offset: Int(bytes.offset))
    return Frame(
      bytes: UnsafeRawBufferPointer(start: start + lease.offset, count: Int(bytes.size)), keeping: lease)
  }

  private final class Lease: Sendable {
    let memory: PeerMemory
    let offset: Int

    init(memory: PeerMemory, offset: Int) { (self.memory, self.offset) = (memory, offset) }

    deinit {
      galley_store((memory.start + offset - SharedMemory.alignment).assumingMemoryBound(to: UInt32.self), 0)
    }
  }
}
