import Buffers

/// A sequence of rows in chunks: rows as they are read, or a part of them.
public protocol RowsSource: AnyObject {
  /// The number of bytes of rows, or nil if that is not known.
  var contentSize: Int? { get }

  /// The number of bytes read so far, as they are stored.
  var bytesRead: Int { get }

  /// The input as it was read. It is available at the end.
  var input: InputSummary { get }

  /// The descriptor that is readable when `next` has lines, or nil if `next` is to be called without waiting for it.
  var awaitedDescriptor: Int32? { get }

  /// Returns the next lines, or nil after the last ones.
  ///
  /// - Parameters:
  ///   - wanted: The approximate number of bytes.
  ///   - copy: The function that copies the lines.
  func next(
    bytes wanted: Int, copy: (UnsafeRawBufferPointer) -> OwnedBytes
  ) throws(RowsError) -> RowsChunk<OwnedBytes>?
}

extension RowsSource {
  public var awaitedDescriptor: Int32? { nil }
}

extension RowsReader: RowsSource {}
