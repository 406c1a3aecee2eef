import CZeroMQ

/// The state of a connecting socket's handshakes, which shows whether the other side accepts the socket.
struct Handshakes {
  /// The number of consecutive connections that the other side may end without a reason, because it may be starting or
  /// stopping. libzmq makes them 100 to 200 ms apart.
  static let maxUnexplained = 20

  let usesKeys: Bool
  /// Whether the other side has accepted this one. If it ends connections later, it is absent for a time, as during a restart.
  private(set) var hasSucceeded = false
  private var unexplained = 0
  private var isReported = false

  init(usesKeys: Bool) { self.usesKeys = usesKeys }

  /// Records an event. Returns the reason why further attempts are useless, or nil as long as they are not.
  mutating func note(event: Int32, value: UInt32) -> String? {
    switch event {
    case ZMQ_EVENT_HANDSHAKE_SUCCEEDED:
      (hasSucceeded, unexplained, isReported) = (true, 0, false)
      return nil
    case ZMQ_EVENT_HANDSHAKE_FAILED_AUTH:
      return "this key is not allowed there; its .pub belongs in the coordinator's allowed keys"
    case ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL where value == UInt32(ZMQ_PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH):
      return "one side uses keys and the other does not; see --keys"
    case ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL:
      return "the other side does not use the protocol of ZeroMQ"
    default:
      unexplained += 1
      return nil
    }
  }

  /// Returns the possible reasons for connections that the other side ends without one, once after many of them. It is called when
  /// no event is left, because the last handshake may have succeeded. The side that first detects that only one of the two uses
  /// keys may end the connection before the other side detects it too.
  mutating func takeReason() -> String? {
    guard unexplained >= Self.maxUnexplained, !isReported else { return nil }
    isReported = true
    let cause =
      usesKeys
      ? "it uses no keys, its key is not that of coordinator.pub here" : "it uses keys and this side does not"
    return "the other side ends each connection: \(cause), it is a proxy before a coordinator that is not there, "
      + "or it is no coordinator; see --keys"
  }
}

extension Socket {
  /// Makes a later wait for a message fail when the other side does not accept this one, instead of never ending.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint to which the socket connects, for the error.
  ///   - usesKeys: Whether this side uses keys, for the error.
  ///   - warn: The function of a side that waits without end. It receives a warning instead of the error for connections that the
  ///     other side ends without a reason.
  public func watchHandshakes(
    to endpoint: String, usesKeys: Bool, warn: ((String) -> Void)? = nil
  ) throws(ZeroMQError) {
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
        if let reason = handshakes.note(event: event, value: value) { throw Self.refusal(at: endpoint, reason) }
      }
      guard let reason = handshakes.takeReason() else { return }
      let error = Self.refusal(at: endpoint, reason)
      if let warn { warn("\(error); waiting for it") } else if !handshakes.hasSucceeded { throw error }
    }
  }

  private static func refusal(at endpoint: String, _ reason: String) -> ZeroMQError {
    ZeroMQError(operation: "cannot connect to \(endpoint)", reason: reason)
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
