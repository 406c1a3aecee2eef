import Glibc
import ZeroMQ

/// A lock file beside an ipc endpoint. It is needed because libzmq lets a second socket bind a path that is in use and
/// takes the path from the first socket, and replaces any other file at the path.
public final class EndpointLock {
  /// The largest number of bytes in an ipc path, which the system limits.
  private static let maxPathLength = 107

  private let socket: String
  private let path: String
  private let descriptor: Int32
  /// Whether there was nothing but a socket at the endpoint's path.
  private let isReplaceable: Bool

  /// Locks an endpoint.
  ///
  /// - Throws: `ZeroMQError` when a coordinator already listens at the endpoint, when the path cannot be used, and when
  ///   there are files at the path or beside it which are not of a coordinator.
  public init(_ endpoint: String) throws(ZeroMQError) {
    let socket = String(endpoint.dropFirst("ipc://".count))
    guard !socket.isEmpty, socket.utf8.count <= Self.maxPathLength else {
      throw ZeroMQError(code: ENAMETOOLONG, operation: "cannot listen at \(endpoint)")
    }
    self.socket = socket
    path = socket + ".lock"
    descriptor = try Self.open(path, endpoint)
    var status = stat()
    isReplaceable = lstat(socket, &status) != 0 || status.st_mode & S_IFMT == S_IFSOCK
    guard isReplaceable else {
      release()
      throw Self.foreign(socket, endpoint)
    }
  }

  /// Removes the socket, which libzmq may have left, and the lock file, and releases the lock.
  public func release() {
    if isReplaceable { unlink(socket) }
    unlink(path)
    close(descriptor)
  }

  /// Opens and locks the lock file, which is empty.
  private static func open(_ path: String, _ endpoint: String) throws(ZeroMQError) -> Int32 {
    while true {
      // O_NONBLOCK, because opening a pipe would wait.
      let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
      guard descriptor >= 0 else {
        if errno == ELOOP || errno == EISDIR || errno == ENXIO { throw foreign(path, endpoint) }
        throw ZeroMQError(code: errno, operation: "cannot listen at \(endpoint)")
      }
      var (opened, named) = (stat(), stat())
      guard fstat(descriptor, &opened) == 0, opened.st_mode & S_IFMT == S_IFREG, opened.st_size == 0 else {
        close(descriptor)
        throw foreign(path, endpoint)
      }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        close(descriptor)
        throw ZeroMQError(code: EADDRINUSE, operation: "another coordinator listens at \(endpoint)")
      }
      // A coordinator that has ended meanwhile may have removed the file that was opened.
      if lstat(path, &named) == 0, named.st_ino == opened.st_ino { return descriptor }
      close(descriptor)
    }
  }

  private static func foreign(_ path: String, _ endpoint: String) -> ZeroMQError {
    ZeroMQError(
      operation: "cannot listen at \(endpoint)",
      reason: "\(path) is not of a coordinator and is not replaced; move it away or listen at another path")
  }
}
