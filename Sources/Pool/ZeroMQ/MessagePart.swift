import Buffers
import CZeroMQ

/// One part of a message: bytes that libzmq owns. They are neither copied nor changed while the frame lives.
public final class MessagePart {
  let raw: UnsafeMutablePointer<zmq_msg_t>
  /// What keeps the bytes, if it was given.
  public let owner: (any AnyObject & Sendable)?

  /// An empty frame for receiving.
  init() {
    owner = nil
    raw = .allocate(capacity: 1)
    zmq_msg_init(raw)
  }

  /// A copy of bytes.
  public convenience init(copying bytes: UnsafeRawBufferPointer) {
    self.init(size: bytes.count) {
      UnsafeMutableRawBufferPointer(start: $0, count: bytes.count).copyMemory(from: bytes)
    }
  }

  /// A copy of bytes.
  public convenience init(copying bytes: [UInt8]) {
    self.init(size: bytes.count) { start in
      bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(start: start, count: $0.count).copyMemory(from: $0) }
    }
  }

  /// A frame of `size` bytes that `fill` writes.
  public init(size: Int, _ fill: (UnsafeMutableRawPointer) -> Void) {
    owner = nil
    raw = .allocate(capacity: 1)
    zmq_msg_init_size(raw, size)
    if let data = zmq_msg_data(raw) { fill(data) }
  }

  /// Bytes that `owner` keeps in place; it is released when libzmq has sent them.
  public init(bytes: UnsafeRawBufferPointer, keeping owner: any AnyObject & Sendable) {
    self.owner = owner
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

  public var count: Int { zmq_msg_size(raw) }

  /// Valid as long as the frame lives and is not sent; see also `withBytes`.
  public var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: zmq_msg_data(raw), count: zmq_msg_size(raw))
  }

  /// Writes the bytes where there is room for them.
  public func copy(to start: UnsafeMutableRawPointer) {
    withBytes { UnsafeMutableRawBufferPointer(start: start, count: $0.count).copyMemory(from: $0) }
  }

  /// Calls `body` with the bytes. Where the frame is not used afterwards, `bytes` alone would not keep it.
  public func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    return try body(bytes)
  }

  /// The user that the ZAP handler took the sender for; nil for what came without CURVE or was not received.
  public var userID: String? { zmq_msg_gets(raw, "User-Id").map { String(cString: $0) } }

  /// The file descriptor of the connection that it came by; nil for what came from this process or was not received.
  public var connection: Int32? {
    let descriptor = zmq_msg_get(raw, ZMQ_SRCFD)
    return descriptor < 0 ? nil : descriptor
  }

  /// A second frame of the same bytes, which libzmq counts.
  public func share() -> MessagePart {
    let copy = MessagePart()
    zmq_msg_copy(copy.raw, raw)
    return copy
  }
}

// A frame's bytes are never written after its initialiser, and zmq_msg_close may run on any thread.
extension MessagePart: @unchecked Sendable {}

extension MessagePart {
  /// Returns a part of these bytes that can be sent, without copying them.
  public static func sharing(_ bytes: OwnedBytes) -> MessagePart {
    // libzmq counts the references to its own messages.
    if let part = bytes.owner as? MessagePart, part.count == bytes.count { return part.share() }
    return MessagePart(bytes: bytes.bytes, keeping: bytes.owner)
  }

  /// The bytes, kept by this part.
  public var ownedBytes: OwnedBytes { OwnedBytes(bytes, keeping: self) }
}
