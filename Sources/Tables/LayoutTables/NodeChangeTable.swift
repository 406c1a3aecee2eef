import Buffers
import TableFormats

/// A record of nodes.arrow: a node of a row that was inserted, removed, moved or resized.
public struct NodeChangeRecord {
  /// Where a node is in one of the two rows.
  public struct Place {
    let index: UInt32
    let x, y, width, height: Float

    public init(index: Int, x: Float, y: Float, width: Float, height: Float) {
      self.index = UInt32(clamping: index)
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }
  }

  let node: String
  let change: Int8
  let old, new: Place?

  /// - Parameter change: The index of the change among the names of changes.
  public init(node: String, change: Int, old: Place?, new: Place?) {
    self.node = node
    self.change = Int8(clamping: change)
    self.old = old
    self.new = new
  }
}

/// The writer of nodes.arrow.
struct NodeChangeTable: ~Copyable {
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

  mutating func append(_ record: NodeChangeRecord, id: ByteString) throws(OutputError) {
    let columns = file.columns
    columns.id.append(id)
    var name = record.node
    columns.node.append(name.withUTF8 { nodes.number(of: ByteString(UnsafeRawBufferPointer($0))) })
    columns.change.append(record.change)
    columns.oldIndex.append(record.old?.index)
    columns.newIndex.append(record.new?.index)
    append(record.old, to: columns.old)
    append(record.new, to: columns.new)
    try file.endRecords()
  }

  private func append(_ place: NodeChangeRecord.Place?, to columns: Columns.Frame) {
    columns.x.append(place?.x)
    columns.y.append(place?.y)
    columns.width.append(place?.width)
    columns.height.append(place?.height)
  }

  mutating func finish() throws(OutputError) {
    try file.write(names: nodes)
    try file.write(names: NameTable(changes))
    try file.finish()
  }
}
