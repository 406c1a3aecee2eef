import GalleyTestSupport
import Glibc
import SeededRandom

/// A client that sends bytes in random pieces while it receives, and takes the responses apart afterwards.
final class RawClient {
  struct Response: CustomStringConvertible {
    var status = 0
    var body: [UInt8] = []
    /// Whether the response is complete by its length, its last chunk, or the end of the connection.
    var isWhole = false

    var description: String { "status \(status), \(body.count) bytes, \(isWhole ? "whole" : "not whole")" }
  }

  private static let seconds = 20

  private let descriptor: Int32
  var random: SplitMix
  private var received: [UInt8] = []
  private var block = [UInt8](repeating: 0, count: 256 << 10)
  private var hasEnded = false
  private(set) var wasReset = false
  private(set) var isLate = false

  init(port: Int, seed: UInt64) throws {
    random = SplitMix(seed: seed &+ 1000)
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    try HTTPClient.connect(descriptor, port: port)
    var one: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  deinit { close(descriptor) }

  /// Sends the first bytes, and does not wait for room.
  func send(_ bytes: [UInt8], upTo end: Int) {
    var rest = bytes[..<end]
    while !rest.isEmpty, case let count = sendPiece(rest), count > 0 { rest = rest.dropFirst(count) }
  }

  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  private func sendPiece(_ rest: ArraySlice<UInt8>) -> Int {
    let isSmall = rest.count < 4000 && Bool.random(using: &random)
    let piece = rest.prefix(Int.random(in: 1...(isSmall ? 20 : 200_000), using: &random))
    return piece.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }

  /// Sends bytes and receives responses until the end of the connection, or as many responses as `until` returns.
  func exchange(_ bytes: [UInt8], endsOutput: Bool, until: () -> Int?, heads: [Bool]) -> [Response] {
    var rest = bytes[...]
    let deadline = time(nil) + Self.seconds
    while !hasEnded {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN | (rest.isEmpty ? 0 : POLLOUT)), revents: 0)
      let isQuiet = poll(&waiting, 1, 5) == 0
      if !rest.isEmpty, waiting.revents & Int16(POLLOUT) != 0 {
        let count = sendPiece(rest)
        // The server may have ended the connection; what it sent before is still received.
        rest = count < 0 && errno != EAGAIN ? [] : rest.dropFirst(max(0, count))
        if rest.isEmpty && endsOutput { shutdown(descriptor, Int32(SHUT_WR)) }
      }
      if waiting.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 { receive() }
      if isQuiet, rest.isEmpty, let count = until() {
        let responses = responses(heads)
        if responses.count == count, responses.last?.isWhole ?? true { return responses }
      }
      if time(nil) > deadline {
        isLate = true
        break
      }
    }
    return responses(heads)
  }

  private func receive() {
    let count = recv(descriptor, &block, Int.random(in: 1...block.count, using: &random), 0)
    if count > 0 { return received += block[..<count] }
    if count < 0 && errno == EAGAIN { return }
    (hasEnded, wasReset) = (true, count < 0)
  }

  // MARK: Responses

  private func responses(_ heads: [Bool]) -> [Response] {
    var responses: [Response] = []
    var rest = received[...]
    while !rest.isEmpty {
      let isHead = responses.count < heads.count && heads[responses.count]
      let response = response(&rest, isHead: isHead)
      if response.status != 100 { responses.append(response) }
      if !response.isWhole { break }
    }
    return responses
  }

  private static func line(_ rest: inout ArraySlice<UInt8>) -> String? {
    guard let end = rest.firstIndex(of: 0x0a) else { return nil }
    let line = String(decoding: rest[..<end].dropLast(), as: UTF8.self)
    rest = rest[(end + 1)...]
    return line
  }

  private func response(_ rest: inout ArraySlice<UInt8>, isHead: Bool) -> Response {
    var response = Response()
    var fields: [Substring: Substring] = [:]
    var lines = 0
    while true {
      guard let line = Self.line(&rest) else {
        rest = []
        return response
      }
      lines += 1
      if lines == 1 { response.status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0 }
      if line.isEmpty { break }
      let parts = line.split(separator: ":", maxSplits: 1)
      fields[parts[0]] = parts.count > 1 ? parts[1].drop { $0 == " " } : ""
    }
    if isHead || response.status == 100 {
      response.isWhole = true
    } else if let length = fields["content-length"].flatMap({ Int($0) }) {
      response.body = Array(rest.prefix(length))
      rest = rest.dropFirst(length)
      response.isWhole = response.body.count == length
    } else if fields["transfer-encoding"] == "chunked" {
      takeChunks(&rest, &response)
    } else {
      response.body = Array(rest)
      rest = []
      response.isWhole = hasEnded && !wasReset
    }
    return response
  }

  private func takeChunks(_ rest: inout ArraySlice<UInt8>, _ response: inout Response) {
    while let line = Self.line(&rest), let length = Int(line, radix: 16) {
      guard rest.count >= length + 2 else { break }
      response.body += rest.prefix(length)
      rest = rest.dropFirst(length + 2)
      if length == 0 {
        response.isWhole = true
        return
      }
    }
    rest = []
  }
}
