import Buffers
import TableFormats

/// The writer of nodes.arrow: the nodes of rows that were inserted, removed, moved or resized.
public final class NodeChangeTable {
  /// Where a node is in one of the two rows.
  public typealias Place = (index: Int, x: Float, y: Float, width: Float, height: Float)

  private static let batchSize = 65_536

  private typealias Columns = NodeChangeColumns<UnsafeMutablePointer<ColumnBuffer>>
  private var file: TableFileWriter<Columns>
  private var nodes = NameTable()
  private let changes: [String]

  /// - Parameter changes: The names of changes.
  init(creating path: String, changes: [String]) throws(OutputError) {
    file = try TableFileWriter(creating: path, batchSize: Self.batchSize, Columns.init)
    self.changes = changes
  }

  /// Writes a node of a row.
  ///
  /// - Parameters:
  ///   - id: The bytes of the row's id.
  ///   - change: The index of the change among the names of changes.
  public func append(
    _ id: UnsafeRawBufferPointer, node: String, change: Int, old: Place?, new: Place?
  ) throws(OutputError) {
    let columns = file.columns
    columns.id.append(ByteString(id))
    var name = node
    columns.node.append(name.withUTF8 { nodes.number(of: ByteString(UnsafeRawBufferPointer($0))) })
    columns.change.append(Int8(clamping: change))
    columns.oldIndex.append(old.map { UInt32(clamping: $0.index) })
    columns.newIndex.append(new.map { UInt32(clamping: $0.index) })
    append(old, to: columns.old)
    append(new, to: columns.new)
    try file.endRecords()
  }

  private func append(_ place: Place?, to columns: Columns.Frame) {
    columns.x.append(place?.x)
    columns.y.append(place?.y)
    columns.width.append(place?.width)
    columns.height.append(place?.height)
  }

  func finish() throws(OutputError) {
    try file.write(names: nodes)
    try file.write(names: NameTable(changes))
    try file.finish()
  }
}
