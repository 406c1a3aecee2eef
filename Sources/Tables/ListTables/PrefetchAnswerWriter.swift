import Buffers

/// A writer of the replies to queries. Each reply is one line of JSON.
package struct PrefetchAnswerWriter {
  private let planner: PrefetchPlanner
  /// The reader of the resources, or nil if the replies have none.
  private let cursor: PrefetchCursor?

  package init(_ planner: PrefetchPlanner, hasResources: Bool) {
    self.planner = planner
    cursor = hasResources ? planner.cursor() : nil
  }

  /// Appends the answer of a query.
  ///
  /// - Throws: `TableError` if the tables are damaged at a row of the query, or have changed since they were opened. Nothing is
  ///   appended then.
  package func append(_ query: PrefetchQuery, to json: inout JSONText) throws(TableError) {
    let answer = planner.answer(query)
    var resources: [PrefetchResource] = []
    if let cursor { resources = try planner.resources(of: answer, for: query, cursor) }
    append(#"{"visible":"#, answer.visible, to: &json)
    append(#","display":"#, answer.display, to: &json)
    append(#","preload":"#, answer.preload, to: &json)
    if cursor != nil {
      json.append(#","resources":["#)
      for (index, resource) in resources.enumerated() {
        json.separate(index)
        append(resource, to: &json)
      }
      json.append("]")
    }
    json.append(answer.fetchesNextBatch ? #","fetch_next_batch":true"# : #","fetch_next_batch":false"#)
    json.append(#","remaining":"#, answer.remaining)
    if let time = answer.remainingTime { json.append(#","remaining_time":"#, time) }
    json.append("}\n")
  }

  private func append(_ resource: PrefetchResource, to json: inout JSONText) {
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
  private func append(_ key: StaticString, _ rows: RowRanges, to json: inout JSONText) {
    json.append(key)
    guard planner.placement.isArranged else { return append(rows.first, to: &json) }
    json.append("[")
    for (index, range) in rows.ranges.enumerated() {
      json.separate(index)
      append(range, to: &json)
    }
    json.append("]")
  }

  private func append(_ range: Range<Int>, to json: inout JSONText) {
    json.append("[", range.lowerBound)
    json.append(",", range.upperBound)
    json.append("]")
  }
}
