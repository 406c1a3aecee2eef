import BatchLayout
import Buffers
import CellTemplates
import LayoutTables
import PoolLayouts
import PoolCoordinatorCore
import PoolProtocol

extension LayoutFormat {
  /// The columns of Galley's layouts.
  static let columns = LayoutFormat(
    isValid: { Variant($0).isValid },
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
    failedRow: { id, error in
      var columns = JobColumns()
      columns.appendBadRow(id: id, error: error)
      return OwnedBytes(columns)
    })
}
