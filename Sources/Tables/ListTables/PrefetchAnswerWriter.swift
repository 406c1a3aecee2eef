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
    if cursor != nil { json.append(#","resources":"#, resources) }
    json.append(answer.fetchesNextBatch ? #","fetch_next_batch":true"# : #","fetch_next_batch":false"#)
    json.append(#","remaining":"#, answer.remaining)
    if let time = answer.remainingTime { json.append(#","remaining_time":"#, time) }
    json.append("}\n")
  }

  /// Appends a key and one range, or the list of ranges of an arrangement, which is empty if there are no rows.
  private func append(_ key: StaticString, _ rows: RowRanges, to json: inout JSONText) {
    if planner.placement.isArranged { json.append(key, rows.ranges) } else { json.append(key, rows.first) }
  }
}

extension PrefetchResource: JSONWritable {
  package func append(to json: inout JSONText) {
    json.append(#"{"row":"#, row)
    json.append(#","node":"#, node)
    json.append(#","url":"#, url)
    json.append(#","type":"#, type)
    json.append(#","pixel_width":"#, pixelWidth)
    json.append(#","pixel_height":"#, pixelHeight)
    json.append(#","range":"#, range.rawValue)
    json.append("}")
  }
}
