/// A reader of the resources of rows for the queries of a scroll. Only one thread uses it.
package struct PrefetchCursor {
  private let resources: Resources
  private let cursor: TableCursor<Resources.Columns>
  private let headers: HeaderResources?
  private let headerCursor: TableCursor<Resources.Columns>?

  /// - Parameter headers: The resources of headers that are of another variant than the cells.
  init(_ resources: Resources, headers: HeaderResources?) {
    self.resources = resources
    self.headers = headers
    cursor = resources.cursor()
    headerCursor = headers?.resources.cursor()
  }

  /// Reads the resources of the cells of rows, so that they are there when parts of them are used.
  func load(_ rows: Range<Int>) throws(TableError) { try cursor.load(resources.resources(of: rows)) }

  /// Returns the resources of rows.
  ///
  /// - Throws: `TableError` if the tables are damaged at one of these rows, or have changed since they were opened.
  func resources(of rows: Range<Int>) throws(TableError) -> [Resource] {
    guard let headers, let headerCursor else { return try Self.read(rows, resources, cursor) }
    var found: [Resource] = []
    var start = rows.lowerBound
    while start < rows.upperBound {
      let isHeader = try headers.contains(start)
      var end = start + 1
      while end < rows.upperBound, try headers.contains(end) == isHeader { end += 1 }
      found +=
        isHeader
        ? try Self.read(start..<end, headers.resources, headerCursor) : try Self.read(start..<end, resources, cursor)
      start = end
    }
    return found
  }

  private static func read(
    _ rows: Range<Int>, _ resources: Resources, _ cursor: TableCursor<Resources.Columns>
  ) throws(TableError) -> [Resource] {
    let found = try resources.resources(resources.resources(of: rows), cursor)
    guard found.allSatisfy({ rows.contains($0.row) }) else {
      throw TableError.damaged(resources.path, "its resources are not in the order of the rows")
    }
    return found
  }
}
