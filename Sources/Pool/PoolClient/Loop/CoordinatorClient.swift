import PoolClientCore
import PoolEnvelopes
import PoolProtocol
import PoolSecurity
import ZeroMQ

/// Lists and cancels the batches of a coordinator.
public final class BatchesClient {
  /// Milliseconds that each reply may take.
  private static let timeout = 5000

  private let socket: Socket

  /// - Parameter keys: The keys of this client, where the coordinator accepts by key.
  public init(_ context: Context, endpoint: String, keys: ClientKeys? = nil) throws(ZeroMQError) {
    socket = try Socket(.dealer, context)
    try socket.connect(endpoint, keys)
  }

  /// Returns all batches in the order of their names.
  ///
  /// - Parameter shouldStop: Called while replies are awaited.
  /// - Throws: `PoolError.silent` when the coordinator does not reply, and `PoolError.interrupted`.
  public func batches(shouldStop: () -> Bool = { false }) throws -> [PoolStatus.Batch] {
    var batches: [PoolStatus.Batch] = []
    while true {
      let page = try ask(.listBatches(after: batches.last?.name ?? ""), shouldStop) { message in
        if case .batches(let batches, let hasMore) = message { (batches, hasMore) } else { nil }
      }
      batches += page.0
      if !page.1 || page.0.isEmpty { return batches }
    }
  }

  /// Ends all batches whose journals the coordinator can read. Returns their number.
  public func cancelAll() throws -> UInt64 {
    try ask(.cancelAll(batch: 1)) { message in
      if case .cancelled(_, let count) = message { count } else { nil }
    }
  }

  /// Sends a message and returns the content of the reply.
  private func ask<Reply>(
    _ message: ClientMessage, _ shouldStop: () -> Bool = { false }, _ reply: (MessageToClient) -> Reply?
  ) throws -> Reply {
    _ = try socket.send([message.encoded()])
    while try socket.waitForReply(milliseconds: Self.timeout, shouldStop: shouldStop) {
      while let parts = try socket.receive() {
        guard let message = parts.first?.withBytes({ MessageToClient(envelope: $0) }) else { continue }
        if case .failed(_, let reason) = message { throw PoolError.failed(reason) }
        if let reply = reply(message) { return reply }
      }
    }
    throw PoolError.silent
  }
}
