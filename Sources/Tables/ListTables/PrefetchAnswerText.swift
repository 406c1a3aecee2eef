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
    append(#"{"visible":"#, answer.visible)
    append(#","display":"#, answer.display)
    append(#","preload":"#, answer.preload)
    if cursor != nil {
      json.append(#","resources":["#)
      for (index, resource) in resources.enumerated() {
        json.separate(index)
        append(resource)
      }
      json.append("]")
    }
    json.append(answer.fetchesNextBatch ? #","fetch_next_batch":true"# : #","fetch_next_batch":false"#)
    json.append(#","remaining":"#, answer.remaining)
    if let time = answer.remainingTime { json.append(#","remaining_time":"#, time) }
    json.append("}\n")
  }

  /// Appends the answer of a bad query.
  package mutating func append(error: String) {
    json.append(#"{"error":"#, error)
    json.append("}\n")
  }

  // MARK: Values

  private mutating func append(_ resource: PrefetchResource) {
    json.append(#"{"row":"#, resource.row)
    json.append(#","node":"#, resource.node)
    json.append(#","url":"#, resource.url)
    json.append(#","type":"#, resource.type)
    json.append(#","pixel_width":"#, resource.pixelWidth)
    json.append(#","pixel_height":"#, resource.pixelHeight)
    json.append(#","range":"#, resource.range.rawValue)
    json.append("}")
  }

  /// Appends a key and one range, or the list of ranges of an arrangement, which is empty if there are no rows.
  private mutating func append(_ key: StaticString, _ rows: RowRanges) {
    json.append(key)
    guard planner.placement.isArranged else { return append(rows.first) }
    json.append("[")
    for (index, range) in rows.ranges.enumerated() {
      json.separate(index)
      append(range)
    }
    json.append("]")
  }

  private mutating func append(_ range: Range<Int>) {
    json.append("[", range.lowerBound)
    json.append(",", range.upperBound)
    json.append("]")
  }
}
