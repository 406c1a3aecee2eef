import BatchLayout
import Buffers
import CellTemplates
import LayoutEngine
import LayoutTables
import PoolCoordinatorCore
import PoolProtocol

extension LayoutFormat {
  /// The columns of Galley's layouts.
  static let columns = LayoutFormat(
    flaw: { columns, rows in
      columns.withBytes { bytes in
        do throws(JobTable.Malformed) {
          _ = try JobTable(bytes, rows: rows, typeCount: ElementType.names.count)
          return nil
        } catch {
          return error.reason
        }
      }
    },
    failedRows: { rows, error in
      let columns = JobColumns()
      for row in rows { columns.appendBadRow(id: String(row), error: error) }
      return OwnedBytes(columns)
    })
}
