import Glibc
import LayoutTables
import ZeroMQ

/// A directory that only this user can enter, removed with its object; those of processes that were killed go when the
/// next is made.
public final class PrivateDirectory {
  let path: String
  /// Locked as long as the process lives.
  private let descriptor: Int32

  static let prefix = "galley-pool-"
  static let socket = "coordinator"
  /// The endpoint must stay below the system's 107 bytes.
  private static let maxParentLength = 70

  public init() throws(ZeroMQError) {
    let runtime = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }
    for parent in [runtime, "/tmp"].compactMap({ $0 }) where parent.utf8.count <= Self.maxParentLength {
      Self.removeLeftovers(in: parent)
      if let (path, descriptor) = Self.make(in: parent) {
        (self.path, self.descriptor) = (path, descriptor)
        return
      }
    }
    throw ZeroMQError(code: errno, operation: "cannot make a directory in /tmp")
  }

  /// An ipc endpoint in the directory.
  public var endpoint: String { "ipc://\(path)/\(Self.socket)" }

  deinit {
    Self.remove(path)
    close(descriptor)
  }

  private static func make(in parent: String) -> (path: String, descriptor: Int32)? {
    while true {
      var template = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
      guard mkdtemp(&template) != nil else { return nil }
      let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      // Another process may take it for a leftover before it is locked.
      if let descriptor = lock(path) { return (path, descriptor) }
    }
  }

  /// Nil for what is not there, not a directory of this user's, or locked.
  private static func lock(_ path: String) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var (opened, named) = (stat(), stat())
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &opened) == 0, stat(path, &named) == 0,
      opened.st_ino == named.st_ino, opened.st_uid == getuid()
    {
      return descriptor
    }
    close(descriptor)
    return nil
  }

  private static func removeLeftovers(in parent: String) {
    for name in DirectoryListing.names(in: parent) ?? [] where name.hasPrefix(prefix) {
      guard let descriptor = lock("\(parent)/\(name)") else { continue }
      remove("\(parent)/\(name)")
      close(descriptor)
    }
  }

  /// Fails harmlessly where something else is in it.
  private static func remove(_ path: String) {
    var status = stat()
    if lstat("\(path)/\(socket)", &status) == 0, status.st_mode & S_IFMT == S_IFSOCK { unlink("\(path)/\(socket)") }
    rmdir(path)
  }
}
