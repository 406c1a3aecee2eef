import Glibc
import Files
import ZeroMQ

/// A directory that only this user can enter, removed with its object; those of processes that were killed go when the
/// next is made.
public final class PrivateDirectory {
  private let directory: LockedDirectory

  static let prefix = "galley-pool-"
  private static let socket = "coordinator"
  /// The endpoint must stay below the system's 107 bytes.
  private static let maxParentLength = 70

  public init() throws(ZeroMQError) {
    let runtime = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }
    for parent in [runtime, "/tmp"].compactMap({ $0 }) where parent.utf8.count <= Self.maxParentLength {
      let prefix = "\(parent)/\(Self.prefix)"
      LockedDirectory.removeLeftovers(prefix: prefix, Self.remove)
      if let directory = LockedDirectory(prefix: prefix) {
        self.directory = directory
        return
      }
    }
    throw ZeroMQError(code: errno, operation: "cannot make a directory in /tmp")
  }

  var path: String { directory.path }

  /// An ipc endpoint in the directory.
  public var endpoint: String { "ipc://\(path)/\(Self.socket)" }

  deinit { Self.remove(path) }

  /// Fails harmlessly where something else is in it.
  private static func remove(_ path: String) {
    let socket = "\(path)/\(Self.socket)"
    var status = stat()
    if lstat(socket, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK { unlink(socket) }
    rmdir(path)
  }
}
