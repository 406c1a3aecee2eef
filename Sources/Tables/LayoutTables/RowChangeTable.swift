import ArrowFormat
import Buffers

/// A record of rows.arrow: a row that was inserted, removed, moved or has other frames.
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
  let isMoved, isResized, isChanged: Bool

  public init(old: Place?, new: Place?, isMoved: Bool, isResized: Bool, isChanged: Bool) {
    self.old = old
    self.new = new
    self.isMoved = isMoved
    self.isResized = isResized
    self.isChanged = isChanged
  }
}

/// The writer of rows.arrow, which has one record for each row that differs between two tables of a list.
struct RowChangeTable: ~Copyable {
  private static let batchSize = 65_536

  private static let fields = [
    ArrowField(name: "id", type: .utf8), ArrowField(name: "old_row", type: .uint64, isNullable: true),
    ArrowField(name: "new_row", type: .uint64, isNullable: true), ArrowField(name: "moved", type: .bool),
    ArrowField(name: "resized", type: .bool), ArrowField(name: "changed", type: .bool),
    ArrowField(name: "old_y", type: .float64, isNullable: true),
    ArrowField(name: "new_y", type: .float64, isNullable: true),
    ArrowField(name: "old_height", type: .float32, isNullable: true),
    ArrowField(name: "new_height", type: .float32, isNullable: true),
  ]

  private var writer: ArrowFileWriter
  private var count = 0
  private var hasBatches = false
  private var id = StringColumn()
  private var oldRow = NullableColumn<UInt64>()
  private var newRow = NullableColumn<UInt64>()
  private var moved = BitColumn()
  private var resized = BitColumn()
  private var changed = BitColumn()
  private var oldY = NullableColumn<Double>()
  private var newY = NullableColumn<Double>()
  private var oldHeight = NullableColumn<Float>()
  private var newHeight = NullableColumn<Float>()

  init(creating path: String) throws(OutputError) {
    self.init(writer: try ArrowFileWriter(creating: path, ArrowSchema(Self.fields)))
  }

  private init(writer: ArrowFileWriter) { self.writer = writer }

  mutating func append(_ record: RowChangeRecord, id: ByteString) throws(OutputError) {
    self.id.append(id)
    oldRow.append(record.old?.row)
    newRow.append(record.new?.row)
    moved.append(record.isMoved)
    resized.append(record.isResized)
    changed.append(record.isChanged)
    oldY.append(record.old?.y)
    newY.append(record.new?.y)
    oldHeight.append(record.old?.height)
    newHeight.append(record.new?.height)
    count += 1
    if count == Self.batchSize || self.id.isFull { try flush() }
  }

  mutating func finish() throws(OutputError) {
    if count > 0 || !hasBatches { try flush() }
    try writer.finish()
  }

  private mutating func flush() throws(OutputError) {
    hasBatches = true
    try writer.write(
      rows: count,
      [
        id.column, oldRow.column, newRow.column, ArrowColumn(moved.bytes.bytes), ArrowColumn(resized.bytes.bytes),
        ArrowColumn(changed.bytes.bytes), oldY.column, newY.column, oldHeight.column, newHeight.column,
      ])
    count = 0
    id.removeAll()
    oldRow.removeAll()
    newRow.removeAll()
    moved.removeAll()
    resized.removeAll()
    changed.removeAll()
    oldY.removeAll()
    newY.removeAll()
    oldHeight.removeAll()
    newHeight.removeAll()
  }
}
