import CLinux
import Glibc
import PoolMessages
import ZeroMQ

/// The `SharedMemory` of another process, as this one sees it.
///
/// The other process can change what lies there after it was checked. It is of the same user, and could do as much to
/// this one by other means; who is not has no way to offer memory that is seen.
final class PeerMemory: Sendable {
  private static let maxSize = Int(Coordinator.maxMessageSize)

  /// By which this process shows it to others, as long as this lives.
  let reference: PoolSharedMemory
  private let descriptor: Int32
  private let mapping: Mapping

  /// Nil when it is not there: the process runs on another machine, in another container or as another user.
  init?(_ reference: PoolSharedMemory) {
    guard reference.token != 0, let descriptor = Self.open(reference) else { return nil }
    guard let mapping = Self.map(descriptor, reference.token) else {
      close(descriptor)
      return nil
    }
    (self.descriptor, self.mapping) = (descriptor, mapping)
    self.reference = .with {
      $0.pid = Int64(getpid())
      $0.descriptor = descriptor
      $0.token = reference.token
    }
  }

  deinit { close(descriptor) }

  var token: UInt64 { reference.token }

  private static func map(_ descriptor: Int32, _ token: UInt64) -> Mapping? {
    var status = stat()
    // What can be made smaller could end this process when it reads.
    guard galley_cannot_shrink(descriptor) != 0, fstat(descriptor, &status) == 0,
      Mapping.alignment...maxSize ~= Int(status.st_size),
      let mapping = Mapping(descriptor, size: Int(status.st_size)),
      mapping.token == token
    else { return nil }
    return mapping
  }

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

  /// Bytes that a process left there; they are given back when the frame ends, and its owner is the `Lease`. Nil when
  /// they are not there (any more).
  func frame(_ bytes: PoolSharedBytes) -> Frame? {
    let first = UInt64(Mapping.alignment)
    let size = UInt64(mapping.size)
    guard bytes.token == token, bytes.offset >= 2 * first, bytes.offset <= size,
      bytes.size <= size - bytes.offset
    else { return nil }
    let place = Int(bytes.offset)..<Int(bytes.offset + bytes.size)
    if bytes.mark != 0 {
      guard bytes.offset % first == 0, mapping.mark(of: place.lowerBound) == bytes.mark else { return nil }
    }
    return Frame(
      bytes: mapping.bytes(place), keeping: Lease(mapping, place, mark: bytes.mark, memory: self))
  }
}
