import CZeroMQ

/// What a libzmq call failed with.
public struct ZeroMQError: Error, Equatable, CustomStringConvertible {
  /// The system's or libzmq's number for it; 0 when there is none.
  public let code: Int32
  public let operation: String
  private let reason: String

  init(_ operation: String) { self.init(code: zmq_errno(), operation: operation) }

  public init(code: Int32, operation: String) {
    self.code = code
    self.operation = operation
    reason = String(cString: zmq_strerror(code))
  }

  /// A failure that no call reports.
  init(operation: String, reason: String) {
    code = 0
    self.operation = operation
    self.reason = reason
  }

  public var description: String { "\(operation): \(reason)" }
}

/// Holder of the I/O thread that all sockets of a process share.
public final class Context {
  let raw: UnsafeMutableRawPointer

  public init() throws(ZeroMQError) {
    guard let raw = zmq_ctx_new() else { throw ZeroMQError("zmq_ctx_new") }
    self.raw = raw
  }

  deinit { zmq_ctx_term(raw) }
}

// libzmq's contexts may be used from any thread (zmq_socket(3)), and the pointer never changes.
extension Context: @unchecked Sendable {}
