import Glibc

/// An endpoint at which a coordinator listens, which determines who can connect to it.
public enum Endpoint: Equatable, Sendable {
  /// A socket in the file system, whose permissions determine who can connect.
  case ipc(path: String)
  /// A socket in Linux's abstract namespace, which has no permissions: every user of this machine can connect to it.
  case abstract(name: String)
  /// A TCP port, to which every user of this machine (`isLocal`) or of the network can connect.
  case tcp(host: String, port: String)

  /// Creates an endpoint from its text. Returns nil when the text is neither `ipc://PATH`, `ipc://@NAME` nor
  /// `tcp://HOST:PORT`.
  public init?(_ text: String) {
    if text == "ipc://" || text == "ipc://@" {
      return nil
    } else if text.hasPrefix("ipc://@") {
      self = .abstract(name: String(text.dropFirst("ipc://@".count)))
    } else if text.hasPrefix("ipc://") {
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

  /// Whether keys apply to the endpoint of a text: to all but those whose file permissions, or whose process, determine
  /// who can connect. Texts that only libzmq can recognize as endpoints have a result too.
  public static func usesKeys(_ text: String) -> Bool { text.hasPrefix("tcp://") || text.hasPrefix("ipc://@") }

  /// Whether no other machine can connect to the endpoint.
  public var isLocal: Bool {
    switch self {
    case .ipc, .abstract: true
    case .tcp(let host, _): host == "localhost" || host == "[::1]" || Self.isIPv4Loopback(host)
    }
  }

  /// Returns whether a host is an address in 127.0.0.0/8.
  private static func isIPv4Loopback(_ host: String) -> Bool {
    var address = in_addr()
    return inet_pton(AF_INET, host, &address) == 1 && UInt32(bigEndian: address.s_addr) >> 24 == 127
  }
}
