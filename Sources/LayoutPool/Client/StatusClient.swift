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
      var lines = ["coordinator \(message.version): \(message.workers.count) workers, \(message.batches.count) batches"]
      for worker in message.workers {
        lines.append("  \(worker.name), process \(worker.pid): \(worker.jobs) jobs, \(worker.rows) rows done")
      }
      for batch in message.batches {
        var line =
          "  batch \(batch.batch): \(batch.rowsDone) of \(batch.rowsReceived) rows done, \(batch.running) jobs running, "
          + "\(batch.queued) queued, \(batch.retries) tried again"
        if !batch.waiting.isEmpty { line += "; waits: \(batch.waiting)" }
        lines.append(line)
      }
      return lines.joined(separator: "\n")
    }
  }

  public func status() throws -> Status {
    var envelope = PoolToCoordinator()
    envelope.client.status = .init()
    _ = try socket.send([Frame(copying: Envelope.encode(envelope))])
    guard try socket.wait(milliseconds: Self.patience) else { throw PoolError.silent }
    while let parts = try socket.receive() {
      // The bytes are the frame's, which nothing else would keep until they are read.
      let reply = withExtendedLifetime(parts) { parts.first.flatMap { Envelope.decode(PoolToClient.self, $0.bytes) } }
      if case .status(let status)? = reply?.message { return Status(message: status) }
    }
    throw PoolError.silent
  }
}
