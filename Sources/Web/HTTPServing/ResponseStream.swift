import NIOCore
import NIOHTTP1
import Synchronization

/// The response to a request, which a thread writes while it has parts of it. A function that writes waits while the
/// client is slow.
///
/// The head is sent with the first bytes. Until then another response can be sent.
public final class ResponseStream: Sendable {
  /// The number of bytes that are sent together.
  static let blockBytes = 128 << 10

  /// The connection has ended.
  public struct Closed: Error {}

  private struct State {
    var head: HTTPResponseHead
    var keepsConnection: Bool
    /// The fields that follow the body, or that precede it where the whole response is known before its head is sent.
    var trailerNames: [String] = []
    var hasBegun = false
    var isFinished = false
    var block = ByteBuffer()
    /// The bytes that were written after a request for the head alone, and are not sent.
    var omittedBytes = 0
  }

  /// The number of the exchange on its connection.
  private let number: Int
  /// Reports an event to the connection.
  private let report: @Sendable (ConnectionEvent) -> Void
  private let isHead: Bool
  /// The headers beside those of the response itself.
  private let headers: [(name: String, value: String)]
  private let version: HTTPVersion
  private let state: Mutex<State>
  /// The bytes that were written and that the connection has not sent yet.
  let pending = PendingBytes()

  init(
    number: Int, version: HTTPVersion, keepsConnection: Bool, isHead: Bool,
    headers: [(name: String, value: String)], _ report: @escaping @Sendable (ConnectionEvent) -> Void
  ) {
    self.number = number
    self.report = report
    self.version = version
    state = Mutex(State(head: HTTPResponseHead(version: version, status: .ok), keepsConnection: keepsConnection))
    self.isHead = isHead
    self.headers = headers
  }

  /// Whether the client has ended the connection.
  public var isClosed: Bool { pending.isClosed }

  /// Whether nothing more can be sent: the connection has ended, or the response is complete, such as a refusal of the body.
  public var isEnded: Bool { isClosed || state.withLock { $0.isFinished } }

  /// Sets the headers of a response with the status 200.
  ///
  /// - Parameter trailers: The names of the fields that `finish` states.
  public func setHead(headers: [(name: String, value: String)], trailers: [String] = []) {
    state.withLock { state in
      setHead(&state, 200, headers)
      state.trailerNames = trailers
    }
  }

  private func setHead(_ state: inout State, _ status: Int, _ headers: [(name: String, value: String)]) {
    state.trailerNames = []
    state.head = HTTPResponseHead(version: version, status: HTTPResponseStatus(statusCode: status))
    for header in headers { state.head.headers.add(name: header.name, value: header.value) }
  }

  /// Appends bytes to the response.
  ///
  /// - Throws: `Closed` after the end of the connection.
  public func write(_ buffers: [UnsafeRawBufferPointer]) throws(Closed) {
    for buffer in buffers {
      var rest = buffer[...]
      while !rest.isEmpty {
        let part = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.blockBytes))
        rest = rest.dropFirst(part.count)
        let isFull = state.withLock { state in
          // The first bytes may be all that there are; further ones come in blocks.
          if state.block.readableBytes > 0 { state.block.reserveCapacity(2 * Self.blockBytes) }
          state.block.writeBytes(part)
          return state.block.readableBytes >= Self.blockBytes
        }
        if isFull { try flush() }
      }
    }
  }

  /// Appends bytes to the response.
  public func write(_ bytes: [UInt8]) throws(Closed) {
    let result: Result<Void, Closed> = bytes.withUnsafeBytes { buffer in
      Result { () throws(Closed) in try write([buffer]) }
    }
    try result.get()
  }

  /// Sends what was written. Waits while too many bytes wait for the client.
  public func flush() throws(Closed) {
    guard !isClosed else { throw Closed() }
    let parts: [HTTPServerResponsePart]? = state.withLock { state in
      defer { state.block = ByteBuffer() }
      if state.isFinished { return nil }
      if isHead {
        state.omittedBytes += state.block.readableBytes
        return []
      }
      return begin(&state, isWhole: false) + body(state.block)
    }
    guard let parts else { throw Closed() }
    send(parts)
    pending.wait()
    guard !isClosed else { throw Closed() }
  }

  /// Completes the response. Waits for the client if others are slow, too.
  ///
  /// - Parameter trailers: Fields that follow the body. They are headers if the head was not yet sent, and are left out in
  ///   responses of HTTP/1.0, which have no place for them.
  public func finish(trailers: [(name: String, value: String)] = []) {
    send(state.withLock { end(&$0, trailers) })
    if PendingBytes.ofAll.load(ordering: .relaxed) > ServerLimits.pendingBytesOfAll { pending.wait() }
  }

  /// Sends a response that is complete, in place of what was written. After the head was sent, it resets the connection, by
  /// which the client knows that the response is not complete. After the end of the response it does nothing.
  public func respond(_ response: HTTPResponse) { respond(response, keepsConnection: true) }

  /// - Parameter keepsConnection: Whether the connection can be used after the response.
  func respond(_ response: HTTPResponse, keepsConnection: Bool) {
    let parts: [HTTPServerResponsePart]? = state.withLock { state in
      if state.isFinished { return [] }
      guard !state.hasBegun else { return nil }
      if !keepsConnection { state.keepsConnection = false }
      state.block = ByteBuffer(bytes: response.body)
      setHead(&state, response.status, response.headers)
      return end(&state)
    }
    if let parts { send(parts) } else { abort() }
  }

  /// Resets the connection, by which the client knows that the response is not complete.
  public func abort() {
    state.withLock { $0.isFinished = true }
    report(.aborted(number))
  }

  /// The work has ended. A response that it has not completed would never end.
  func endWork() {
    if state.withLock({ !$0.isFinished }) { abort() }
  }

  /// Begins a response whose parts others send.
  func sendHead() { send(state.withLock { begin(&$0, isWhole: false) }) }

  private func begin(_ state: inout State, isWhole: Bool) -> [HTTPServerResponsePart] {
    guard !state.hasBegun else { return [] }
    state.hasBegun = true
    for header in headers { state.head.headers.add(name: header.name, value: header.value) }
    if isWhole && state.head.status != .noContent {
      state.head.headers.replaceOrAdd(
        name: "content-length", value: "\(state.omittedBytes + state.block.readableBytes)")
    }
    if !isWhole && version != .http1_0 && !state.trailerNames.isEmpty {
      state.head.headers.add(name: "trailer", value: state.trailerNames.joined(separator: ", "))
    }
    if !state.keepsConnection { state.head.headers.replaceOrAdd(name: "connection", value: "close") }
    return [.head(state.head)]
  }

  private func end(_ state: inout State, _ trailers: [(name: String, value: String)] = []) -> [HTTPServerResponsePart] {
    guard !state.isFinished else { return [] }
    defer { state.block = ByteBuffer() }
    if !state.hasBegun { for field in trailers { state.head.headers.add(name: field.name, value: field.value) } }
    let hasTrailers = state.hasBegun && version != .http1_0 && !trailers.isEmpty
    let parts = begin(&state, isWhole: true) + body(state.block)
    state.isFinished = true
    return parts + [.end(hasTrailers ? HTTPHeaders(trailers.map { ($0.name, $0.value) }) : nil)]
  }

  private func body(_ block: ByteBuffer) -> [HTTPServerResponsePart] {
    block.readableBytes == 0 || isHead ? [] : [.body(.byteBuffer(block))]
  }

  private func send(_ parts: [HTTPServerResponsePart]) {
    guard !parts.isEmpty else { return }
    pending.add(Self.bytes(of: parts))
    report(.responded(number, parts))
  }

  /// Returns the number of bytes in the body of parts.
  static func bytes(of parts: [HTTPServerResponsePart]) -> Int {
    parts.reduce(0) { sum, part in
      if case .body(let data) = part { sum + data.readableBytes } else { sum }
    }
  }
}
