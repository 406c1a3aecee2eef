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
  /// Milliseconds after which a request is sent again, because its connection may have been lost with it.
  private static let repetition = 1000

  private let connect: () throws(ZeroMQError) -> Socket
  /// The connection, unless further replies to an earlier request may arrive on it. Replies do not state their requests.
  private var socket: Socket?

  /// - Parameters:
  ///   - keys: The keys of this client, where the coordinator accepts by key.
  ///   - warn: The function of a client that waits for its coordinator; see `watchHandshakes` of sockets.
  public init(
    _ context: Context, endpoint: String, keys: ClientKeys? = nil, warn: ((String) -> Void)? = nil
  ) throws(ZeroMQError) {
    connect = { () throws(ZeroMQError) in
      let socket = try Socket(.dealer, context)
      try socket.connect(endpoint, keys, warn: warn)
      return socket
    }
    socket = try connect()
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
    // The reply to a second request would have another number.
    try ask(.cancelAll(batch: 1), repeats: false) { message in
      if case .cancelled(_, let count) = message { count } else { nil }
    }
  }

  /// Sends a message and returns the content of the reply. Only times in which this process runs count.
  private func ask<Reply>(
    _ message: ClientMessage, repeats: Bool = true, milliseconds: Int = timeout, _ shouldStop: () -> Bool = { false },
    _ reply: (MessageToClient) -> Reply?
  ) throws -> Reply {
    let socket = try self.socket ?? connect()
    self.socket = nil
    var running = RunningTime()
    var requests = 0
    while true {
      running.advance(to: EventTime(monotonic: Clock.monotonic()))
      let elapsed = Int(running.nanoseconds / 1_000_000)
      // Repeated after 1, 3 and 7 seconds, because the reply to a list of batches can take some time.
      if requests == 0 || repeats && elapsed >= (1 << requests - 1) * Self.repetition {
        _ = try socket.send([message.encoded()])
        requests += 1
      }
      guard try socket.wait(milliseconds: min(max(milliseconds - elapsed, 0), Self.step)) else {
        if shouldStop() { throw PoolError.interrupted }
        guard elapsed < milliseconds else { throw PoolError.silent }
        continue
      }
      while let parts = try socket.receive() {
        guard let message = parts.first?.withBytes({ MessageToClient(envelope: $0) }) else { continue }
        if case .failed(_, let reason) = message { throw PoolError.failed(reason) }
        guard let reply = reply(message) else { continue }
        if requests == 1 { self.socket = socket }
        return reply
      }
    }
  }
}
