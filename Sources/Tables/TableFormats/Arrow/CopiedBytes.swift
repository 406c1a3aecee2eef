/// Bytes that were copied into memory of their own.
///
/// The memory never changes after the initializer has filled it, so that all threads can read it.
package final class CopiedBytes: @unchecked Sendable {
  /// The bytes, which are valid as long as this object exists.
  package let bytes: UnsafeRawBufferPointer

  /// - Parameter fill: A function that writes all bytes.
  package init<Failure>(
    count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
    bytes = UnsafeRawBufferPointer(memory)
    try fill(memory)
  }

  deinit { bytes.deallocate() }

  /// Calls `body` with the bytes, and keeps them during the call. `bytes` alone does not keep an object that is not used
  /// afterwards.
  package func withBytes<Result, Failure>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    return try body(bytes)
  }
}
