import Glibc
import ZeroMQ

/// A lock beside an ipc endpoint: libzmq lets a second socket bind a path in use and steals it from the first.
public final class EndpointLock {
  /// Bytes of an ipc path that the system takes.
  private static let maxPathLength = 107

  private let path: String
  private let descriptor: Int32

  /// - Throws: when a coordinator listens there already, or the path cannot be used.
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

  public func release() {
    unlink(path)
    close(descriptor)
  }
}
