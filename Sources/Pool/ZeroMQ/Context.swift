import CZeroMQ

/// An error of a libzmq call.
public struct ZeroMQError: Error, Equatable, CustomStringConvertible {
  /// The call or the operation that failed, and the reason.
  public let description: String

  init(_ operation: String) { self.init(code: zmq_errno(), operation: operation) }

  /// Creates an error with the description that libzmq has for its number.
  public init(code: Int32, operation: String) {
    self.init(operation: operation, reason: String(cString: zmq_strerror(code)))
  }

  /// Creates an error for a failure that no call reports.
  public init(operation: String, reason: String) { description = "\(operation): \(reason)" }
}

/// A context of libzmq, which holds the I/O thread that all sockets of a process share.
public final class Context {
  /// The number of ZMQ_ZERO_COPY_RECV, which zmq.h states only together with other options that are drafts.
  private static let zeroCopyReceive: Int32 = 10

  let raw: UnsafeMutableRawPointer

  public init() throws(ZeroMQError) {
    guard let raw = zmq_ctx_new() else { throw ZeroMQError("zmq_ctx_new") }
    self.raw = raw
    // Otherwise each part keeps all of the 18 KB into which libzmq received it, also if it is a part of 40 bytes that came
    // alone.
    zmq_ctx_set(raw, Self.zeroCopyReceive, 0)
  }

  deinit { zmq_ctx_term(raw) }
}

// libzmq's contexts may be used from any thread (zmq_socket(3)), and the pointer never changes.
extension Context: @unchecked Sendable {}
