import CLinux
import Files
import Glibc

extension Socket {
  /// Ends the tcp connections of this process that hold the most bytes of messages without an end, when all connections
  /// together hold more than a limit. Sockets in the file system have no such count: file permissions guard them.
  ///
  /// - Returns: The bytes that each of the ended connections held.
  public func endConnections(holdingMoreThan limit: Int) -> [Int] {
    var counted = undelivered ?? UndeliveredBytes()
    undelivered = nil
    counted.update(Self.tcpConnections())
    undelivered = counted
    return counted.excess(over: limit).map { descriptor, bytes in
      // The descriptor stays libzmq's, which closes it.
      shutdown(descriptor, Int32(SHUT_RDWR))
      return bytes
    }
  }

  private static func tcpConnections() -> [(descriptor: Int32, socket: UInt64, received: Int)] {
    (DirectoryListing.names(in: "/proc/self/fd") ?? []).compactMap { name in
      guard let descriptor = Int32(name) else { return nil }
      let received = galley_received_bytes(descriptor)
      var status = stat()
      guard received >= 0, fstat(descriptor, &status) == 0 else { return nil }
      return (descriptor, UInt64(status.st_ino), Int(received))
    }
  }
}
