import Glibc
import Processes
import ZeroMQ

/// A directory that only this user can enter. It is removed when its object is released. Directories of processes that
/// were killed are removed when the next one is made.
public final class PrivateDirectory {
  private let directory: LockedDirectory

  static let prefix = "galley-pool-"
  private static let socket = "coordinator"
  /// The largest number of bytes in the parent's path. It keeps the endpoint below the system's limit of 107 bytes.
  private static let maxParentLength = 70

  /// Makes the directory in `$XDG_RUNTIME_DIR` or else in `/tmp`.
  public init() throws(ZeroMQError) {
    let runtime = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }
    // An empty variable is one that is not set.
    for parent in [runtime, "/tmp"].compactMap({ $0 })
    where !parent.isEmpty && parent.utf8.count <= Self.maxParentLength {
      if let directory = LockedDirectory(prefix: "\(parent)/\(Self.prefix)", removingLeftovers: Self.remove) {
        self.directory = directory
        return
      }
    }
    throw ZeroMQError(code: errno, operation: "cannot make a directory in /tmp")
  }

  var path: String { directory.path }

  /// The ipc endpoint in the directory.
  public var endpoint: String { "ipc://\(path)/\(Self.socket)" }

  deinit { Self.remove(path) }

  /// Removes a directory and its socket. A directory that contains anything else is not removed, which is no error.
  private static func remove(_ path: String) {
    let socket = "\(path)/\(Self.socket)"
    var status = stat()
    if lstat(socket, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK { unlink(socket) }
    rmdir(path)
  }
}
