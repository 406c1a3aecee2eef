import TableFormats

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
  private let rows: RecordRows
  /// The names of nodes, to which the resources refer by index.
  public let nodes: [String]
  /// The names of node types, to which the resources refer by index.
  public let types: [String]

  package typealias Columns = ResourceColumns<ArrowColumnView>

  /// The number of resources that a cursor reads at once: less than of frames, because URLs may be long.
  static let resourcesAhead = 1024

  /// Opens a file, and reads the column with the rows.
  ///
  /// - Parameter path: The path of resources.arrow.
  /// - Throws: `TableError` for a file that cannot be read, is damaged, or is of another version.
  public init(_ path: String) throws(TableError) {
    table = try StoredTable(path, columnFormats(ResourceColumns.init))
    rows = try RecordRows(table)
    nodes = table.dictionaries[0]
    types = table.dictionaries[1]
  }

  /// The path of the file.
  public var path: String { table.file.path }
  package var file: TableFile { table.file }
  /// The number of URLs of all rows.
  public var count: Int { table.index.recordCount }

  /// Returns the indices in the table of the resources that some rows have. The cost is the logarithm of the number of
  /// resources.
  public func resources(of rows: Range<Int>) -> Range<Int> { self.rows.records(of: rows) }

  /// Returns the row of a resource, or nil for a number that no row has.
  func row(of resource: Int) -> Int? { Int(exactly: rows[resource]) }

  /// Returns a reader for resources that are read in their order.
  package func cursor() -> TableCursor<Columns> {
    TableCursor(table, recordsAhead: Self.resourcesAhead, Columns.init)
  }

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
    let node = Int(columns.node[index])
    let type = Int(columns.type[index])
    guard nodes.indices.contains(node), types.indices.contains(type), let url = columns.url[index],
      let row = Int(exactly: columns.row[index])
    else { return nil }
    return Resource(
      row: row, node: nodes[node], type: types[type], url: String(decoding: url, as: UTF8.self),
      y: columns.y[index],
      pixelWidth: Int(columns.pixelWidth[index]),
      pixelHeight: Int(columns.pixelHeight[index]),
      width: columns.width[index], height: columns.height[index])
  }
}
