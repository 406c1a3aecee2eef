import TableFormats

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

/// The frames of a list's nodes: the frames.arrow of a variant, which is read where it is needed.
public struct Frames: Sendable {
  private let table: StoredTable
  /// The names of nodes, to which the frames refer by index.
  public let nodes: [String]
  /// The names of node types, to which the frames refer by index.
  public let types: [String]

  package typealias Columns = FrameColumns<ArrowColumnView>

  /// The number of frames that a cursor reads at once.
  private static let framesAhead = 4096

  /// Opens a file.
  ///
  /// - Parameter path: The path of frames.arrow.
  /// - Throws: `TableError` for a file that cannot be read, is damaged, or is of another version.
  public init(_ path: String) throws(TableError) {
    table = try StoredTable(path, columnFormats(FrameColumns.init))
    nodes = table.dictionaries[0]
    types = table.dictionaries[1]
  }

  /// The frames of a run that has written none.
  init(without heights: Heights) {
    table = StoredTable(withoutRecords: heights.file)
    (nodes, types) = ([], [])
  }

  /// The path of the file.
  public var path: String { table.file.path }
  package var file: TableFile { table.file }
  var framesChecksum: String? { table.framesChecksum }
  /// The number of frames of all rows.
  public var count: Int { table.index.recordCount }

  /// Returns a reader for frames that are read in their order.
  package func cursor() -> TableCursor<Columns> {
    TableCursor(table, recordsAhead: Self.framesAhead, Columns.init)
  }

  package func frames(_ range: Range<Int>, _ cursor: TableCursor<Columns>) throws(TableError) -> [NodeFrame] {
    var frames: [NodeFrame] = []
    frames.reserveCapacity(range.count)
    try cursor.forEachRun(range) { (columns, indices) throws(TableError) in
      for index in indices {
        let node = Int(columns.node[index])
        let type = Int(columns.type[index])
        guard nodes.indices.contains(node), types.indices.contains(type) else {
          throw TableError.damaged(path, "its frame \(range.lowerBound + frames.count) is not readable")
        }
        frames.append(
          NodeFrame(
            node: nodes[node], type: types[type], parent: Int(columns.parent[index]), x: columns.rect.x[index],
            y: columns.rect.y[index], width: columns.rect.width[index], height: columns.rect.height[index],
            lines: Int(columns.lines[index]), isTruncated: columns.truncated[index]))
      }
    }
    return frames
  }
}
