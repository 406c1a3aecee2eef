import CZeroMQ

/// What a libzmq call failed with.
public struct ZeroMQError: Error, Equatable, CustomStringConvertible {
  public let code: Int32
  public let operation: String

  init(_ operation: String) {
    code = zmq_errno()
    self.operation = operation
  }

  public init(code: Int32, operation: String) {
    self.code = code
    self.operation = operation
  }

  public var description: String { "\(operation): \(String(cString: zmq_strerror(code)))" }
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
