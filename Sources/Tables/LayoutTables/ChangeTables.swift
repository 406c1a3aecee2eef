import Buffers
import Glibc
import TableFormats

/// The writer of what changed between two tables of a list, to two tables of one variant: rows.arrow has the rows that were
/// inserted, removed, moved, or have other frames or texts, and nodes.arrow the nodes of these rows that were inserted, removed,
/// moved, resized or redrawn.
public final class ChangeTables {
  /// Where a row is in one of the two lists.
  public typealias RowPlace = (row: Int, y: Double, height: Float)
  /// Where a node is in one of the two rows.
  public typealias NodePlace = (index: Int, x: Float, y: Float, width: Float, height: Float)

  private typealias NodeColumns = NodeChangeColumns<UnsafeMutablePointer<ColumnBuffer>>
  private var rows: TableFileWriter<RowChangeColumns<UnsafeMutablePointer<ColumnBuffer>>>
  private var nodes: TableFileWriter<NodeColumns>

  /// - Parameters:
  ///   - directory: The directory of the variant, which is created.
  ///   - nodeChanges: The names of the changes of nodes.
  public init(in directory: String, nodeChanges: [String]) throws(OutputError) {
    guard mkdir(directory, 0o777) == 0 else { throw OutputError(directory, errno: errno) }
    rows = try TableFileWriter(creating: directory + "/rows.arrow", RowChangeColumns.init)
    nodes = try TableFileWriter(
      creating: directory + "/nodes.arrow", fixedNames: nodeChanges, NodeColumns.init)
  }

  /// Writes a row.
  ///
  /// - Parameter id: The bytes of the row's id.
  public func append(
    row id: UnsafeRawBufferPointer, old: RowPlace?, new: RowPlace?, isMoved: Bool, isResized: Bool, isChanged: Bool,
    isRedrawn: Bool
  ) throws(OutputError) {
    let columns = rows.columns
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
    try rows.endRecords()
  }

  /// Writes a node of a row.
  ///
  /// - Parameters:
  ///   - id: The bytes of the row's id.
  ///   - change: The index of the change among the names of changes.
  public func append(
    node: String, ofRow id: UnsafeRawBufferPointer, change: Int, old: NodePlace?, new: NodePlace?
  ) throws(OutputError) {
    let columns = nodes.columns
    columns.id.append(ByteString(id))
    columns.node.append(nodes.names.number(of: node))
    columns.change.append(Int8(clamping: change))
    columns.oldIndex.append(old.map { UInt32(clamping: $0.index) })
    columns.newIndex.append(new.map { UInt32(clamping: $0.index) })
    append(old, to: columns.old)
    append(new, to: columns.new)
    try nodes.endRecords()
  }

  private func append(_ place: NodePlace?, to columns: RectColumns<Float?, UnsafeMutablePointer<ColumnBuffer>>) {
    columns.x.append(place?.x)
    columns.y.append(place?.y)
    columns.width.append(place?.width)
    columns.height.append(place?.height)
  }

  public func finish() throws(OutputError) {
    try rows.finish()
    try nodes.finish()
  }
}
