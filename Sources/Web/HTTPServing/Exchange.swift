import NIOCore
import NIOHTTP1

/// What one exchange of a request and a response holds on its connection.
final class Exchange {
  typealias Work = @Sendable (RequestBody, ResponseStream) -> Void

  private enum Body {
    case none
    case collected(Work, ByteBuffer)
    case piped(BodyPipe)
  }

  /// The room that a body has before it comes.
  private static let firstBytes = 64 << 10

  let number: Int
  let response: ResponseStream
  let request: HTTPRequest?
  private let server: HTTPServer.Core
  private let begin = NIODeadline.now()
  private var body = Body.none
  private var isCounted = true
  private var hasEnded = false

  init(_ number: Int, _ request: HTTPRequest?, _ response: ResponseStream, _ server: HTTPServer.Core) {
    (self.number, self.request, self.response, self.server) = (number, request, response, server)
    server.counts.beginRequest()
  }

  // MARK: Body

  /// Receives the body completely before the work on it begins.
  func collect(_ work: @escaping Work, _ allocator: ByteBufferAllocator) {
    body = .collected(work, allocator.buffer(capacity: min(request?.bodySize ?? 0, Self.firstBytes)))
  }

  /// Begins the work on a body that is still received. Returns false if there is no room for it.
  func stream(_ work: @escaping Work, _ pipe: () throws -> BodyPipe) -> Bool {
    guard server.reserve(isStream: true) else { return false }
    guard let pipe = try? pipe() else {
      server.release(isStream: true)
      return false
    }
    body = .piped(pipe)
    response.pending.setReceiving(true)
    server.perform(work, pipe.body, response, isStream: true)
    return true
  }

  /// Appends bytes to the body that is collected. Returns false if there is no room for them.
  func append(_ bytes: ByteBuffer) -> Bool {
    guard case .collected(let work, var collected) = body, server.collect(bytes.readableBytes) else { return false }
    body = .none
    collected.writeImmutableBuffer(bytes)
    body = .collected(work, collected)
    return true
  }

  /// Passes bytes on to the reader of the body. Returns whether there is room for more.
  func pass(_ bytes: ByteBuffer) -> Bool {
    guard case .piped(let pipe) = body else { return true }
    pipe.write(bytes)
    return pipe.isWritable
  }

  /// Whether there is room for more bytes of the body.
  var hasRoom: Bool { if case .piped(let pipe) = body { pipe.isWritable } else { true } }

  /// The body was received completely: begins the work on it, or lets its reader find the end.
  func completeBody() {
    defer { dropBody() }
    if case .piped(let pipe) = body { pipe.body.complete() }
    guard case .collected(let work, let bytes) = body else { return }
    guard server.reserve(isStream: false) else { return response.respond(Problem.busy.response) }
    do { server.perform(work, try .collected(bytes), response, isStream: false) } catch {
      server.release(isStream: false)
      response.respond(Problem.busy.response)
    }
  }

  /// Gives back what is reserved for the body.
  func dropBody() {
    switch body {
    case .none: break
    case .collected(_, let bytes): server.release(collected: bytes.readableBytes)
    case .piped(let pipe): pipe.end()
    }
    body = .none
    response.pending.setReceiving(false)
  }

  // MARK: End

  /// Stops counting the request as one whose response is awaited.
  func endCounting() {
    if isCounted { server.counts.endRequest() }
    isCounted = false
  }

  /// The response was sent, or the connection has ended.
  func end() {
    guard !hasEnded else { return }
    hasEnded = true
    endCounting()
    server.onEnd(request, UInt64((NIODeadline.now() - begin).nanoseconds))
  }
}
