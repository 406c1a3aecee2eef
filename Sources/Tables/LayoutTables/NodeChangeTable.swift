import ArrowFormat
import Buffers

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
  let change: UInt8
  let old, new: Place?

  /// - Parameter change: The index of the change among the names of changes.
  public init(node: String, change: Int, old: Place?, new: Place?) {
    self.node = node
    self.change = UInt8(clamping: change)
    self.old = old
    self.new = new
  }
}

/// The writer of nodes.arrow, which has one record for each node that differs between a row of two tables.
struct NodeChangeTable: ~Copyable {
  private static let batchSize = 65_536

  private static let nodeDictionary: Int64 = 0
  private static let changeDictionary: Int64 = 1
  private static let fields =
    [
      ArrowField(name: "id", type: .utf8),
      ArrowField(name: "node", type: .dictionary(id: nodeDictionary, indexBits: 32)),
      ArrowField(name: "change", type: .dictionary(id: changeDictionary, indexBits: 8)),
      ArrowField(name: "old_index", type: .uint32, isNullable: true),
      ArrowField(name: "new_index", type: .uint32, isNullable: true),
    ]
    + ["old_x", "old_y", "old_width", "old_height", "new_x", "new_y", "new_width", "new_height"].map {
      ArrowField(name: $0, type: .float32, isNullable: true)
    }

  private var writer: ArrowFileWriter
  private var count = 0
  private var hasBatches = false
  private var id = StringColumn()
  private var node = FlatBuffer<UInt32>(capacity: 1024)
  private var change = FlatBuffer<UInt8>(capacity: 1024)
  private var old = PlaceColumns()
  private var new = PlaceColumns()
  private var nodes = NameTable()
  private let changes: [String]

  /// - Parameter changes: The names of changes.
  init(creating path: String, changes: [String]) throws(OutputError) {
    self.init(writer: try ArrowFileWriter(creating: path, ArrowSchema(Self.fields)), changes: changes)
  }

  private init(writer: ArrowFileWriter, changes: [String]) {
    self.writer = writer
    self.changes = changes
  }

  mutating func append(_ record: NodeChangeRecord, id: ByteString) throws(OutputError) {
    self.id.append(id)
    var name = record.node
    node.append(name.withUTF8 { nodes.number(of: ByteString(UnsafeRawBufferPointer($0))) })
    change.append(record.change)
    old.append(record.old)
    new.append(record.new)
    count += 1
    if count == Self.batchSize || self.id.isFull { try flush() }
  }

  mutating func finish() throws(OutputError) {
    if count > 0 || !hasBatches { try flush() }
    try writer.write(dictionary: Self.nodeDictionary, nodes)
    try writer.write(dictionary: Self.changeDictionary, NameTable(changes))
    try writer.finish()
  }

  private mutating func flush() throws(OutputError) {
    hasBatches = true
    try writer.write(
      rows: count,
      [id.column, ArrowColumn(node.bytes), ArrowColumn(change.bytes), old.index.column, new.index.column]
        + old.frame + new.frame)
    count = 0
    id.removeAll()
    node.removeAll()
    change.removeAll()
    old.removeAll()
    new.removeAll()
  }
}

/// The columns that state where the nodes are in one of the two tables.
private struct PlaceColumns: ~Copyable {
  private(set) var index = NullableColumn<UInt32>()
  private var x = NullableColumn<Float>()
  private var y = NullableColumn<Float>()
  private var width = NullableColumn<Float>()
  private var height = NullableColumn<Float>()

  /// The columns of the frames.
  var frame: [ArrowColumn] { [x.column, y.column, width.column, height.column] }

  mutating func append(_ place: NodeChangeRecord.Place?) {
    index.append(place?.index)
    x.append(place?.x)
    y.append(place?.y)
    width.append(place?.width)
    height.append(place?.height)
  }

  mutating func removeAll() {
    index.removeAll()
    x.removeAll()
    y.removeAll()
    width.removeAll()
    height.removeAll()
  }
}
