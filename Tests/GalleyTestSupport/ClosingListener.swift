import Foundation
import Glibc
import Synchronization

/// A port of this machine that accepts each connection and closes it at once, as a proxy does before a coordinator that is not there.
public final class ClosingListener: Sendable {
  private final class Count: Sendable { let connections = Atomic<Int>(0) }

  public let port: UInt16
  private let descriptor: Int32
  private let count = Count()

  /// - Parameter port: The port, or 0 for a free one.
  public init(port: UInt16 = 0) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var isReusable: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReusable, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(descriptor, $0, size)
        _ = listen(descriptor, SOMAXCONN)
        _ = getsockname(descriptor, $0, &size)
      }
    }
    (self.port, self.descriptor) = (UInt16(bigEndian: address.sin_port), descriptor)
    Thread.detachNewThread { [count] in
      while true {
        let connection = accept(descriptor, nil, nil)
        // The listener has ended. Only this thread closes it, so that it accepts no connections of another one.
        if connection < 0 && errno == EINVAL { break }
        close(connection)
        count.connections.add(1, ordering: .relaxed)
      }
      close(descriptor)
    }
  }

  deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// The number of connections up to now.
  public var connections: Int { count.connections.load(ordering: .relaxed) }
}
