import CZeroMQ

/// The state of a connecting socket's handshakes, which shows whether the other side accepts the socket.
struct Handshakes {
  /// The number of consecutive connections that the other side may end without a reason, because it may be starting or
  /// stopping. libzmq makes them 100 to 200 ms apart.
  static let maxUnexplained = 20

  let usesKeys: Bool
  private var unexplained = 0

  init(usesKeys: Bool) { self.usesKeys = usesKeys }

  /// Records an event. Returns the reason why further attempts are useless, or nil as long as they are not.
  mutating func note(event: Int32, value: UInt32) -> String? {
    switch event {
    case ZMQ_EVENT_HANDSHAKE_SUCCEEDED:
      unexplained = 0
      return nil
    case ZMQ_EVENT_HANDSHAKE_FAILED_AUTH:
      return "this key is not allowed there; its .pub belongs in the coordinator's allowed keys"
    case ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL where value == UInt32(ZMQ_PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH):
      return "one side uses keys and the other does not; see --keys"
    case ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL:
      return "the other side does not use the protocol of ZeroMQ"
    default:
      unexplained += 1
      return unexplained < Self.maxUnexplained ? nil : endedConnections
    }
  }

  /// The reason for connections that the other side ends without one. The side that first detects that only one of the
  /// two uses keys may end the connection before the other side detects it too.
  private var endedConnections: String {
    let cause =
      usesKeys
      ? "it uses no keys, its key is not that of coordinator.pub here" : "it uses keys and this side does not"
    return "the other side ends each connection: \(cause), or it is no coordinator; see --keys"
  }
}

extension Socket {
  /// Makes each later wait for a message fail when the other side does not accept this one, instead of never ending.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint to which the socket connects, for the error.
  ///   - usesKeys: Whether this side uses keys, for the error.
  public func watchHandshakes(to endpoint: String, usesKeys: Bool) throws(ZeroMQError) {
    let address = "inproc://handshakes-\(UInt(bitPattern: raw))"
    let events =
      ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL
      | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH
    guard zmq_socket_monitor(raw, address, events) == 0 else { throw ZeroMQError("zmq_socket_monitor") }
    let monitor = try Socket(.pair, context)
    // The thread that serves all connections of the process must not wait until this side reads events. They are some bytes each, at
    // most ten times a second, and are read with the messages of the socket.
    try monitor.setHighWaterMarks(send: 0, receive: 0)
    try monitor.connect(address)
    var handshakes = Handshakes(usesKeys: usesKeys)
    attend(to: monitor) { () throws(ZeroMQError) in
      while let parts = try monitor.receive() {
        guard let (event, value) = Self.event(parts[0]) else { continue }
        if let reason = handshakes.note(event: event, value: value) {
          throw ZeroMQError(operation: "cannot connect to \(endpoint)", reason: reason)
        }
      }
    }
  }

  /// Returns the event and the value in a message of a monitor, or nil for a frame that is too short. The frame has 16
  /// bits of event and 32 bits of value, in the machine's byte order (zmq_socket_monitor(3)).
  private static func event(_ frame: MessagePart) -> (event: Int32, value: UInt32)? {
    frame.withBytes { bytes in
      guard bytes.count >= 6 else { return nil }
      return (Int32(bytes.loadUnaligned(as: UInt16.self)), bytes.loadUnaligned(fromByteOffset: 2, as: UInt32.self))
    }
  }
}
