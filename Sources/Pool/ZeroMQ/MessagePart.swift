import Buffers
import CZeroMQ

/// One part of a message, whose bytes libzmq owns. They are neither copied nor changed while the part exists.
public final class MessagePart {
  let raw: UnsafeMutablePointer<zmq_msg_t>

  /// Creates an empty part for receiving.
  init() {
    raw = .allocate(capacity: 1)
    zmq_msg_init(raw)
  }

  /// Creates a part from bytes that `owner` keeps at their address. `owner` is released when libzmq has sent them.
  public init(bytes: UnsafeRawBufferPointer, keeping owner: any AnyObject & Sendable) {
    raw = .allocate(capacity: 1)
    let hint = Unmanaged.passRetained(owner).toOpaque()
    let data = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
    zmq_msg_init_data(
      raw, data, bytes.count,
      { _, hint in
        if let hint { Unmanaged<AnyObject>.fromOpaque(hint).release() }
      }, hint)
  }

  deinit {
    zmq_msg_close(raw)
    raw.deallocate()
  }

  /// The number of bytes.
  public var count: Int { zmq_msg_size(raw) }

  /// The bytes, which are valid as long as the part exists and is not sent; see also `withBytes`.
  public var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: zmq_msg_data(raw), count: zmq_msg_size(raw))
  }

  /// Calls `body` with the bytes, and keeps the part during the call. `bytes` alone does not keep a part that is not
  /// used afterwards.
  public func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    return try body(bytes)
  }

  /// The user as which the ZAP handler identified the sender; nil for a part that was sent without CURVE or was not
  /// received.
  public var userID: String? { zmq_msg_gets(raw, "User-Id").map { String(cString: $0) } }

  /// Whether the sender of a received part has chosen the routing ID by which a router addresses it.
  public var hasRoutingIDOfItsSender: Bool { zmq_msg_gets(raw, "Identity").map { $0.pointee != 0 } ?? false }

  /// The file descriptor of the connection by which the part was received; nil for a part that was sent by this process
  /// or was not received.
  public var connection: Int32? {
    let descriptor = zmq_msg_get(raw, ZMQ_SRCFD)
    return descriptor < 0 ? nil : descriptor
  }

  /// Returns a second part with the same bytes, whose references libzmq counts.
  public func share() -> MessagePart {
    let copy = MessagePart()
    zmq_msg_copy(copy.raw, raw)
    return copy
  }

  /// Returns a part with these bytes that can be sent, without copying them.
  public static func sharing(_ bytes: OwnedBytes) -> MessagePart {
    // libzmq counts the references to its own messages.
    if let part = bytes.owner as? MessagePart, part.count == bytes.count { return part.share() }
    return MessagePart(bytes: bytes.bytes, keeping: bytes.owner)
  }

  /// The bytes, kept by this part.
  public var ownedBytes: OwnedBytes { OwnedBytes(bytes, keeping: self) }
}

// The bytes of a part are never written after its initializer, and zmq_msg_close may run on any thread.
extension MessagePart: @unchecked Sendable {}
