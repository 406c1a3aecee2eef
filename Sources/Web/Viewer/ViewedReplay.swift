import Buffers
import ListTables

/// A scroll that is simulated in a variant of the list.
package struct ViewedReplay: Sendable {
  private let lines: [PrefetchReplay.Line]
  private let connection: PrefetchReplay.Connection

  /// The height of the viewport in points if the page states none.
  static let viewport = 844.0
  /// The greatest number of points of the plot.
  private static let maxPoints = 2000

  package init(_ lines: [PrefetchReplay.Line], _ connection: PrefetchReplay.Connection) {
    self.lines = lines
    self.connection = connection
  }

  /// Simulates the scroll and writes its verdict with the points of a plot.
  func run(_ tables: MappedTables, viewport: Double, to json: inout JSONText) throws(TableError) {
    let result = try PrefetchReplay.run(
      lines, viewport: viewport, planner: PrefetchPlanner(tables), connection: connection)
    json.append(#"{"visible":"#)
    json.append(result.visibleCount)
    json.append(#","ready":"#)
    json.append(result.readyCount)
    json.append(#","late":{"count":"#)
    json.append(result.delays.count)
    for (name, part) in [(#","p50":"#, 0.5), (#","p95":"#, 0.95), (#","max":"#, 1)] as [(StaticString, Double)] {
      json.append(name)
      json.append(result.delay(atQuantile: part))
    }
    json.append(#"},"never_loaded":"#)
    json.append(result.neverLoadedCount)
    json.append(#","loaded":{"count":"#)
    json.append(result.loadedCount)
    json.append(#","bytes":"#)
    json.append(result.loadedBytes)
    json.append(#"},"unused":{"count":"#)
    json.append(result.unusedCount)
    json.append(#","bytes":"#)
    json.append(result.unusedBytes)
    json.append(#"},"points":["#)
    for (index, line) in plottedLines.enumerated() {
      json.separate(index)
      json.append(#"{"t":"#)
      json.append(line.time)
      json.append(#","offset":"#)
      json.append(line.offset)
      json.append("}")
    }
    json.append(#"],"late_resources":["#)
    for (index, late) in Self.thinned(result.lateTimes).enumerated() {
      json.separate(index)
      json.append(#"{"t":"#)
      json.append(late.time)
      json.append(#","delay":"#)
      json.append(late.delay)
      json.append("}")
    }
    json.append("]}")
  }

  private var plottedLines: [PrefetchReplay.Line] { Self.thinned(lines) }

  /// Returns at most as many values as a plot has points, the last one among them.
  private static func thinned<Value>(_ values: [Value]) -> [Value] {
    guard values.count > maxPoints, let last = values.last else { return values }
    let step = Double(values.count) / Double(maxPoints - 1)
    return (0..<maxPoints - 1).map { values[Int(Double($0) * step)] } + [last]
  }
}
