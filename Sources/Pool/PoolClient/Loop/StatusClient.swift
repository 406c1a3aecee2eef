import Glibc
import PoolClientCore
import PoolEnvelopes
import PoolProtocol
import PoolSecurity
import ZeroMQ

/// Asks a coordinator for its state.
public final class StatusClient {
  /// Milliseconds.
  public static let timeout = 5000

  private let socket: Socket

  /// - Parameter keys: The keys of this client, where the coordinator accepts by key.
  public init(_ context: Context, endpoint: String, keys: ClientKeys? = nil) throws(ZeroMQError) {
    socket = try Socket(.dealer, context)
    try socket.connect(endpoint, keys)
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
    _ = try socket.send([ClientMessage.status.encoded()])
    guard try socket.waitForReply(milliseconds: milliseconds, shouldStop: shouldStop) else { throw PoolError.silent }
    while let parts = try socket.receive() {
      if case .status(let status)? = parts.first?.withBytes({ MessageToClient(envelope: $0) }) { return status }
    }
    throw PoolError.silent
  }
}
