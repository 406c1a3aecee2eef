#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file that is mapped for reading. Another program may still write it.
public final class MappedFile: Sendable {
  /// The bytes of the file. This process only reads them, and only this object unmaps them.
  public nonisolated(unsafe) let bytes: UnsafeRawBufferPointer
  /// The open file, by which other processes can map it too; nil if it does not stay open.
  public let descriptor: Int32?

  /// Returns nil if the file cannot be mapped.
  ///
  /// - Parameters:
  ///   - descriptor: A file of `count` bytes.
  ///   - staysOpen: Whether the file stays open until this object is released. It is then closed by this object, unless nil is
  ///     returned.
  public init?(_ descriptor: Int32, count: Int, staysOpen: Bool) {
    guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else { return nil }
    bytes = UnsafeRawBufferPointer(start: start, count: count)
    self.descriptor = staysOpen ? descriptor : nil
  }

  deinit {
    munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
    if let descriptor { close(descriptor) }
  }
}
