import BatchLayout
import CLinux
import Glibc
import PoolMessages
import ZeroMQ

/// The `SharedMemory` of another process, as this one sees it.
///
/// The other process can change what lies there after it was checked. It is of the same user, and could do as much to
/// this one by other means; who is not has no way to offer memory that is seen.
final class PeerMemory: Sendable {
  private static let maxSize = Mapping.headerSize + Int(Coordinator.maxMessageSize)

  /// By which the other process, or who showed it, told of it.
  private let reference: PoolSharedMemory
  private let mapping: Mapping
  private let inode: ino_t
  /// Open only where it is shown to others.
  private let file: MemoryFile?
  /// Keeps this process's own memory open: by that others see that it reads here.
  private let reader: MemoryFile?

  /// Nil when it is not there: the process runs on another machine, in another container or as another user.
  ///
  /// - Parameters:
  ///   - isShown: whether others are to open it by way of this process.
  ///   - reader: stays open as long as this lives.
  ///   - isReadOnly: whether nothing that lies there is to be given back.
  init?(
    _ reference: PoolSharedMemory, isShown: Bool = false, reader: MemoryFile? = nil, isReadOnly: Bool = false
  ) {
    let flags = isReadOnly ? O_RDONLY : O_RDWR
    guard reference.token != 0, let file = MemoryFile(Self.open(reference, flags)) else { return nil }
    var status = stat()
    // What can be made smaller could end this process when it reads.
    guard galley_cannot_shrink(file.descriptor) != 0, fstat(file.descriptor, &status) == 0,
      Int(status.st_size) <= Self.maxSize,
      let mapping = Mapping(file.descriptor, size: Int(status.st_size), isReadOnly: isReadOnly),
      mapping.token == reference.token
    else { return nil }
    (self.reference, self.mapping, inode) = (reference, mapping, status.st_ino)
    (self.file, self.reader) = (isShown ? file : nil, reader)
  }

  var token: UInt64 { reference.token }

  /// Another process, and not always one of this machine, says which file to open: only one that is memory and this
  /// user's is touched.
  private static func open(_ reference: PoolSharedMemory, _ flags: Int32) -> Int32 {
    let seen = galley_look_at(path(reference))
    guard seen >= 0 else { return -1 }
    defer { close(seen) }
    let path = "/proc/self/fd/\(seen)"
    let kind = "/memfd:\(SharedMemory.name)"
    var name = [CChar](repeating: 0, count: kind.utf8.count)
    guard readlink(path, &name, kind.utf8.count) == kind.utf8.count, name.elementsEqual(kind.utf8.map { CChar($0) })
    else { return -1 }
    var status = stat()
    guard fstat(seen, &status) == 0, status.st_uid == geteuid() else { return -1 }
    return Glibc.open(path, flags | O_CLOEXEC)
  }

  private static func path(_ reference: PoolSharedMemory) -> String {
    "/proc/\(reference.pid)/fd/\(reference.descriptor)"
  }

  /// Whether the process that told of it has ended or keeps it open no more: then it reads nothing either.
  var isGone: Bool {
    var status = stat()
    if stat(Self.path(reference), &status) == 0 { return status.st_ino != inode }
    // Anything else tells nothing.
    return errno == ENOENT || errno == ESRCH
  }

  /// Bytes that a process left there; they are given back when the frame ends, and its owner is the `Lease`. Nil when
  /// they are not there (any more).
  func frame(_ bytes: PoolSharedBytes) -> Frame? {
    lease(bytes).map { Frame(bytes: $0.bytes, keeping: $0) }
  }

  /// The pieces that such bytes are; they are given back when all frames have ended.
  func frames(_ bytes: PoolSharedBytes) -> [Frame]? {
    guard bytes.pieces.count <= Variant.limit, let lease = lease(bytes) else { return nil }
    let whole = lease.bytes
    var frames: [Frame] = []
    var start = 0
    for size in bytes.pieces {
      guard start <= whole.count, size <= UInt64(whole.count - start) else { return nil }
      let end = start + Int(size)
      frames.append(Frame(bytes: UnsafeRawBufferPointer(rebasing: whole[start..<end]), keeping: lease))
      start = Mapping.aligned(end)
    }
    return frames
  }

  private func lease(_ bytes: PoolSharedBytes) -> Lease? {
    let size = UInt64(mapping.size)
    guard bytes.token == token, bytes.offset >= UInt64(Mapping.headerSize), bytes.offset <= size,
      bytes.size <= size - bytes.offset
    else { return nil }
    let slot = Int(bytes.slot)
    if bytes.mark != 0 {
      guard 1..<Mapping.slots ~= slot, mapping.mark(slot) == bytes.mark else { return nil }
    }
    let place = Int(bytes.offset)..<Int(bytes.offset + bytes.size)
    return Lease(self, place, slot: slot, mark: bytes.mark, pieces: bytes.pieces)
  }

  func bytes(_ place: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(mapping.bytes(place)) }

  /// Whether bytes were not given back yet.
  func hasMark(_ slot: Int, _ mark: UInt32) -> Bool { mapping.mark(slot) == mark }
  func clearMark(_ slot: Int, _ mark: UInt32) { mapping.clearMark(slot, mark) }

  /// By which others can open it, if this was to show it to them.
  var shown: PoolSharedMemory {
    .with { ($0.pid, $0.descriptor, $0.token) = (Int64(getpid()), file?.descriptor ?? -1, token) }
  }
}
