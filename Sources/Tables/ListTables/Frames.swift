import ArrowFormat

/// The frame of a node in its cell.
public struct NodeFrame: Equatable, Sendable {
  /// The name of the node.
  public let node: String
  /// The type of the node, such as `text`.
  public let type: String
  /// The index within the row's frames of the node that contains this one, or -1 for the cell.
  public let parent: Int
  /// The frame in points, in the coordinates of the cell.
  public let x, y, width, height: Float
  /// The number of lines of a text, else 0.
  public let lines: Int
  /// Whether a text was cut.
  public let isTruncated: Bool
}

/// The frames of a list's nodes: the mapped frames.arrow of a variant.
public struct Frames: Sendable {
  private let file: MappedFile
  private let index: BatchIndex
  private let batches: [Batch]
  /// The names of nodes, to which the frames refer by index.
  public let nodes: [String]
  /// The names of node types, to which the frames refer by index.
  public let types: [String]

  private static let columns = [
    ArrowField(name: "node", type: .dictionary(id: 0, indexBits: 32)),
    ArrowField(name: "type", type: .dictionary(id: 1, indexBits: 8)), ArrowField(name: "parent", type: .int32),
    ArrowField(name: "x", type: .float32), ArrowField(name: "y", type: .float32),
    ArrowField(name: "width", type: .float32), ArrowField(name: "height", type: .float32),
    ArrowField(name: "lines", type: .uint16), ArrowField(name: "truncated", type: .bool),
  ]

  /// The columns of one batch.
  ///
  /// It only reads memory that never changes and that `file` keeps, so that it can be used from all threads.
  package struct Batch: @unchecked Sendable {
    package let node, type, parent, x, y, width, height, lines, truncated: ArrowColumnView

    init(_ table: MappedTable, _ batch: ArrowBatch) {
      node = table.column(0, in: batch)
      type = table.column(1, in: batch)
      parent = table.column(2, in: batch)
      x = table.column(3, in: batch)
      y = table.column(4, in: batch)
      width = table.column(5, in: batch)
      height = table.column(6, in: batch)
      lines = table.column(7, in: batch)
      truncated = table.column(8, in: batch)
    }
  }

  /// Maps a file.
  ///
  /// - Parameter path: The path of frames.arrow.
  /// - Throws: `TableError` for a file that cannot be read, is damaged, or is of another version.
  public init(_ path: String) throws(TableError) {
    let table = try MappedTable(path, columns: Self.columns)
    file = table.file
    index = BatchIndex(counts: table.arrow.batches.map(\.rowCount))
    batches = table.arrow.batches.map { Batch(table, $0) }
    nodes = try table.dictionary(0)
    types = try table.dictionary(1)
  }

  /// The path of the file.
  public var path: String { file.path }
  package var bytes: UnsafeRawBufferPointer { file.bytes }
  /// The number of frames of all rows.
  public var count: Int { index.recordCount }

  /// Returns a frame.
  ///
  /// - Parameter frame: The index of the frame in the table.
  /// - Throws: `TableError` if the file is damaged at this place.
  public func frame(_ frame: Int) throws(TableError) -> NodeFrame {
    let record = try record(frame)
    return NodeFrame(
      node: nodes[record.node], type: types[record.type], parent: record.parent, x: record.x, y: record.y,
      width: record.width, height: record.height, lines: record.lines, isTruncated: record.isTruncated)
  }

  /// A frame with the indices of its names in `nodes` and `types`, for programs that write many.
  package struct Record {
    package let node, type, parent: Int
    package let x, y, width, height: Float
    package let lines: Int
    package let isTruncated: Bool
  }

  /// Returns a frame with the indices of its names.
  ///
  /// - Parameter frame: The index of the frame in the table.
  /// - Throws: `TableError` if the file is damaged at this place.
  package func record(_ frame: Int) throws(TableError) -> Record {
    let (batch, index) = index.position(of: frame)
    let columns = batches[batch]
    let node = Int(columns.node.number(at: index, as: Int32.self))
    let type = Int(columns.type.number(at: index, as: Int8.self))
    guard nodes.indices.contains(node), types.indices.contains(type) else {
      throw TableError.damaged(path, "its frame \(frame) is not readable")
    }
    return Record(
      node: node, type: type, parent: Int(columns.parent.number(at: index, as: Int32.self)),
      x: columns.x.number(at: index, as: Float.self), y: columns.y.number(at: index, as: Float.self),
      width: columns.width.number(at: index, as: Float.self),
      height: columns.height.number(at: index, as: Float.self),
      lines: Int(columns.lines.number(at: index, as: UInt16.self)), isTruncated: columns.truncated.bit(at: index))
  }

  /// Calls `body` with the columns of each batch that has some of the frames, and with the indices of these in it.
  @inline(__always)
  package func forEachRun<Failure>(
    _ frames: Range<Int>, _ body: (_ columns: Batch, _ indices: Range<Int>) throws(Failure) -> Void
  ) throws(Failure) {
    try index.forEachRun(frames) { (batch, indices) throws(Failure) in try body(batches[batch], indices) }
  }
}
