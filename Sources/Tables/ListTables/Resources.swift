import ArrowFormat

/// A URL that a row shows, and the size in which it is shown.
public struct Resource: Equatable, Sendable {
  /// The number of the row.
  public let row: Int
  /// The name and the type of the node.
  public let node, type: String
  public let url: String
  /// The top of the node in the list, in points.
  public let y: Double
  /// The size to ask a server for.
  public let pixelWidth, pixelHeight: Int
  /// The size of the node in points.
  public let width, height: Float
}

/// The URLs that a list shows: the resources.arrow of a variant, which is read where it is needed.
public struct Resources: Sendable {
  private let table: StoredTable
  private let rows: ResourceRows
  /// The names of nodes, to which the resources refer by index.
  public let nodes: [String]
  /// The names of node types, to which the resources refer by index.
  public let types: [String]

  private static let columns = [
    ArrowField(name: "row", type: .uint64), ArrowField(name: "node", type: .dictionary(id: 0, indexBits: 32)),
    ArrowField(name: "url", type: .utf8), ArrowField(name: "type", type: .dictionary(id: 1, indexBits: 8)),
    ArrowField(name: "y", type: .float64), ArrowField(name: "pixel_width", type: .uint32),
    ArrowField(name: "pixel_height", type: .uint32), ArrowField(name: "width", type: .float32),
    ArrowField(name: "height", type: .float32),
  ]

  /// The columns of some records.
  package struct Columns {
    package let row, node, url, type, y, pixelWidth, pixelHeight, width, height: ArrowColumnView

    init(_ columns: [ArrowColumnView]) {
      (row, node, url, type, y) = (columns[0], columns[1], columns[2], columns[3], columns[4])
      (pixelWidth, pixelHeight, width, height) = (columns[5], columns[6], columns[7], columns[8])
    }
  }

  /// The number of resources that a cursor reads at once. URLs may be long.
  private static let resourcesAhead = 64

  /// Opens a file, and reads the column with the rows.
  ///
  /// - Parameter path: The path of resources.arrow.
  /// - Throws: `TableError` for a file that cannot be read, is damaged, or is of another version.
  public init(_ path: String) throws(TableError) {
    table = try StoredTable(path, columns: Self.columns)
    rows = try ResourceRows(table, column: 0)
    nodes = table.dictionary(1)
    types = table.dictionary(3)
  }

  /// The path of the file.
  public var path: String { table.file.path }
  package var file: TableFile { table.file }
  /// The number of URLs of all rows.
  public var count: Int { table.index.recordCount }

  /// Returns the indices in the table of the resources that some rows have. The cost is the logarithm of the number of
  /// resources.
  public func resources(of rows: Range<Int>) -> Range<Int> {
    let first = firstResource(ofRow: rows.lowerBound)
    return first..<max(first, firstResource(ofRow: rows.upperBound))
  }

  private func firstResource(ofRow row: Int) -> Int { partitionPoint(count) { rows[$0] < UInt64(row) } }

  /// Returns the row of a resource, or nil for a number that no row has.
  func row(of resource: Int) -> Int? { Int(exactly: rows[resource]) }

  /// Returns a reader for resources that are read in their order.
  package func cursor() -> TableCursor<Columns> {
    TableCursor(table, recordsAhead: Self.resourcesAhead) { Columns($0) }
  }

  /// Returns a resource.
  ///
  /// - Parameter resource: The index of the resource in the table.
  /// - Throws: `TableError` if the file is damaged at this place, or has changed since it was opened.
  public func resource(_ resource: Int) throws(TableError) -> Resource {
    try resources(resource..<resource + 1, cursor())[0]
  }

  /// Returns consecutive resources.
  ///
  /// - Throws: `TableError` if the file is damaged at this place, or has changed since it was opened.
  func resources(_ range: Range<Int>, _ cursor: TableCursor<Columns>) throws(TableError) -> [Resource] {
    var resources: [Resource] = []
    try cursor.forEachRun(range) { (columns, indices) throws(TableError) in
      for index in indices {
        guard let resource = resource(columns, index) else {
          throw TableError.damaged(path, "its resource \(range.lowerBound + resources.count) is not readable")
        }
        resources.append(resource)
      }
    }
    return resources
  }

  private func resource(_ columns: Columns, _ index: Int) -> Resource? {
    let node = Int(columns.node.number(at: index, as: Int32.self))
    let type = Int(columns.type.number(at: index, as: Int8.self))
    guard nodes.indices.contains(node), types.indices.contains(type), let url = columns.url.string(at: index),
      let row = Int(exactly: columns.row.number(at: index, as: UInt64.self))
    else { return nil }
    return Resource(
      row: row, node: nodes[node], type: types[type], url: String(decoding: url, as: UTF8.self),
      y: columns.y.number(at: index, as: Double.self),
      pixelWidth: Int(columns.pixelWidth.number(at: index, as: UInt32.self)),
      pixelHeight: Int(columns.pixelHeight.number(at: index, as: UInt32.self)),
      width: columns.width.number(at: index, as: Float.self), height: columns.height.number(at: index, as: Float.self))
  }
}

/// The row of each resource, in memory, because searches use it.
private struct ResourceRows: Sendable {
  private let memory: CopiedBytes

  /// - Throws: `TableError` if the file has changed since it was opened, or cannot be read.
  init(_ table: StoredTable, column: Int) throws(TableError) {
    let size = MemoryLayout<UInt64>.size
    memory = try CopiedBytes(count: table.index.recordCount * size) { (memory) throws(TableError) in
      var end = 0
      for batch in 0..<table.index.batchCount {
        let count = table.index.count(ofBatch: batch) * size
        let values = table.columns(ofBatch: batch)[column].values
        try table.file.read(
          values.prefix(count), into: UnsafeMutableRawBufferPointer(rebasing: memory[end..<end + count]))
        end += count
      }
      try table.file.check()
    }
  }

  @inline(__always)
  subscript(resource: Int) -> UInt64 {
    memory.withBytes { $0.loadUnaligned(fromByteOffset: resource * MemoryLayout<UInt64>.size, as: UInt64.self) }
  }
}
