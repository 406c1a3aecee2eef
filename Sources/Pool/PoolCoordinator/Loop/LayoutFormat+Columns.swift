import BatchLayout
import Buffers
import LayoutTables
import PoolCoordinatorCore

extension LayoutFormat {
  /// The columns of Galley's layouts.
  static let columns = LayoutFormat(
    flaw: { columns, rows in
      do throws(JobTable.Malformed) {
        _ = try JobTable.checked([columns], rows: rows)
        return nil
      } catch {
        return error.reason
      }
    },
    failedRows: { rows, error in
      let columns = JobColumns()
      for row in rows { columns.appendBadRow(id: String(row), error: error) }
      return OwnedBytes(columns)
    })
}
