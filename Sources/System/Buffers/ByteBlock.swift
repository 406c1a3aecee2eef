/// A block of immutable bytes that is deallocated with the object.
public final class ByteBlock: Sendable {
  private let bytes: ByteString

  /// - Parameters:
  ///   - count: The number of bytes.
  ///   - fill: A function that writes all of them.
  public init<Failure: Error>(
    count: Int, fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    let start = UnsafeMutablePointer<UInt8>.allocate(capacity: max(count, 1))
    bytes = ByteString(start: start, count: count)
    try fill(UnsafeMutableRawBufferPointer(start: start, count: count))
  }

  public var count: Int { bytes.count }

  /// Calls a function with the bytes, which are valid only during the call.
  public func withBytes<Result, Failure: Error>(
    _ body: (ByteString) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    return try body(bytes)
  }

  deinit { bytes.start.deallocate() }
}
