import ZeroMQ

/// ZeroMQ's authentication protocol (RFC 27), by which libzmq requests a verdict on each connection before it accepts
/// the connection.
enum ZAP {
  /// The endpoint within a context to which libzmq sends its requests.
  static let endpoint = "inproc://zeromq.zap.01"
  /// The domain in the requests of this pool's sockets.
  static let domain = "galley"
  private static let version = Array("1.0".utf8)

  /// The verdict on a request.
  enum Verdict: Equatable {
    /// A client that holds the secret of an allowed key.
    case allowed(CurveKey)
    /// A client that holds the secret of a key that is not allowed.
    case refused(CurveKey, address: String)
    /// A request that no socket of this pool sends.
    case notUnderstood
  }

  /// Returns the verdict on a request.
  ///
  /// - Parameters:
  ///   - request: The version, request id, domain, address, identity, mechanism and, for CURVE, the 32 bytes of a
  ///     public key. The client has proved that it holds the secret of that key.
  ///   - allowed: Returns whether a public key is allowed.
  static func verdict(on request: [[UInt8]], allowed: (CurveKey) -> Bool) -> Verdict {
    guard request.count == 7, request[0] == version, request[2] == Array(domain.utf8),
      request[5] == Array("CURVE".utf8), let key = CurveKey(bytes: request[6])
    else { return .notUnderstood }
    return allowed(key) ? .allowed(key) : .refused(key, address: address(request[3]))
  }

  /// Returns the text of an address. libzmq writes an IPv4 address as an IPv6 one, with the prefix `::ffff:`.
  private static func address(_ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    // Sockets of this machine have none.
    if text.isEmpty { return "a process of this machine" }
    return text.hasPrefix("::ffff:") ? String(text.dropFirst("::ffff:".count)) : text
  }

  /// Returns the reply to a request: version, request id, status code, status text, user id and metadata. The user id
  /// is the text of the public key.
  static func reply(to request: [[UInt8]], _ verdict: Verdict) -> [[UInt8]] {
    let (code, text, user) =
      switch verdict {
      case .allowed(let key): ("200", "OK", key.text)
      case .refused: ("400", "this key is not allowed", "")
      case .notUnderstood: ("500", "the request is not understood", "")
      }
    let id = request.count > 1 ? request[1] : []
    return [version, id, Array(code.utf8), Array(text.utf8), Array(user.utf8), []]
  }
}
