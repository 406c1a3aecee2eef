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
    json.append(#"{"visible":"#, result.visibleCount)
    json.append(#","ready":"#, result.readyCount)
    json.append(#","late":{"count":"#, result.delays.count)
    json.append(#","p50":"#, result.delay(atQuantile: 0.5))
    json.append(#","p95":"#, result.delay(atQuantile: 0.95))
    json.append(#","max":"#, result.delay(atQuantile: 1))
    json.append(#"},"never_loaded":"#, result.neverLoadedCount)
    json.append(#","loaded":{"count":"#, result.loadedCount)
    json.append(#","bytes":"#, result.loadedBytes)
    json.append(#"},"unused":{"count":"#, result.unusedCount)
    json.append(#","bytes":"#, result.unusedBytes)
    json.append(#"},"points":"#, Self.thinned(lines))
    json.append(#","late_resources":"#, Self.thinned(result.lateTimes))
    json.append("}")
  }

  /// Returns at most as many values as a plot has points, the last one among them.
  private static func thinned<Value>(_ values: [Value]) -> [Value] {
    guard values.count > maxPoints, let last = values.last else { return values }
    let step = Double(values.count) / Double(maxPoints - 1)
    return (0..<maxPoints - 1).map { values[Int(Double($0) * step)] } + [last]
  }
}

extension PrefetchReplay.Line: JSONWritable {
  package func append(to json: inout JSONText) {
    json.append(#"{"t":"#, time)
    json.append(#","offset":"#, offset)
    json.append("}")
  }
}

extension PrefetchReplayResult.Late: JSONWritable {
  package func append(to json: inout JSONText) {
    json.append(#"{"t":"#, time)
    json.append(#","delay":"#, delay)
    json.append("}")
  }
}
