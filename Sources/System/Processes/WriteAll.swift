import Glibc

/// Writes all bytes to a file, a pipe or a terminal, also if signals interrupt that or another process has made it non-blocking.
///
/// - Parameter offset: The position in a file; nil for the current one.
/// - Returns: The error number of the system, or 0.
public func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int? = nil) -> Int32 {
  var written = 0
  while written < bytes.count {
    let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
    let count =
      offset.map { pwrite(descriptor, rest.baseAddress, rest.count, off_t($0 + written)) }
      ?? write(descriptor, rest.baseAddress, rest.count)
    if count >= 0 {
      written += count
    } else if errno == EAGAIN {
      awaitRoom(in: descriptor)
    } else if errno != EINTR {
      return errno
    }
  }
  return 0
}

/// Waits until a non-blocking pipe or terminal takes more bytes.
func awaitRoom(in descriptor: Int32) {
  var stream = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
  poll(&stream, 1, -1)
}
