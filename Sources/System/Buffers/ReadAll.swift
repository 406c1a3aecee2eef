#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Fills a buffer from a file or a pipe, also if signals interrupt that.
///
/// - Parameter offset: The position in a file; nil for the current one.
/// - Returns: The number of bytes, which is smaller than the buffer at the end of the file; nil for an error, whose number is in
///   `errno`.
package func readAll(
  into buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int? = nil
) -> Int? {
  var done = 0
  while done < buffer.count {
    let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
    let count =
      offset.map { pread(descriptor, rest.baseAddress, rest.count, off_t($0 + done)) }
      ?? read(descriptor, rest.baseAddress, rest.count)
    if count == 0 { break }
    if count > 0 { done += count } else if errno != EINTR { return nil }
  }
  return done
}
