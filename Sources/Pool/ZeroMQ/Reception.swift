import CReception

/// The memory that the connections of a listening socket hold, for messages whose last part was not received and for messages
/// that were not received yet.
final class Reception {
  private let raw: OpaquePointer

  init(bytes: Int, parts: Int) throws(ZeroMQError) {
    guard let raw = galley_reception_create(UInt64(bytes), UInt32(parts)) else {
      throw ZeroMQError(operation: "cannot limit connections", reason: "memory is exhausted")
    }
    self.raw = raw
  }

  deinit { galley_reception_end(raw) }

  /// Observes the connections to an endpoint with a known port or path.
  func observe(_ endpoint: String) throws(ZeroMQError) {
    let address = endpoint.drop { $0 != ":" }.dropFirst(3)
    let isObserved: Bool
    if endpoint.hasPrefix("tcp://") {
      // libzmq refuses what is not a number.
      guard let port = address.split(separator: ":").last.flatMap({ UInt16($0) }) else { return }
      isObserved = galley_reception_observe_port(raw, port)
    } else if endpoint.hasPrefix("ipc://") {
      var path = Array(address.utf8)
      if path.first == UInt8(ascii: "@") { path[0] = 0 }
      isObserved = galley_reception_observe_path(raw, path, path.count)
    } else {
      return
    }
    guard isObserved else {
      throw ZeroMQError(operation: "cannot listen at \(endpoint)", reason: "its path is too long")
    }
  }

  /// The parts of a message were received and are no longer used.
  func noteReleased(_ message: (connection: Int32, bytes: Int, parts: Int)) {
    galley_reception_release(raw, message.connection, UInt64(message.bytes), UInt32(message.parts))
  }

  /// Closes the connections with the most bytes if all together stay at the limit though no message is waiting.
  func settle() { galley_reception_settle(raw) }

  /// Returns why connections were closed since the last call: clauses, which also name the other end if it is known.
  func takeReasons() -> [String] {
    var reasons: [String] = []
    var fault = galley_reception_fault()
    while galley_reception_take_fault(raw, &fault) { Self.reason(of: fault).map { reasons.append($0) } }
    return reasons
  }

  private static func reason(of fault: galley_reception_fault) -> String? {
    let reason: String
    switch fault.fault {
    case galley_fault_parts: reason = "it sent a message with too many parts"
    // It is too long, or only other types of sockets understand it.
    case galley_fault_command: reason = "it sent a malformed command"
    // It held the most memory when all connections together had reached their limit.
    case galley_fault_bytes: reason = "it sent \(fault.bytes >> 20) MiB of messages that have no end"
    case galley_fault_routing_id: reason = "it chose the routing ID of another connection"
    // No descriptor was left to count the bytes of another connection.
    case galley_fault_descriptor: reason = "the process has too many connections"
    default: return nil
    }
    // An address with a port, or a process of this machine; empty if it has gone before.
    let peer = withUnsafeBytes(of: fault.peer) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    return peer.isEmpty ? reason : "\(reason) (\(peer))"
  }

  /// The bytes that all connections hold.
  var bytes: Int { Int(clamping: galley_reception_bytes(raw)) }
}
