import Glibc

/// A file that is mapped for reading and stays open, so that other processes can map it too. Another program may still write it.
public final class MappedFile: Sendable {
  // This process only reads them, and only this object unmaps them.
  public nonisolated(unsafe) let bytes: UnsafeRawBufferPointer
  /// The open file.
  public let descriptor: Int32

  /// - Parameter descriptor: A file of `count` bytes, which this object closes; it is not closed if nil is returned, because the file
  ///   cannot be mapped.
  public init?(_ descriptor: Int32, count: Int) {
    guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else { return nil }
    bytes = UnsafeRawBufferPointer(start: start, count: count)
    self.descriptor = descriptor
  }

  deinit {
    munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
    close(descriptor)
  }
}
