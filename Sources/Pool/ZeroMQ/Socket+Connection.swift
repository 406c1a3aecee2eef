import CZeroMQ

extension Socket {
  /// Queues messages only while there is a connection whose handshake is complete: without one, `send` returns `full`. The call
  /// comes before `connect`.
  public func requireConnection() throws(ZeroMQError) { try set(ZMQ_IMMEDIATE, 1) }

  /// Sets the milliseconds after which a connection that fails is tried again, and the most after further failures, before which they
  /// double. The call comes before `connect`.
  public func setReconnectInterval(first: Int32, most: Int32) throws(ZeroMQError) {
    try set(ZMQ_RECONNECT_IVL, first)
    try set(ZMQ_RECONNECT_IVL_MAX, most)
  }

  /// Whether a socket that requires a connection has one. It needs an unlimited queue.
  public var isConnected: Bool {
    get throws(ZeroMQError) {
      var events: Int32 = 0
      var count = MemoryLayout<Int32>.size
      guard zmq_getsockopt(raw, ZMQ_EVENTS, &events, &count) == 0 else { throw ZeroMQError("zmq_getsockopt") }
      return events & Int32(ZMQ_POLLOUT) != 0
    }
  }
}
