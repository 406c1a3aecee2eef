import BatchLayout
import LayoutTables
import ZeroMQ

extension JobLayout {
  /// What the last job gave, for each variant.
  public func encodedColumns() -> [Frame] {
    variants.indices.map { variant in withColumns(of: variant) { Frame($0) } }
  }
}

extension Frame {
  /// A job's columns, as they travel.
  public convenience init(_ columns: borrowing JobColumns) {
    self.init(size: columns.encodedSize) { columns.write(to: $0) }
  }
}
