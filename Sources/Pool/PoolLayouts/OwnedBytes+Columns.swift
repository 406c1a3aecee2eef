import BatchLayout
import Buffers
import LayoutTables

extension OwnedBytes {
  /// Creates the bytes of a job's columns of one variant, as they travel.
  public init(_ columns: borrowing JobColumns) {
    let size = columns.encodedSize
    let block = ByteBlock(count: size) { buffer in
      if let start = buffer.baseAddress { columns.write(to: start) }
    }
    self.init(block)
  }
}

extension JobLayout {
  /// Returns what the last job gave, one part per variant.
  public func encodedColumns() -> [OwnedBytes] {
    variants.indices.map { variant in withColumns(of: variant) { OwnedBytes($0) } }
  }
}
