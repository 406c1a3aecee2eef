/// Bytes that an object keeps in place: a part of a message, a range of shared memory, or a block of this process.
///
/// The bytes are not copied when the value is copied or cut. They are valid as long as any value of the same owner lives.
public struct OwnedBytes: Sendable {
  /// The bytes. Where the value is not used afterwards, this alone does not keep them; see `withBytes`.
  public nonisolated(unsafe) let bytes: UnsafeRawBufferPointer  // Nobody writes to them as long as the owner lives.
  /// The object that keeps the bytes in place.
  public let owner: any AnyObject & Sendable

  /// - Parameters:
  ///   - bytes: Bytes that nobody changes as long as `owner` lives.
  ///   - owner: The object that keeps them in place.
  public init(_ bytes: UnsafeRawBufferPointer, keeping owner: any AnyObject & Sendable) {
    self.bytes = bytes
    self.owner = owner
  }

  /// Creates a block of its own with `count` bytes, which `write` writes.
  public init(count: Int, _ write: (UnsafeMutableRawPointer) -> Void) {
    let block = ByteBlock(count: count) { buffer in
      if let start = buffer.baseAddress { write(start) }
    }
    self.init(block)
  }

  /// Creates a copy of bytes.
  public init(copying bytes: UnsafeRawBufferPointer) {
    self.init(count: bytes.count) {
      UnsafeMutableRawBufferPointer(start: $0, count: bytes.count).copyMemory(from: bytes)
    }
  }

  /// Creates a copy of bytes.
  public init(copying bytes: [UInt8]) { self = bytes.withUnsafeBytes { OwnedBytes(copying: $0) } }

  /// The bytes of a block.
  public init(_ block: ByteBlock) {
    self.init(block.withBytes { UnsafeRawBufferPointer($0.bytes) }, keeping: block)
  }

  /// Bytes that consist of parts, one after the other. They are copied unless there is one part only.
  public init(joining parts: [OwnedBytes]) {
    self = parts.count == 1 ? parts[0] : OwnedBytes(ByteBlock(joining: parts))
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
