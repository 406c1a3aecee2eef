import Buffers

/// Answers to queries in JSON, one a line.
package struct PrefetchAnswerText: ~Copyable {
  private let planner: PrefetchPlanner
  /// The reader of the resources, or nil if the answers have none.
  private let cursor: PrefetchCursor?
  private var json = JSONText(capacity: 80 << 10)

  package init(_ planner: PrefetchPlanner, hasResources: Bool) {
    self.planner = planner
    cursor = hasResources ? planner.cursor() : nil
  }

  /// The number of bytes.
  package var count: Int { json.count }

  package var text: String { json.text }

  /// The bytes, which are valid until the text is changed.
  package var bytes: UnsafeRawBufferPointer { json.bytes }

  package mutating func removeAll() { json.removeAll() }

  /// Appends the answer of a query.
  ///
  /// - Throws: `TableError` if the tables are damaged at a row of the query, or have changed since they were opened. Nothing is
  ///   appended then.
  package mutating func append(_ query: PrefetchQuery) throws(TableError) {
    let answer = planner.answer(query)
    var resources: [PrefetchResource] = []
    if let cursor { resources = try planner.resources(of: answer, for: query, cursor) }
    json.append(#"{"visible":"#)
    append(answer.visible, isArranged: planner.placement.isArranged)
    json.append(#","display":"#)
    append(answer.display, isArranged: planner.placement.isArranged)
    json.append(#","preload":"#)
    append(answer.preload, isArranged: planner.placement.isArranged)
    if cursor != nil {
      json.append(#","resources":["#)
      for (index, resource) in resources.enumerated() {
        if index > 0 { json.append(",") }
        append(resource)
      }
      json.append("]")
    }
    json.append(answer.fetchesNextBatch ? #","fetch_next_batch":true"# : #","fetch_next_batch":false"#)
    json.append(#","remaining":"#)
    json.append(answer.remaining)
    if let time = answer.remainingTime {
      json.append(#","remaining_time":"#)
      json.append(time)
    }
    json.append("}\n")
  }

  /// Appends the answer of a bad query.
  package mutating func append(error: String) {
    json.append(#"{"error":"#)
    json.append(string: error)
    json.append("}\n")
  }

  // MARK: Values

  private mutating func append(_ resource: PrefetchResource) {
    json.append(#"{"row":"#)
    json.append(resource.row)
    json.append(#","node":"#)
    json.append(string: resource.node)
    json.append(#","url":"#)
    json.append(string: resource.url)
    json.append(#","type":"#)
    json.append(string: resource.type)
    json.append(#","pixel_width":"#)
    json.append(resource.pixelWidth)
    json.append(#","pixel_height":"#)
    json.append(resource.pixelHeight)
    json.append(#","range":"#)
    json.append(string: resource.range.rawValue)
    json.append("}")
  }

  /// Appends one range, or the list of ranges of an arrangement, which is empty if there are no rows.
  private mutating func append(_ rows: RowRanges, isArranged: Bool) {
    guard isArranged else { return append(rows.first) }
    json.append("[")
    for (index, range) in rows.ranges.enumerated() {
      if index > 0 { json.append(",") }
      append(range)
    }
    json.append("]")
  }

  private mutating func append(_ range: Range<Int>) {
    json.append("[")
    json.append(range.lowerBound)
    json.append(",")
    json.append(range.upperBound)
    json.append("]")
  }
}
