import Glibc

/// Writes all bytes to a file, a pipe or a terminal, also if signals interrupt that or another process has made it non-blocking.
///
/// - Parameter offset: The position in a file; nil for the current one.
/// - Returns: The error number of the system, or 0.
public func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int? = nil) -> Int32 {
  writeAll([bytes], to: descriptor, at: offset)
}

/// Writes all bytes of several buffers, one after the other, in as few calls of the system as possible.
///
/// - Parameters:
///   - offset: The position in a file; nil for the current one.
///   - shouldStop: Called before each call of the system. Nothing more is written if it returns true.
/// - Returns: The error number of the system, `EINTR` if `shouldStop` returned true, or 0.
public func writeAll(
  _ buffers: [UnsafeRawBufferPointer], to descriptor: Int32, at offset: Int? = nil,
  shouldStop: () -> Bool = { false }
) -> Int32 {
  // The system takes up to 1,024 buffers at a time (UIO_MAXIOV in limits.h).
  let limit = 1024
  var offset = offset
  var vectors = buffers.filter { $0.count > 0 }.map {
    iovec(iov_base: UnsafeMutableRawPointer(mutating: $0.baseAddress), iov_len: $0.count)
  }[...]
  while !vectors.isEmpty {
    if shouldStop() { return EINTR }
    let count = vectors.withUnsafeBufferPointer { vectors in
      let count = Int32(min(vectors.count, limit))
      return offset.map { pwritev(descriptor, vectors.baseAddress, count, off_t($0)) }
        ?? writev(descriptor, vectors.baseAddress, count)
    }
    var written = max(count, 0)
    if count < 0 {
      guard errno == EINTR || errno == EAGAIN else { return errno }
      if errno == EAGAIN { awaitRoom(in: descriptor) }
    }
    offset = offset.map { $0 + written }
    while let first = vectors.first, written >= first.iov_len {
      written -= first.iov_len
      vectors.removeFirst()
    }
    if written > 0, let first = vectors.first {
      vectors[vectors.startIndex] = iovec(
        iov_base: first.iov_base.map { $0 + written }, iov_len: first.iov_len - written)
    }
  }
  return 0
}

/// Waits until a non-blocking pipe or terminal takes more bytes.
func awaitRoom(in descriptor: Int32) {
  var stream = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
  poll(&stream, 1, -1)
}
