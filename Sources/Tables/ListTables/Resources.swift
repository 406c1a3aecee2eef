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

/// The URLs that a list shows: the mapped resources.arrow of a variant.
public struct Resources: Sendable {
  private let file: MappedFile
  private let index: BatchIndex
  private let batches: [Batch]
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

  /// The columns of one batch.
  ///
  /// It only reads memory that never changes and that `file` keeps, so that it can be used from all threads.
  package struct Batch: @unchecked Sendable {
    package let row, node, url, type, y, pixelWidth, pixelHeight, width, height: ArrowColumnView

    init(_ table: MappedTable, _ batch: ArrowBatch) {
      row = table.column(0, in: batch)
      node = table.column(1, in: batch)
      url = table.column(2, in: batch)
      type = table.column(3, in: batch)
      y = table.column(4, in: batch)
      pixelWidth = table.column(5, in: batch)
      pixelHeight = table.column(6, in: batch)
      width = table.column(7, in: batch)
      height = table.column(8, in: batch)
    }
  }

  /// Maps a file.
  ///
  /// - Parameter path: The path of resources.arrow.
  /// - Throws: `TableError` for a file that cannot be read, is damaged, or is of another version.
  public init(_ path: String) throws(TableError) {
    let table = try MappedTable(path, columns: Self.columns)
    file = table.file
    index = BatchIndex(counts: table.arrow.batches.map(\.rowCount))
    batches = table.arrow.batches.map { Batch(table, $0) }
    nodes = try table.dictionary(1)
    types = try table.dictionary(3)
  }

  /// The path of the file.
  public var path: String { file.path }
  package var bytes: UnsafeRawBufferPointer { file.bytes }
  /// The number of URLs of all rows.
  public var count: Int { index.recordCount }

  /// Returns the indices in the table of the resources that some rows have. The cost is the logarithm of the number of
  /// resources.
  public func resources(of rows: Range<Int>) -> Range<Int> {
    let first = firstResource(ofRow: rows.lowerBound)
    return first..<max(first, firstResource(ofRow: rows.upperBound))
  }

  private func firstResource(ofRow row: Int) -> Int {
    index.partition { batches[$0].row.number(at: $1, as: UInt64.self) < UInt64(row) }
  }

  /// Returns a resource.
  ///
  /// - Parameter resource: The index of the resource in the table.
  /// - Throws: `TableError` if the file is damaged at this place.
  public func resource(_ resource: Int) throws(TableError) -> Resource {
    let (batch, index) = index.position(of: resource)
    let columns = batches[batch]
    let node = Int(columns.node.number(at: index, as: Int32.self))
    let type = Int(columns.type.number(at: index, as: Int8.self))
    guard nodes.indices.contains(node), types.indices.contains(type), let url = columns.url.string(at: index),
      let row = Int(exactly: columns.row.number(at: index, as: UInt64.self))
    else { throw TableError.damaged(path, "its resource \(resource) is not readable") }
    return Resource(
      row: row, node: nodes[node], type: types[type], url: String(decoding: url, as: UTF8.self),
      y: columns.y.number(at: index, as: Double.self),
      pixelWidth: Int(columns.pixelWidth.number(at: index, as: UInt32.self)),
      pixelHeight: Int(columns.pixelHeight.number(at: index, as: UInt32.self)),
      width: columns.width.number(at: index, as: Float.self), height: columns.height.number(at: index, as: Float.self))
  }

  /// Calls `body` with the columns of each batch that has some of the resources, and with the indices of these in it.
  @inline(__always)
  package func forEachRun<Failure>(
    _ resources: Range<Int>, _ body: (_ columns: Batch, _ indices: Range<Int>) throws(Failure) -> Void
  ) throws(Failure) {
    try index.forEachRun(resources) { (batch, indices) throws(Failure) in try body(batches[batch], indices) }
  }
}
