import Buffers
import ListTables

/// Prints the callbacks of interface states during a scroll, one JSON object a line.
enum PrefetchEvents {
  /// The number of bytes that are written at once.
  private static let outputSize = 64 << 10

  static func print(_ lines: [PrefetchReplay.Line], _ planner: PrefetchPlanner, _ queries: ScrollQueries) throws {
    var queries = queries
    var tracker = InterfaceStateTracker(planner)
    var json = JSONText(capacity: 2 * outputSize)
    for line in lines {
      for event in tracker.update(queries.query(at: line.offset)) {
        append(event, at: line.time, to: &json)
        if json.count >= outputSize { try flush(&json) }
      }
    }
    try flush(&json)
  }

  private static func append(_ event: InterfaceStateEvent, at time: Double, to json: inout JSONText) {
    json.append(#"{"t":"#)
    json.append(time)
    json.append(#","row":"#)
    json.append(event.row)
    json.append(#","callback":"#)
    json.append(string: event.callback.rawValue)
    json.append("}\n")
  }

  private static func flush(_ json: inout JSONText) throws {
    guard json.count > 0 else { return }
    try Results.write(json.bytes)
    json.removeAll()
  }
}
