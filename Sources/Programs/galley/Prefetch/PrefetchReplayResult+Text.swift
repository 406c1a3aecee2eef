import Foundation
import ListTables

extension PrefetchReplayResult {
  func text(_ connection: PrefetchReplay.Connection) -> String {
    var lines = [
      "\(visibleCount) resources became visible; \(readyCount) were loaded by then"
        + (visibleCount > 0 ? " (\(readyCount * 100 / visibleCount) %)" : "")
    ]
    if let half = delay(atQuantile: 0.5), let most = delay(atQuantile: 0.95), let longest = delays.last {
      lines.append(
        "\(delays.count) were late: p50 \(Self.seconds(half)), p95 \(Self.seconds(most)), max \(Self.seconds(longest))")
    }
    if neverLoadedCount > 0 {
      lines.append("\(neverLoadedCount) left the viewport before they were requested, and were never loaded")
    }
    lines.append(
      "\(loadedCount) were loaded (\(Self.bytes(loadedBytes))); \(unusedCount) of them for nothing "
        + "(\(Self.bytes(unusedBytes))): they never became visible")
    lines.append(
      "Simulated with one connection of \(Int(connection.bandwidth)) bytes/s, \(connection.latency) s for each request "
        + "and \(connection.bytesPerPixel) bytes per pixel.")
    return lines.joined(separator: "\n")
  }

  /// Returns the result as a JSON object.
  func json() throws -> String {
    struct Late: Encodable {
      let count: Int
      let p50, p95, max: Double?
    }
    struct Loaded: Encodable {
      let count: Int
      let bytes: Double
    }
    struct Document: Encodable {
      let visible, ready: Int
      let late: Late
      let neverLoaded: Int
      let loaded, unused: Loaded
    }
    let document = Document(
      visible: visibleCount, ready: readyCount,
      late: Late(
        count: delays.count, p50: delay(atQuantile: 0.5), p95: delay(atQuantile: 0.95), max: delays.last),
      neverLoaded: neverLoadedCount, loaded: Loaded(count: loadedCount, bytes: loadedBytes),
      unused: Loaded(count: unusedCount, bytes: unusedBytes))
    return try Results.json(document, .prettyPrinted, keys: .convertToSnakeCase)
  }

  private static func seconds(_ seconds: Double) -> String { String(format: "%.3f s", seconds) }

  private static func bytes(_ bytes: Double) -> String { ByteSize.text(UInt64(min(bytes.rounded(), 0x1p62))) }
}
