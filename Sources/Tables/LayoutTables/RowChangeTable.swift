import Buffers
import TableFormats

/// The writer of rows.arrow: the rows that were inserted, removed, moved, or have other frames or texts.
public final class RowChangeTable {
  /// Where a row is in one of the two lists.
  public typealias Place = (row: Int, y: Double, height: Float)

  private static let batchSize = 65_536

  private var file: TableFileWriter<RowChangeColumns<UnsafeMutablePointer<ColumnBuffer>>>

  init(creating path: String) throws(OutputError) {
    file = try TableFileWriter(creating: path, batchSize: Self.batchSize, RowChangeColumns.init)
  }

  /// Writes a row.
  ///
  /// - Parameter id: The bytes of the row's id.
  public func append(
    _ id: UnsafeRawBufferPointer, old: Place?, new: Place?, isMoved: Bool, isResized: Bool, isChanged: Bool,
    isRedrawn: Bool
  ) throws(OutputError) {
    let columns = file.columns
    columns.id.append(ByteString(id))
    columns.oldRow.append(old.map { UInt64($0.row) })
    columns.newRow.append(new.map { UInt64($0.row) })
    columns.moved.append(isMoved)
    columns.resized.append(isResized)
    columns.changed.append(isChanged)
    columns.oldY.append(old?.y)
    columns.newY.append(new?.y)
    columns.oldHeight.append(old?.height)
    columns.newHeight.append(new?.height)
    columns.redrawn.append(isRedrawn)
    try file.endRecords()
  }

  func finish() throws(OutputError) { try file.finish() }
}
