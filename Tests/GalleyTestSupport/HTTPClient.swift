import Foundation
import Glibc

/// A connection on which a test sends exactly the bytes that it wants to.
public final class HTTPClient {
  public struct Failure: Error {
    public let operation: String
  }

  public struct Response {
    public var status = 0
    public var headers: [String: String] = [:]
    public var body: [UInt8] = []
    /// The fields after the body.
    public var trailers: [String: String] = [:]
    /// Whether the response is complete by its length or its last chunk.
    public var isComplete = false

    public var text: String { String(decoding: body, as: UTF8.self) }
  }

  private let descriptor: Int32
  private var received: [UInt8] = []
  /// Whether the server has reset the connection.
  public private(set) var wasReset = false

  public init(port: Int, receiveBuffer: Int32? = nil) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var size = receiveBuffer {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    try Self.connect(descriptor, port: port)
  }

  deinit { close(descriptor) }

  /// Connects a socket to a server on this machine.
  public static func connect(_ descriptor: Int32, port: Int) throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port).bigEndian)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Failure(operation: "connect") }
  }

  /// Sends bytes. Returns false if the server has ended the connection.
  @discardableResult
  public func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  @discardableResult
  public func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Sends a request with the header `Host`.
  public func request(_ method: String, _ target: String, headers: [String] = [], body: [UInt8]? = nil) {
    var head = "\(method) \(target) HTTP/1.1\r\nhost: 127.0.0.1\r\n"
    for header in headers { head += header + "\r\n" }
    if let body { head += "content-length: \(body.count)\r\n" }
    send(Array((head + "\r\n").utf8) + (body ?? []))
  }

  /// Sends a part of a body in chunks; an empty part is the end.
  public func sendChunk(_ text: String) { send(String(text.utf8.count, radix: 16) + "\r\n\(text)\r\n") }

  /// Receives more bytes. Returns false at the end of the connection.
  private func receive() -> Bool {
    var block = [UInt8](repeating: 0, count: 64 << 10)
    let count = recv(descriptor, &block, block.count, 0)
    guard count > 0 else {
      wasReset = count < 0 && errno == ECONNRESET
      return false
    }
    received += block[..<count]
    return true
  }

  /// Ends the client's part of the connection, which may still receive.
  public func endOutput() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Makes the end of the connection a reset.
  public func resetAtEnd() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  /// Whether the server ends the connection without further bytes.
  public var hasEnded: Bool { received.isEmpty && !receive() }

  private func line() throws -> String {
    while true {
      if let end = received.firstIndex(of: 0x0a) {
        let line = String(decoding: received[..<end], as: UTF8.self).trimmingCharacters(in: .whitespaces)
        received.removeSubrange(...end)
        return line.trimmingCharacters(in: .newlines)
      }
      guard receive() else { throw Failure(operation: "receive a line") }
    }
  }

  /// Receives a response, or a part of it up to `bytes` of its body.
  public func response(atLeast bytes: Int = .max, ofHead isHead: Bool = false) throws -> Response {
    var response = Response()
    response.status = Int(try line().split(separator: " ")[1]) ?? 0
    while case let line = try line(), !line.isEmpty {
      let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      response.headers[parts[0].lowercased()] = parts.count > 1 ? parts[1] : ""
    }
    if isHead || response.status == 100 || response.status == 204 {
      response.isComplete = true
    } else if let length = response.headers["content-length"].flatMap({ Int($0) }) {
      while received.count < length, receive() {}
      response.body = Array(received.prefix(length))
      received.removeFirst(response.body.count)
      response.isComplete = response.body.count == length
    } else if response.headers["transfer-encoding"] == "chunked" {
      try receiveChunks(&response, atLeast: bytes)
    } else {
      while receive() {}
      response.body = received
      received = []
    }
    return response
  }

  private func receiveChunks(_ response: inout Response, atLeast bytes: Int) throws {
    while response.body.count < bytes {
      guard let size = try? line(), let length = Int(size, radix: 16) else { return }
      if length == 0 {
        while let line = try? line() {
          if line.isEmpty {
            response.isComplete = true
            return
          }
          let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
          response.trailers[parts[0].lowercased()] = parts.count > 1 ? parts[1] : ""
        }
        return
      }
      while received.count < length + 2, receive() {}
      guard received.count >= length + 2 else { return }
      response.body += received.prefix(length)
      received.removeFirst(length + 2)
    }
  }

  /// Receives further chunks of a response of which a part was received.
  public func more(atLeast bytes: Int) throws -> Response {
    var response = Response()
    try receiveChunks(&response, atLeast: bytes)
    return response
  }
}
