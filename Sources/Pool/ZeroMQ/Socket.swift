import CZeroMQ
import Glibc

/// A socket of libzmq. It belongs to one thread at a time.
public final class Socket {
  /// Seconds without traffic before the system asks the other machine for a sign of life, and the number of questions, one
  /// a second, without a reply.
  private static let keepaliveIdle: Int32 = 5
  private static let keepaliveProbes: Int32 = 5
  /// Milliseconds that sent bytes may wait for the other machine to confirm them.
  private static let retransmissionTime: Int32 = 60_000
  /// Milliseconds.
  private static let heartbeatInterval: Int32 = 5_000
  private static let heartbeatTimeout: Int32 = 120_000

  /// The type of a socket (zmq_socket(3)).
  public struct Kind: Equatable, Sendable {
    let code: Int32

    public static let router = Kind(code: ZMQ_ROUTER)
    public static let dealer = Kind(code: ZMQ_DEALER)
    public static let reply = Kind(code: ZMQ_REP)
    public static let pair = Kind(code: ZMQ_PAIR)
  }

  let raw: UnsafeMutableRawPointer
  // A context must not end before its sockets.
  let context: Context
  private var attended: (socket: Socket, serve: () throws(ZeroMQError) -> Void)?
  /// The memory of connections, if it is limited.
  var reception: Reception?
  /// The last message, which the caller of `receive` may use until the next call.
  private var lastMessage: (connection: Int32, bytes: Int, parts: Int)?
  /// Whether the last call of `receive` found no message.
  private(set) var isDrained = false

  /// Creates a socket that is neither bound nor connected.
  public init(_ kind: Kind, _ context: Context) throws(ZeroMQError) {
    guard let raw = zmq_socket(context.raw, kind.code) else { throw ZeroMQError("zmq_socket") }
    self.raw = raw
    self.context = context
    // A router reports that a peer is missing instead of dropping the message silently.
    if kind == .router { try set(ZMQ_ROUTER_MANDATORY, 1) }
    // Undelivered messages do not delay the end of the context.
    try set(ZMQ_LINGER, 0)
    try set(ZMQ_IPV6, 1)
  }

  deinit {
    // A socket that lingers still connects. The thread of libzmq that serves all connections of the process would wait without
    // end to report that to a monitor whose reader has ended, so the monitor ends before its reader.
    zmq_socket_monitor(raw, nil, 0)
    zmq_close(raw)
  }

  func set(_ option: Int32, _ value: Int32) throws(ZeroMQError) {
    var value = value
    guard zmq_setsockopt(raw, option, &value, MemoryLayout<Int32>.size) == 0 else {
      throw ZeroMQError("zmq_setsockopt")
    }
  }

  func set(_ option: Int32, _ value: String) throws(ZeroMQError) {
    guard zmq_setsockopt(raw, option, value, value.utf8.count) == 0 else { throw ZeroMQError("zmq_setsockopt") }
  }

  /// Limits the messages that are queued for each peer.
  ///
  /// - Parameters:
  ///   - send: The number of messages to a peer before sending reports that it would block.
  ///   - receive: The number of received messages before the peer waits.
  public func setHighWaterMarks(send: Int32, receive: Int32) throws(ZeroMQError) {
    try set(ZMQ_SNDHWM, send)
    try set(ZMQ_RCVHWM, receive)
  }

  /// Ends connections whose other side has ended.
  ///
  /// The system decides by whether the other machine confirms what it receives. So a large message may take as long as a
  /// slow connection needs, during which heartbeats of ZeroMQ would wait behind it: those only find a proxy that is left
  /// without its other side. A process that is stopped keeps its connection as long as it can, which for tcp is until
  /// unread bytes have waited for the retransmission time.
  public func endLostConnections() throws(ZeroMQError) {
    try set(ZMQ_TCP_KEEPALIVE, 1)
    try set(ZMQ_TCP_KEEPALIVE_IDLE, Self.keepaliveIdle)
    try set(ZMQ_TCP_KEEPALIVE_INTVL, 1)
    try set(ZMQ_TCP_KEEPALIVE_CNT, Self.keepaliveProbes)
    try set(ZMQ_TCP_MAXRT, Self.retransmissionTime)
    try set(ZMQ_HEARTBEAT_IVL, Self.heartbeatInterval)
    try set(ZMQ_HEARTBEAT_TIMEOUT, Self.heartbeatTimeout)
  }

  /// Limits the number of bytes in a received message part. A longer part ends the connection that sent it.
  public func setMaxMessageSize(_ bytes: Int64) throws(ZeroMQError) {
    var value = bytes
    guard zmq_setsockopt(raw, ZMQ_MAXMSGSIZE, &value, MemoryLayout<Int64>.size) == 0 else {
      throw ZeroMQError("zmq_setsockopt")
    }
  }

  /// Sets the time for which queued messages may delay the end of the context, in milliseconds.
  public func setLinger(_ milliseconds: Int32) throws(ZeroMQError) { try set(ZMQ_LINGER, milliseconds) }

  /// Listens at an endpoint. Returns the endpoint, with the port that was found for the `*` of `tcp://127.0.0.1:*`.
  @discardableResult
  public func bind(_ endpoint: String) throws(ZeroMQError) -> String {
    let hasKnownPort = !endpoint.hasSuffix(":*")
    // Before the first connection.
    if hasKnownPort { try reception?.observe(endpoint) }
    guard zmq_bind(raw, endpoint) == 0 else {
      let operation = "cannot listen at \(endpoint)"
      // The first is that of a host name without an address here, which libzmq calls "No such device".
      throw [ENODEV, EADDRNOTAVAIL].contains(zmq_errno())
        ? ZeroMQError(operation: operation, reason: "no network interface of this machine has this name or address")
        : ZeroMQError(operation)
    }
    guard !hasKnownPort else { return endpoint }
    var text = [UInt8](repeating: 0, count: 256)
    var count = text.count
    guard zmq_getsockopt(raw, ZMQ_LAST_ENDPOINT, &text, &count) == 0 else { throw ZeroMQError("zmq_getsockopt") }
    let port = text[..<(count - 1)].split(separator: UInt8(ascii: ":")).last ?? []
    let bound = String(endpoint.dropLast()) + String(decoding: port, as: UTF8.self)
    try reception?.observe(bound)
    return bound
  }

  public func connect(_ endpoint: String) throws(ZeroMQError) {
    guard zmq_connect(raw, endpoint) == 0 else { throw ZeroMQError("cannot connect to \(endpoint)") }
  }

  /// The outcome of sending a message.
  public enum Sent {
    /// The message is queued for the peer.
    case sent
    /// The peer's queue is full.
    case full
    /// The peer does not exist, or no longer exists.
    case unreachable
  }

  /// Sends parts as one message.
  ///
  /// - Parameters:
  ///   - words: The first parts, which are copied.
  ///   - frames: The parts that follow the words. They are empty after they are sent.
  public func send(_ words: [[UInt8]], _ frames: [MessagePart] = []) throws(ZeroMQError) -> Sent {
    let count = words.count + frames.count
    for part in 0..<count {
      let flags = ZMQ_DONTWAIT | (part + 1 < count ? ZMQ_SNDMORE : 0)
      func send() -> Int32 {
        part < words.count
          ? zmq_send(raw, words[part], words[part].count, flags)
          : zmq_msg_send(frames[part - words.count].raw, raw, flags)
      }
      while send() < 0 {
        switch zmq_errno() {
        case EINTR: continue
        case EAGAIN where part == 0: return .full
        case EHOSTUNREACH where part == 0: return .unreachable
        default: throw ZeroMQError("zmq_send")
        }
      }
    }
    return .sent
  }

  /// Returns the parts of the next message, or nil when there is none. With limited connections, the caller no longer uses
  /// those of the message before, or counts them itself.
  public func receive() throws(ZeroMQError) -> [MessagePart]? {
    let parts = try receiveAny()
    noteReceived(parts ?? [])
    return parts
  }

  private func noteReceived(_ parts: [MessagePart]) {
    guard let reception else { return }
    if let lastMessage { reception.noteReleased(lastMessage) }
    // The first part is the routing ID, which the router adds.
    lastMessage = parts.last?.connection.map { connection in
      (connection, parts.dropFirst().reduce(0) { $0 + $1.count }, parts.count - 1)
    }
    isDrained = parts.isEmpty
  }

  private func receiveAny() throws(ZeroMQError) -> [MessagePart]? {
    var parts: [MessagePart] = []
    repeat {
      let part = MessagePart()
      while zmq_msg_recv(part.raw, raw, ZMQ_DONTWAIT) < 0 {
        switch zmq_errno() {
        case EINTR: continue
        case EAGAIN where parts.isEmpty: return nil
        default: throw ZeroMQError("zmq_msg_recv")
        }
      }
      parts.append(part)
    } while parts.last.map { zmq_msg_more($0.raw) != 0 } ?? false
    return parts
  }

  /// Makes `wait` call `serve` each time it is called, and without delay when `other` has a message.
  public func attend(to other: Socket, _ serve: @escaping () throws(ZeroMQError) -> Void) { attended = (other, serve) }

  /// Waits for a message, at most for a number of milliseconds or until a signal. Returns whether there is a message.
  public func wait(milliseconds: Int) throws(ZeroMQError) -> Bool {
    guard let attended else { return try Self.poll([item], milliseconds)?[0] ?? false }
    let deadline = ContinuousClock.now + .milliseconds(milliseconds)
    var left = milliseconds
    while true {
      let readable = try Self.poll([item, attended.socket.item], left)
      try attended.serve()
      guard let readable, !readable[0], left > 0 else { return readable?[0] ?? false }
      left = max(0, Int((deadline - .now) / .milliseconds(1)))
    }
  }

  /// Waits until the socket has a message or a descriptor is readable. Returns for each whether it is so. A message of a socket
  /// to which this one attends does not end the wait, after which it is served.
  public func wait(
    milliseconds: Int, or descriptor: Int32
  ) throws(ZeroMQError) -> (hasMessage: Bool, isReadable: Bool) {
    let readable = try Self.poll([item, Self.item(nil, descriptor)], milliseconds)
    try attended?.serve()
    return (readable?[0] ?? false, readable?[1] ?? false)
  }

  private var item: zmq_pollitem_t { Self.item(raw, 0) }

  private static func item(_ socket: UnsafeMutableRawPointer?, _ descriptor: Int32) -> zmq_pollitem_t {
    zmq_pollitem_t(socket: socket, fd: descriptor, events: Int16(ZMQ_POLLIN), revents: 0)
  }

  /// Returns for each item whether there is something to read, or nil after a signal.
  private static func poll(_ items: [zmq_pollitem_t], _ milliseconds: Int) throws(ZeroMQError) -> [Bool]? {
    var items = items
    guard zmq_poll(&items, Int32(items.count), milliseconds) >= 0 else {
      if zmq_errno() == EINTR { return nil }
      throw ZeroMQError("zmq_poll")
    }
    return items.map { $0.revents != 0 }
  }
}
