import Glibc

/// Where a coordinator listens, and who can get there.
public enum Endpoint: Equatable, Sendable {
  /// The file system decides who gets there.
  case ipc(path: String)
  /// Everybody on this machine (`isLoopback`) or on the network gets there.
  case tcp(host: String, port: String)

  /// Nil when it is neither `ipc://PATH` nor `tcp://HOST:PORT`.
  public init?(_ text: String) {
    if text.hasPrefix("ipc://") {
      self = .ipc(path: String(text.dropFirst("ipc://".count)))
    } else if text.hasPrefix("tcp://"), let colon = text.lastIndex(of: ":") {
      let host = text[..<colon].dropFirst("tcp://".count)
      let port = text[text.index(after: colon)...]
      guard !host.isEmpty, port == "*" || UInt16(port) ?? 0 > 0 else { return nil }
      self = .tcp(host: String(host), port: String(port))
    } else {
      return nil
    }
  }

  /// Whether nobody gets there from another machine.
  public var isLocal: Bool {
    switch self {
    case .ipc: true
    case .tcp(let host, _): host == "localhost" || host == "[::1]" || Self.isIPv4Loopback(host)
    }
  }

  /// 127.0.0.0/8
  private static func isIPv4Loopback(_ host: String) -> Bool {
    var address = in_addr()
    return inet_pton(AF_INET, host, &address) == 1 && UInt32(bigEndian: address.s_addr) >> 24 == 127
  }
}
