import Buffers
import CLinux
import Glibc
import PoolMemory
import PoolProtocol
import Processes

/// Memory files of the Linux kernel, which other processes of the same user open through `/proc`.
public struct SystemMemory: MemorySystem {
  /// The kernel provides pages when they are first written.
  public let channelBytes = 32 << 20
  static let name = "galley"
  private static let maxBytes =
    MemoryRegion.headerSize + max(Int(ProtocolLimits.partBytes), ProtocolLimits.programBytes)

  public init() {}

  public func create(bytes: Int) -> (any CreatedMemory)? {
    guard let file = MemoryFile(galley_shared_memory(Self.name, bytes)),
      let region = MemoryRegion(mapping: file.descriptor, bytes: bytes)
    else { return nil }
    region.setToken(.random(in: 1 ... .max))
    return SystemCreatedMemory(file, region)
  }

  public func open(_ reference: MemoryReference, isReadOnly: Bool) -> (any OpenedMemory)? {
    let flags = isReadOnly ? O_RDONLY : O_RDWR
    guard let file = MemoryFile(Self.openFile(reference, flags)) else { return nil }
    var status = stat()
    // Reading memory that its owner has truncated would end this process (SIGBUS), so only sealed memory is mapped.
    guard galley_cannot_shrink(file.descriptor) != 0, fstat(file.descriptor, &status) == 0,
      Int(status.st_size) <= Self.maxBytes,
      let region = MemoryRegion(mapping: file.descriptor, bytes: Int(status.st_size), isReadOnly: isReadOnly)
    else { return nil }
    return SystemOpenedMemory(reference, file, region, inode: status.st_ino)
  }

  /// Another process, possibly on another machine, names the file to open. Only memory files of this user are opened.
  private static func openFile(_ reference: MemoryReference, _ flags: Int32) -> Int32 {
    let kind = "/memfd:\(name)"
    return open(descriptorPath(reference.process, reference.descriptor), flags) { path, status in
      var target = [CChar](repeating: 0, count: kind.utf8.count)
      return readlink(path, &target, kind.utf8.count) == kind.utf8.count
        && target.elementsEqual(kind.utf8.map { CChar($0) }) && status.st_uid == geteuid()
    }
  }

  /// Opens a file that another process names, if it is one of those that are permitted: opening others can have effects. Returns its
  /// descriptor, or -1.
  ///
  /// - Parameter isPermitted: Gets another path of the file, and its status.
  private static func open(_ path: String, _ flags: Int32, _ isPermitted: (String, stat) -> Bool) -> Int32 {
    let seen = galley_look_at(path)
    guard seen >= 0 else { return -1 }
    defer { close(seen) }
    let path = "/proc/self/fd/\(seen)"
    var status = stat()
    guard fstat(seen, &status) == 0, isPermitted(path, status) else { return -1 }
    return Glibc.open(path, flags | O_CLOEXEC)
  }

  public func share(_ file: MappedFile) -> SharedFile? {
    var status = stat()
    guard let descriptor = file.descriptor, fstat(descriptor, &status) == 0 else { return nil }
    let (inode, count) = (UInt64(status.st_ino), UInt64(file.bytes.count))
    return SharedFile(process: Int64(getpid()), descriptor: descriptor, inode: inode, count: count)
  }

  public func open(_ file: SharedFile) -> OwnedBytes? {
    let path = descriptorPath(file.process, file.descriptor)
    let descriptor = Self.open(path, O_RDONLY) { _, status in
      status.st_mode & S_IFMT == S_IFREG && UInt64(status.st_ino) == file.inode
        && UInt64(status.st_size) == file.count
    }
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return MappedFile(descriptor, count: Int(file.count), staysOpen: false).map { OwnedBytes($0.bytes, keeping: $0) }
  }

  public func hasEnded(process: Int64) -> Bool {
    kill(pid_t(clamping: process), 0) != 0 && errno == ESRCH
  }
}

private final class SystemCreatedMemory: CreatedMemory {
  private let file: MemoryFile
  let region: MemoryRegion
  let reference: MemoryReference

  init(_ file: MemoryFile, _ region: MemoryRegion) {
    (self.file, self.region) = (file, region)
    reference = MemoryReference(process: Int64(getpid()), descriptor: file.descriptor, token: region.token)
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    writeAll(bytes, to: file.descriptor, at: offset) == 0
  }

  func sealWriting() { _ = galley_seal_writing(file.descriptor) }
}

private final class SystemOpenedMemory: OpenedMemory {
  private let reference: MemoryReference
  private let file: MemoryFile
  let region: MemoryRegion
  private let inode: ino_t

  init(_ reference: MemoryReference, _ file: MemoryFile, _ region: MemoryRegion, inode: ino_t) {
    (self.reference, self.file, self.region, self.inode) = (reference, file, region, inode)
  }

  var shownReference: MemoryReference {
    MemoryReference(process: Int64(getpid()), descriptor: file.descriptor, token: reference.token)
  }

  var isClosedByOwner: Bool {
    var status = stat()
    if stat(descriptorPath(reference.process, reference.descriptor), &status) == 0 { return status.st_ino != inode }
    // Other errors say nothing about the process.
    return errno == ENOENT || errno == ESRCH
  }
}

/// Returns the path of a file that a process has open.
private func descriptorPath(_ process: Int64, _ descriptor: Int32) -> String { "/proc/\(process)/fd/\(descriptor)" }

/// A file descriptor of memory, closed with this object.
private final class MemoryFile: Sendable {
  let descriptor: Int32

  /// Returns nil when the descriptor is not open.
  init?(_ descriptor: Int32) {
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }
}

extension MemoryRegion {
  /// Maps a memory file; nil where that fails.
  fileprivate convenience init?(mapping descriptor: Int32, bytes: Int, isReadOnly: Bool = false) {
    let protection = isReadOnly ? PROT_READ : PROT_READ | PROT_WRITE
    guard bytes >= Self.headerSize, let start = mmap(nil, bytes, protection, MAP_SHARED, descriptor, 0),
      start != MAP_FAILED
    else { return nil }
    self.init(start: start, size: bytes, owner: Mapped(start, bytes))
  }

  private final class Mapped: Sendable {
    // Nobody but this object unmaps the address.
    private nonisolated(unsafe) let start: UnsafeMutableRawPointer
    private let bytes: Int

    init(_ start: UnsafeMutableRawPointer, _ bytes: Int) { (self.start, self.bytes) = (start, bytes) }

    deinit { munmap(start, bytes) }
  }
}
