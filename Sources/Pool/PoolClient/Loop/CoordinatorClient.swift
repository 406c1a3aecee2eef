import PoolClientCore
import PoolEnvelopes
import PoolProtocol
import PoolSecurity
import Processes
import ZeroMQ

/// Asks a coordinator for its state and for its batches, and cancels these.
public final class CoordinatorClient {
  /// Milliseconds that each reply may take.
  public static let timeout = 5000
  /// Milliseconds between calls of `shouldStop`.
  private static let step = 100

  private let socket: Socket

  /// - Parameters:
  ///   - keys: The keys of this client, where the coordinator accepts by key.
  ///   - warn: The function of a client that waits for its coordinator; see `watchHandshakes` of sockets.
  public init(
    _ context: Context, endpoint: String, keys: ClientKeys? = nil, warn: ((String) -> Void)? = nil
  ) throws(ZeroMQError) {
    socket = try Socket(.dealer, context)
    try socket.connect(endpoint, keys, warn: warn)
  }

  /// Returns the state of the coordinator.
  ///
  /// - Parameters:
  ///   - milliseconds: The time that the reply may take.
  ///   - shouldStop: Called while the reply is awaited.
  /// - Throws: `PoolError.silent` when the coordinator does not reply, and `PoolError.interrupted`.
  public func status(
    milliseconds: Int = timeout, shouldStop: () -> Bool = { false }
  ) throws -> PoolStatus {
    try ask(.status, milliseconds: milliseconds, shouldStop) { message in
      if case .status(let status) = message { status } else { nil }
    }
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
    _ message: ClientMessage, milliseconds: Int = timeout, _ shouldStop: () -> Bool = { false },
    _ reply: (MessageToClient) -> Reply?
  ) throws -> Reply {
    _ = try socket.send([message.encoded()])
    while try waitForReply(milliseconds: milliseconds, shouldStop) {
      while let parts = try socket.receive() {
        guard let message = parts.first?.withBytes({ MessageToClient(envelope: $0) }) else { continue }
        if case .failed(_, let reason) = message { throw PoolError.failed(reason) }
        if let reply = reply(message) { return reply }
      }
    }
    throw PoolError.silent
  }

  /// Waits for a message, at most for a number of milliseconds in which this process runs. Returns whether there is one.
  private func waitForReply(milliseconds: Int, _ shouldStop: () -> Bool) throws -> Bool {
    var running = RunningTime()
    while true {
      running.advance(to: EventTime(monotonic: Clock.monotonic()))
      let left = max(0, milliseconds - Int(running.nanoseconds / 1_000_000))
      if try socket.wait(milliseconds: min(left, Self.step)) { return true }
      if shouldStop() { throw PoolError.interrupted }
      if left == 0 { return false }
    }
  }
}
