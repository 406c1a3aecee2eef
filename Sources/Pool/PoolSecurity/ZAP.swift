import ZeroMQ

/// ZeroMQ's authentication protocol (RFC 27): libzmq asks about each connection before it is one.
enum ZAP {
  /// Where libzmq asks, within its context.
  static let endpoint = "inproc://zeromq.zap.01"
  /// What this pool's sockets ask for.
  static let domain = "galley"
  private static let version = Array("1.0".utf8)

  enum Verdict: Equatable {
    case allowed(CurveKey)
    /// A client that holds the secret of a key that is not allowed.
    case refused(CurveKey, address: String)
    /// Something that no socket of this pool asks.
    case notUnderstood
  }

  /// - Parameter request: version, request id, domain, address, identity, mechanism and, for CURVE, the 32 bytes of a
  ///   public key, of which the client has proved to hold the secret.
  static func verdict(on request: [[UInt8]], allowed: Set<CurveKey>) -> Verdict {
    guard request.count == 7, request[0] == version, request[2] == Array(domain.utf8),
      request[5] == Array("CURVE".utf8), let key = CurveKey(bytes: request[6])
    else { return .notUnderstood }
    return allowed.contains(key) ? .allowed(key) : .refused(key, address: address(request[3]))
  }

  /// An IPv4 address comes dressed as an IPv6 one.
  private static func address(_ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    return text.hasPrefix("::ffff:") ? String(text.dropFirst("::ffff:".count)) : text
  }

  /// Version, request id, status code and text, user id, metadata. The user id is the public key's text.
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
