import Buffers

extension OwnedBytes {
  /// Creates the bytes of a job's columns of one variant, as they travel.
  public init(_ columns: JobColumns) {
    let size = columns.encodedSize
    let block = ByteBlock(count: size) { buffer in
      if let start = buffer.baseAddress { columns.write(to: start) }
    }
    self.init(block)
  }
}
