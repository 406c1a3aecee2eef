import Glibc
import ZeroMQ

/// A lock file beside an ipc endpoint. It is needed because libzmq lets a second socket bind a path that is in use and
/// takes the path from the first socket.
public final class EndpointLock {
  /// The largest number of bytes in an ipc path, which the system limits.
  private static let maxPathLength = 107

  private let path: String
  private let descriptor: Int32

  /// Locks an endpoint.
  ///
  /// - Throws: `ZeroMQError` when a coordinator already listens at the endpoint, or when the path cannot be used.
  public init(_ endpoint: String) throws(ZeroMQError) {
    let socket = String(endpoint.dropFirst("ipc://".count))
    guard !socket.isEmpty, socket.utf8.count <= Self.maxPathLength else {
      throw ZeroMQError(code: ENAMETOOLONG, operation: "cannot listen at \(endpoint)")
    }
    path = socket + ".lock"
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw ZeroMQError(code: errno, operation: "cannot listen at \(endpoint)") }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw ZeroMQError(code: EADDRINUSE, operation: "another coordinator listens at \(endpoint)")
    }
  }

  /// Removes the lock file and releases the lock.
  public func release() {
    unlink(path)
    close(descriptor)
  }
}
