import PoolProtocol
import Processes

/// The state of a pool and of the gateway in the text format of Prometheus.
struct Metrics {
  static let type = "text/plain; version=0.0.4; charset=utf-8"

  private(set) var text = ""

  /// - Parameter status: The state of the pool; nil while the coordinator does not reply.
  init(_ status: PoolStatus?) {
    add("galley_up", "gauge", "Whether the coordinator replies.", status == nil ? 0 : 1)
    add(
      "galley_gateway_memory_bytes", "gauge", "The resident memory of the gateway.", Double(ResidentMemory.bytes))
    guard let status else { return }
    add("galley_workers", "gauge", "The connected workers.", Double(status.workerCount))
    add("galley_batches", "gauge", "The batches that the coordinator has.", Double(status.batchCount))
    add("galley_clients", "gauge", "The connected clients.", Double(status.clientCount))
    add("galley_rows_per_second", "gauge", "The rows laid out per second over the last seconds.", status.rowsPerSecond)
    add("galley_coordinator_memory_bytes", "gauge", "The resident memory of the coordinator.", Double(status.memory))
  }

  private mutating func add(_ name: String, _ type: String, _ help: String, _ value: Double) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n\(name) \(value)\n"
  }
}
