import Glibc

/// A connection that sends bytes as ZMTP 3 without libzmq (rfc.zeromq.org/spec/23), so that it can send what libzmq does not.
public final class RawPeer: Sendable {
  private static let greeting: [UInt8] =
    [0xff] + [UInt8](repeating: 0, count: 8) + [0x7f, 3, 0] + Array("NULL".utf8) + [UInt8](repeating: 0, count: 48)
  private static let ready: [UInt8] =
    [4, 28, 5] + Array("READY".utf8) + [11] + Array("Socket-Type".utf8) + [0, 0, 0, 6] + Array("DEALER".utf8)

  private let descriptor: Int32

  /// Connects to a port of this machine, or to the path of a socket: `tcp://…:PORT` or `ipc://PATH`. Sends nothing yet.
  public init(connectedTo endpoint: String) {
    if endpoint.hasPrefix("ipc://") {
      descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: endpoint.dropFirst(6).utf8) }
      Self.connect(descriptor, address)
    } else {
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = (endpoint.split(separator: ":").last.flatMap { UInt16($0) } ?? 0).bigEndian
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      Self.connect(descriptor, address)
    }
  }

  /// Connects, and shakes hands as a peer without keys does.
  public convenience init(_ endpoint: String) {
    self.init(connectedTo: endpoint)
    send(Self.greeting + Self.ready)
    // libzmq refuses messages that come before it has sent its own greeting of 64 bytes and its READY.
    guard receive(Self.greeting.count) != nil, let header = receive(2) else { return }
    _ = receive(Int(header[1]))
  }

  deinit { close(descriptor) }

  private static func connect(_ descriptor: Int32, _ address: some Any) {
    withUnsafePointer(to: address) { pointer in
      _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout.size(ofValue: address)))
      }
    }
  }

  /// Returns a part of a message as bytes.
  public static func part(_ size: Int, isLast: Bool) -> [UInt8] {
    let body = [UInt8](repeating: 1, count: size)
    guard size > 255 else { return [isLast ? 0 : 1, UInt8(size)] + body }
    return [isLast ? 2 : 3] + withUnsafeBytes(of: UInt64(size).bigEndian) { Array($0) } + body
  }

  /// Sends bytes. Returns false when the other side has ended the connection.
  @discardableResult
  public func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  private func receive(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return recv(descriptor, &bytes, count, Int32(MSG_WAITALL)) == count ? bytes : nil
  }

  /// Whether the other side ends the connection within ten seconds.
  public var isEnded: Bool {
    var bytes = [UInt8](repeating: 0, count: 1024)
    for _ in 0..<1000 {
      let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      if count == 0 || (count < 0 && errno != EAGAIN) { return true }
      usleep(10_000)
    }
    return false
  }
}
