import Buffers

extension OwnedBytes {
  /// Creates the bytes of a job's columns of one variant, as they travel.
  public init(_ columns: JobColumns) { self.init(count: columns.encodedSize) { columns.write(to: $0) } }
}
