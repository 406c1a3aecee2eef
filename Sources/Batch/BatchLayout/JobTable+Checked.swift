import Buffers
import CellTemplates
import LayoutTables

extension JobTable {
  /// Returns the columns of each variant of a job, after they were checked. They must outlive the tables.
  ///
  /// - Parameter rows: The number of rows that the columns must have.
  public static func checked(_ columns: [OwnedBytes], rows: Int) throws(Malformed) -> [JobTable] {
    try columns.map { (part) throws(Malformed) in
      try JobTable(part.bytes, rows: rows, typeCount: ElementType.names.count)
    }
  }
}
