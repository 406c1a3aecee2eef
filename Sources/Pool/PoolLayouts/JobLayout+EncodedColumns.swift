import BatchLayout
import Buffers
import LayoutTables

extension JobLayout {
  /// Returns what the last job gave, one part per variant.
  public func encodedColumns() -> [OwnedBytes] {
    variants.indices.map { variant in withColumns(of: variant) { OwnedBytes($0) } }
  }
}
