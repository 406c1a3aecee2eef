/// A reader of the resources of rows for the queries of a scroll. Only one thread uses it.
package struct PrefetchCursor {
  private let resources: Resources
  private let cursor: TableCursor<Resources.Columns>
  private let headers: (rows: HeaderResources, cursor: TableCursor<Resources.Columns>)?

  /// - Parameter headers: The resources of headers that are of another variant than the cells.
  init(_ resources: Resources, headers: HeaderResources?) {
    self.resources = resources
    cursor = resources.cursor()
    self.headers = headers.map { ($0, $0.resources.cursor()) }
  }

  /// Returns the resources that are read together for ranges of rows, as ranges of their indices. Ranges of rows lie beside
  /// each other but for that of a pinned header, which can lie far above the others.
  func runs(of ranges: [Range<Int>]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for rows in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      runs.join(resources.resources(of: rows), gap: Resources.resourcesAhead)
    }
    return runs
  }

  /// Returns the resources of rows.
  ///
  /// - Parameter runs: The resources that are read together.
  func resources(of rows: Range<Int>, among runs: [Range<Int>]) throws(TableError) -> [Resource] {
    let first = resources.resources(of: rows).lowerBound
    if let run = runs.last(where: { $0.lowerBound <= first }) { try cursor.load(run) }
    guard let headers else { return try Self.read(rows, resources, cursor) }
    var found: [Resource] = []
    var start = rows.lowerBound
    while start < rows.upperBound {
      let isHeader = try headers.rows.contains(start)
      var end = start + 1
      while end < rows.upperBound, try headers.rows.contains(end) == isHeader { end += 1 }
      found +=
        isHeader
        ? try Self.read(start..<end, headers.rows.resources, headers.cursor)
        : try Self.read(start..<end, resources, cursor)
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
