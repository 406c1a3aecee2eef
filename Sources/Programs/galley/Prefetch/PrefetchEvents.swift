import Buffers
import ListTables

/// Prints the callbacks of interface states during a scroll, one JSON object a line.
enum PrefetchEvents {
  static func print(_ lines: [PrefetchReplay.Line], _ planner: PrefetchPlanner, _ queries: ScrollQueries) throws {
    var queries = queries
    var tracker = InterfaceStateTracker(planner)
    var output = try ResultOutput()
    for line in lines {
      for event in tracker.update(queries.query(at: line.offset)) {
        output.text.append(#"{"t":"#, line.time)
        output.text.append(#","row":"#, event.row)
        output.text.append(#","callback":"#, event.callback.rawValue)
        output.text.append("}\n")
        try output.writePart()
      }
    }
    try output.finish()
  }
}
