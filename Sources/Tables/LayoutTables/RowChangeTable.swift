import Buffers
import TableFormats

/// A record of rows.arrow: a row that was inserted, removed, moved, or has other frames or texts.
public struct RowChangeRecord {
  /// Where a row is in one of the two lists.
  public struct Place {
    let row: UInt64
    let y: Double
    let height: Float

    public init(row: Int, y: Double, height: Float) {
      self.row = UInt64(row)
      self.y = y
      self.height = height
    }
  }

  let old, new: Place?
  let isMoved, isResized, isChanged, isRedrawn: Bool

  public init(old: Place?, new: Place?, isMoved: Bool, isResized: Bool, isChanged: Bool, isRedrawn: Bool) {
    self.old = old
    self.new = new
    self.isMoved = isMoved
    self.isResized = isResized
    self.isChanged = isChanged
    self.isRedrawn = isRedrawn
  }
}

/// The writer of rows.arrow.
struct RowChangeTable: ~Copyable {
  private static let batchSize = 65_536

  private var file: TableFileWriter<RowChangeColumns<UnsafeMutablePointer<ColumnBuffer>>>

  init(creating path: String) throws(OutputError) {
    file = try TableFileWriter(creating: path, batchSize: Self.batchSize, RowChangeColumns.init)
  }

  mutating func append(_ record: RowChangeRecord, id: ByteString) throws(OutputError) {
    let columns = file.columns
    columns.id.append(id)
    columns.oldRow.append(record.old?.row)
    columns.newRow.append(record.new?.row)
    columns.moved.append(record.isMoved)
    columns.resized.append(record.isResized)
    columns.changed.append(record.isChanged)
    columns.oldY.append(record.old?.y)
    columns.newY.append(record.new?.y)
    columns.oldHeight.append(record.old?.height)
    columns.newHeight.append(record.new?.height)
    columns.redrawn.append(record.isRedrawn)
    try file.endRecords()
  }

  mutating func finish() throws(OutputError) { try file.finish() }
}
