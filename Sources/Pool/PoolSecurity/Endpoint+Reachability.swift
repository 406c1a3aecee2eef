import Glibc

extension Endpoint {
  /// The reason why nothing can be reached at an endpoint.
  public struct Obstacle: Equatable, Sendable {
    /// The reason, as a phrase.
    public let reason: String
    /// Whether the reason ends when a coordinator is started at the endpoint.
    public let isTemporary: Bool
  }

  /// The time in milliseconds for a TCP connection. A machine that does not reply in this time may be slow.
  private static let connectTimeout: Int32 = 500

  /// Returns the reason why nothing can be reached at the endpoint, as far as the system knows one at once; nil if
  /// something listens there or may do so.
  ///
  /// libzmq does not report why it cannot connect, and tries again without end.
  public func obstacle() -> Obstacle? {
    switch self {
    case .ipc(let path): Self.obstacle(ofSocket: path)
    case .abstract: nil
    case .tcp(let host, let port): Self.obstacle(ofHost: host, port)
    }
  }

  private static func obstacle(ofSocket path: String) -> Obstacle? {
    var address = sockaddr_un()
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(AF_UNIX, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    switch code {
    // EAGAIN: the queue of connections is full for a moment.
    case 0, EAGAIN, EINPROGRESS: return nil
    case ENOENT: return Obstacle(reason: "there is no such socket", isTemporary: true)
    case ECONNREFUSED: return Obstacle(reason: "no process listens at the socket", isTemporary: true)
    default: return Obstacle(reason: String(cString: strerror(code)), isTemporary: false)
    }
  }

  private static func obstacle(ofHost host: String, _ port: String) -> Obstacle? {
    // libzmq has further forms of addresses.
    guard !host.contains(";") else { return nil }
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    let failure = getaddrinfo(name, port, &hints, &found)
    guard failure == 0 else {
      return Obstacle(reason: "\(name) is not known: \(String(cString: gai_strerror(failure)))", isTemporary: true)
    }
    defer { freeaddrinfo(found) }
    var reason: Int32 = 0
    var next = found
    while let address = next?.pointee {
      reason = connect(address.ai_family, address.ai_addr, address.ai_addrlen)
      if reason == 0 || reason == EINPROGRESS { return nil }
      next = address.ai_next
    }
    return Obstacle(reason: String(cString: strerror(reason)), isTemporary: true)
  }

  /// Connects to an address and disconnects. Returns 0 or an error number; EINPROGRESS after the timeout.
  private static func connect(_ family: Int32, _ address: UnsafePointer<sockaddr>?, _ size: socklen_t) -> Int32 {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(family, kind, 0)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    if Glibc.connect(descriptor, address, size) == 0 { return 0 }
    guard errno == EINPROGRESS else { return errno }
    var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard poll(&state, 1, connectTimeout) > 0 else { return EINPROGRESS }
    var (code, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 ? code : errno
  }
}
