import PoolEnvelopes
import PoolProtocol
import PoolSecurity
import ZeroMQ

/// Asks a coordinator for its state again and again, and observes whether the connection to it lasts.
///
/// The connection to a busy or stopped coordinator lasts. The connection to a coordinator that has ended closes at once.
public final class StatusWatch {
  private let socket: Socket

  /// - Parameters:
  ///   - keys: The keys of this client, where the coordinator accepts by key.
  ///   - warn: See `watchHandshakes` of sockets.
  public init(
    _ context: Context, endpoint: String, keys: ClientKeys? = nil, warn: @escaping (String) -> Void
  ) throws(ZeroMQError) {
    socket = try Socket(.dealer, context)
    try socket.setHighWaterMarks(send: 0, receive: 0)
    try socket.requireConnection()
    try socket.endLostConnections()
    try socket.connect(endpoint, keys, warn: warn)
  }

  public var isConnected: Bool { get throws(ZeroMQError) { try socket.isConnected } }

  /// Asks for the state. Without a connection this has no effect.
  public func request() throws(ZeroMQError) { _ = try socket.send([ClientMessage.status.encoded()]) }

  /// Returns the last received state, or nil if none arrives within `milliseconds`.
  public func status(milliseconds: Int) throws(ZeroMQError) -> PoolStatus? {
    guard try socket.wait(milliseconds: milliseconds) else { return nil }
    var last: PoolStatus?
    while let parts = try socket.receive() {
      if case .status(let status)? = parts.first?.withBytes({ MessageToClient(envelope: $0) }) { last = status }
    }
    return last
  }
}
