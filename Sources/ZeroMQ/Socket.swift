import CZeroMQ
import Glibc

/// A ROUTER or DEALER socket. Belongs to one thread at a time.
public final class Socket {
  public enum Kind {
    case router, dealer

    var code: Int32 { self == .router ? ZMQ_ROUTER : ZMQ_DEALER }
  }

  let raw: UnsafeMutableRawPointer
  // The context must not end before its sockets.
  private let context: Context

  public init(_ kind: Kind, _ context: Context) throws(ZeroMQError) {
    guard let raw = zmq_socket(context.raw, kind.code) else { throw ZeroMQError("zmq_socket") }
    self.raw = raw
    self.context = context
    // A router says when a peer is gone instead of dropping silently; nobody waits for undelivered messages.
    if kind == .router { try set(ZMQ_ROUTER_MANDATORY, 1) }
    try set(ZMQ_LINGER, 0)
    try set(ZMQ_IPV6, 1)
  }

  deinit { zmq_close(raw) }

  private func set(_ option: Int32, _ value: Int32) throws(ZeroMQError) {
    var value = value
    guard zmq_setsockopt(raw, option, &value, MemoryLayout<Int32>.size) == 0 else {
      throw ZeroMQError("zmq_setsockopt")
    }
  }

  /// Messages queued for each peer before sending says that it would block, and received ones before the peer waits.
  public func setHighWaterMarks(send: Int32, receive: Int32) throws(ZeroMQError) {
    try set(ZMQ_SNDHWM, send)
    try set(ZMQ_RCVHWM, receive)
  }

  /// Peers that do not answer for `timeout` milliseconds are disconnected; without heartbeats a stopped one never is.
  public func setHeartbeat(interval: Int32, timeout: Int32) throws(ZeroMQError) {
    try set(ZMQ_HEARTBEAT_IVL, interval)
    try set(ZMQ_HEARTBEAT_TIMEOUT, timeout)
  }

  /// Frames longer than this end the connection that sends them.
  public func setMaxMessageSize(_ bytes: Int64) throws(ZeroMQError) {
    var value = bytes
    guard zmq_setsockopt(raw, ZMQ_MAXMSGSIZE, &value, MemoryLayout<Int64>.size) == 0 else {
      throw ZeroMQError("zmq_setsockopt")
    }
  }

  /// How long queued messages may keep the context from ending, in milliseconds.
  public func setLinger(_ milliseconds: Int32) throws(ZeroMQError) { try set(ZMQ_LINGER, milliseconds) }

  public func bind(_ endpoint: String) throws(ZeroMQError) {
    guard zmq_bind(raw, endpoint) == 0 else { throw ZeroMQError("cannot listen at \(endpoint)") }
  }

  public func connect(_ endpoint: String) throws(ZeroMQError) {
    guard zmq_connect(raw, endpoint) == 0 else { throw ZeroMQError("cannot connect to \(endpoint)") }
  }

  /// What became of a message.
  public enum Sent {
    case sent
    /// The peer's queue is full.
    case full
    /// No such peer (any more).
    case unreachable
  }

  /// Sends the parts as one message. Frames that were sent are empty afterwards.
  public func send(_ parts: [Frame]) throws(ZeroMQError) -> Sent {
    for (index, part) in parts.enumerated() {
      let more = index + 1 < parts.count ? ZMQ_SNDMORE : 0
      while zmq_msg_send(part.raw, raw, ZMQ_DONTWAIT | more) < 0 {
        switch zmq_errno() {
        case EINTR: continue
        case EAGAIN where index == 0: return .full
        case EHOSTUNREACH where index == 0: return .unreachable
        default: throw ZeroMQError("zmq_msg_send")
        }
      }
    }
    return .sent
  }

  /// The parts of the next message, or nil when none is there.
  public func receive() throws(ZeroMQError) -> [Frame]? {
    var parts: [Frame] = []
    repeat {
      let part = Frame()
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

  /// Waits for a message for at most so many milliseconds; whether there is one.
  public func wait(milliseconds: Int) throws(ZeroMQError) -> Bool {
    var item = zmq_pollitem_t(socket: raw, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0)
    guard zmq_poll(&item, 1, milliseconds) >= 0 else {
      if zmq_errno() == EINTR { return false }
      throw ZeroMQError("zmq_poll")
    }
    return item.revents != 0
  }
}
