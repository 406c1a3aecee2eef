import PoolMessages
import ZeroMQ

/// Asks a coordinator how it is.
public final class StatusClient {
  /// Milliseconds.
  private static let patience = 5000

  private let socket: Socket

  /// - Parameter keys: needed where the coordinator lets in by key.
  public init(_ context: Context, endpoint: String, keys: ClientKeys? = nil) throws(ZeroMQError) {
    socket = try Socket(.dealer, context)
    try socket.connect(endpoint, keys)
  }

  public struct Status {
    let message: PoolToClient.Status

    public var json: String { get throws { try message.jsonString() } }

    public var text: String {
      var lines = [
        "coordinator \(message.version), process \(message.pid): \(message.workers.count) workers, "
          + "\(message.batches.count) batches, \(UInt64(message.rowsPerSecond)) rows/s, \(message.memory >> 20) MiB"
      ]
      lines += message.workers.map { worker in
        "  \(worker.name), process \(worker.pid): \(worker.jobs) jobs, \(worker.rows) rows done, "
          + "\(Int((worker.cacheHitRate * 100).rounded())) % of the texts' segments from its cache"
      }
      lines += message.batches.map { batch in
        "  batch \(batch.name)\(batch.input.isEmpty ? "" : " (\(batch.input))"): "
          + "\(batch.rowsDone) of \(batch.rowsReceived) rows done"
          + (batch.rowsRecovered > 0 ? " (\(batch.rowsRecovered) of them before a restart)" : "")
          + ", \(batch.running) jobs running, \(batch.queued) queued, \(batch.retries) tried again"
          + (batch.priority == 0 ? "" : ", priority \(batch.priority)")
          + (batch.waiting.isEmpty ? "" : "; waits: \(batch.waiting)")
      }
      return lines.joined(separator: "\n")
    }
  }

  public func status() throws -> Status {
    var envelope = PoolToCoordinator()
    envelope.client.status = .init()
    _ = try socket.send([Envelope.encode(envelope)])
    guard try socket.wait(milliseconds: Self.patience) else { throw PoolError.silent }
    while let parts = try socket.receive() {
      let reply = parts.first?.withBytes { Envelope.decode(PoolToClient.self, $0) }
      if case .status(let status)? = reply?.message { return Status(message: status) }
    }
    throw PoolError.silent
  }
}
