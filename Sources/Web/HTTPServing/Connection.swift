import NIOCore
import NIOHTTP1

/// The handler of one connection: it receives requests and has them answered, one after the other.
final class Connection: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private enum State {
    /// No request is under way.
    case idle
    /// A short body is received completely before the work on it begins.
    case collecting(Work, ByteBuffer, ResponseStream)
    /// A body is passed on while it comes.
    case streaming(BodyPipe, received: Int, ResponseStream)
    /// The request is complete, and the response is written.
    case responding(ResponseStream?)
    /// The response does not need the rest of the body, which is dropped.
    case dropping(bytes: Int, hasResponded: Bool, ResponseStream?)
    /// The last response was sent, and the client has to end the connection.
    case closing
  }

  /// The room that a body has before it comes.
  private static let firstBytes = 64 << 10

  private typealias Work = @Sendable (RequestBody, ResponseStream) -> Void

  private let server: HTTPServer.Core
  private var state = State.idle
  private var events: EventSource?
  /// The number of requests whose responses were not sent completely.
  private var openRequests = 0
  /// Whether the connection goes on after the response.
  private var keepsConnection = true
  /// Whether the event loop wants to read while there is no room for what it would read.
  private var isReadPending = false
  /// The time at which the connection ends if nothing happens.
  private var deadline = NIODeadline.distantFuture
  private var timer: (task: Scheduled<Void>, deadline: NIODeadline)?

  init(_ server: HTTPServer.Core) { self.server = server }

  // MARK: Life

  func channelActive(context: ChannelHandlerContext) {
    server.counts.openConnection()
    expect(within: server.limits.headMilliseconds, context)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    server.counts.closeConnection()
    while openRequests > 0 { endRequest() }
    switch state {
    case .idle, .closing: break
    case .collecting(_, _, let response), .streaming(_, _, let response): response.close()
    case .responding(let response), .dropping(_, _, let response): response?.close()
    }
    endReceiving()
    events?.remove(context.channel)
    (state, deadline) = (.idle, .distantFuture)
    timer?.task.cancel()
    context.fireChannelInactive()
  }

  private func endRequest() {
    guard openRequests > 0 else { return }
    openRequests -= 1
    server.counts.endRequest()
  }

  /// Gives back what is reserved for a body that is not received any further.
  private func endReceiving() {
    switch state {
    case .idle, .responding, .dropping, .closing: break
    case .collecting(_, let bytes, _): server.release(collected: bytes.readableBytes)
    case .streaming(let pipe, _, _): pipe.end()
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  // MARK: Time

  /// Ends the connection if the time passes before the next call.
  private func expect(within milliseconds: Int64, _ context: ChannelHandlerContext) {
    deadline = .now() + .milliseconds(milliseconds)
    // A timer that comes too early is set again, which is cheaper than a new timer for each part of a message.
    if let timer, timer.deadline <= deadline { return }
    timer?.task.cancel()
    setTimer(context)
  }

  private func setTimer(_ context: ChannelHandlerContext) {
    let this = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let task = context.eventLoop.scheduleTask(deadline: deadline) {
      let (connection, context) = this.value
      connection.timer = nil
      guard connection.deadline != .distantFuture else { return }
      if connection.deadline <= .now() { connection.endTimely(context) } else { connection.setTimer(context) }
    }
    timer = (task, deadline)
  }

  private func endTimely(_ context: ChannelHandlerContext) {
    let response: ResponseStream
    switch state {
    case .collecting(_, _, let waiting): response = waiting
    // A client that takes nothing would not take this response.
    case .streaming(_, _, let waiting) where context.channel.isWritable: response = waiting
    default: return context.close(promise: nil)
    }
    response.respond(Problem(408, "Request timeout", "The body did not come in time.").response)
    drop(response, context)
  }

  // MARK: Requests

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .closing = state { return }
    switch unwrapInboundIn(data) {
    case .head(let head): begin(head, context)
    case .body(let bytes): receive(bytes, context)
    case .end: endBody(context)
    }
  }

  private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    // The end of a response of HTTP/1.0 whose length is not known is that of the connection.
    keepsConnection = head.isKeepAlive && head.version != .http1_0 && !server.isStopping
    server.counts.beginRequest()
    openRequests += 1
    let response = ResponseStream(
      context.channel, version: head.version == .http1_0 ? .http1_0 : .http1_1, keepsConnection: keepsConnection,
      isHead: head.method == .HEAD)
    deadline = .distantFuture
    guard let request = HTTPRequest(head) else {
      let problem = Problem(400, "Bad target", "The target of the request is no path with a query.")
      return respond(problem.response, response, context)
    }
    if let problem = server.refusal(of: request) { return respond(problem.response, response, context) }
    switch server.handle(request) {
    case .response(let content): respond(content, response, context)
    case .events(let source): send(source, response, context)
    case .work(let work):
      if head.headers[canonicalForm: "expect"].contains(where: { $0.lowercased() == "100-continue" }) {
        context.writeAndFlush(
          wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
      }
      if !request.hasBody || (request.bodySize ?? .max) <= ServerLimits.collectedBytes {
        let bytes = context.channel.allocator.buffer(capacity: min(request.bodySize ?? 0, Self.firstBytes))
        state = .collecting(work, bytes, response)
        expect(within: server.limits.headMilliseconds, context)
      } else {
        stream(work, response, context)
      }
    }
  }

  /// Sends a response that does not need the body.
  private func respond(_ content: HTTPResponse, _ response: ResponseStream, _ context: ChannelHandlerContext) {
    response.respond(content)
    drop(response, context)
  }

  private func drop(_ response: ResponseStream?, hasResponded: Bool = false, _ context: ChannelHandlerContext) {
    endReceiving()
    state = .dropping(bytes: 0, hasResponded: hasResponded, response)
    expect(within: server.limits.droppedMilliseconds, context)
  }

  private func send(_ source: EventSource, _ response: ResponseStream, _ context: ChannelHandlerContext) {
    state = .dropping(bytes: 0, hasResponded: false, response)
    response.setHead(headers: [("content-type", "text/event-stream"), ("cache-control", "no-store")])
    response.sendHead()
    // Events go on until the client ends them, and are no request that is awaited.
    endRequest()
    events = source
    let channel = context.channel
    context.eventLoop.execute { if channel.isActive { source.add(channel) } }
  }

  private func stream(_ work: @escaping Work, _ response: ResponseStream, _ context: ChannelHandlerContext) {
    guard server.reserveStream() else { return respond(server.busy.response, response, context) }
    let this = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    do {
      let pipe = try BodyPipe(
        context.eventLoop,
        onDrain: {
          let (connection, context) = this.value
          connection.readIfWanted(context)
        }, onFailure: { this.value.1.close(promise: nil) })
      state = .streaming(pipe, received: 0, response)
      expect(within: server.limits.idleMilliseconds, context)
      server.performStream(work, RequestBody(descriptor: pipe.descriptor, isComplete: false), response)
    } catch {
      server.releaseStream()
      respond(server.busy.response, response, context)
    }
  }

  private func receive(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
    switch state {
    case .idle, .responding, .closing: break
    case .collecting(let work, var collected, let response):
      guard server.collect(bytes.readableBytes) else { return respond(server.busy.response, response, context) }
      state = .idle
      collected.writeImmutableBuffer(bytes)
      state = .collecting(work, collected, response)
    case .streaming(let pipe, let received, let response):
      let received = received + bytes.readableBytes
      guard received <= server.limits.bodyBytes else {
        response.respond(server.tooLarge.response)
        return drop(response, context)
      }
      state = .streaming(pipe, received: received, response)
      pipe.write(bytes)
      expect(within: server.limits.idleMilliseconds, context)
    case .dropping(let dropped, let hasResponded, let response):
      let dropped = dropped + bytes.readableBytes
      guard dropped <= ServerLimits.droppedBytes else { return context.close(promise: nil) }
      state = .dropping(bytes: dropped, hasResponded: hasResponded, response)
    }
  }

  private func endBody(_ context: ChannelHandlerContext) {
    deadline = .distantFuture
    switch state {
    case .idle, .responding, .closing: break
    case .collecting(let work, let bytes, let response):
      defer { server.release(collected: bytes.readableBytes) }
      state = .responding(response)
      guard server.reserve() else { return response.respond(server.busy.response) }
      do { server.perform(work, try .collected(bytes), response) } catch {
        server.release()
        response.respond(server.busy.response)
      }
    case .streaming(let pipe, _, let response):
      pipe.end()
      state = .responding(response)
    case .dropping(_, false, let response): state = .responding(response)
    case .dropping(_, true, _): beginNext(context)
    }
  }

  // MARK: Responses

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let part = unwrapOutboundIn(data)
    if case .head(let head) = part { server.counts.beginResponse(status: Int(head.status.code)) }
    let sent = promise ?? context.eventLoop.makePromise()
    let this = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    sent.futureResult.whenSuccess { this.value.0.expectWriting(this.value.1) }
    context.write(data, promise: sent)
    guard case .end = part else { return expectWriting(context) }
    sent.futureResult.whenSuccess { this.value.0.noteEndSent(this.value.1) }
    endResponse(context)
  }

  /// Ends the connection if the client takes nothing more of what was written, before the next call.
  private func expectWriting(_ context: ChannelHandlerContext) {
    switch state {
    case .collecting, .dropping: break
    case .idle: expect(within: server.limits.idleMilliseconds, context)
    case .closing: expect(within: server.limits.writeMilliseconds, context)
    case .responding:
      if context.channel.isWritable {
        deadline = .distantFuture
      } else {
        expect(within: server.limits.writeMilliseconds, context)
      }
    case .streaming:
      if !context.channel.isWritable { expect(within: server.limits.writeMilliseconds, context) }
    }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    expectWriting(context)
    context.fireChannelWritabilityChanged()
  }

  private func endResponse(_ context: ChannelHandlerContext) {
    switch state {
    case .idle, .dropping(_, true, _), .closing: break
    case .responding: beginNext(context)
    case .collecting, .streaming: drop(nil, hasResponded: true, context)
    case .dropping(let bytes, false, _): state = .dropping(bytes: bytes, hasResponded: true, nil)
    }
  }

  private func beginNext(_ context: ChannelHandlerContext) {
    state = keepsConnection ? .idle : .closing
    expectWriting(context)
  }

  /// The whole response was sent.
  private func noteEndSent(_ context: ChannelHandlerContext) {
    endRequest()
    guard case .closing = state else { return }
    context.close(mode: .output, promise: nil)
    expect(within: server.limits.droppedMilliseconds, context)
  }

  // MARK: Reading

  func read(context: ChannelHandlerContext) {
    if case .streaming(let pipe, _, _) = state, !pipe.isWritable {
      isReadPending = true
      // The pool may be busy for any time, but not wait for the client.
      if context.channel.isWritable { deadline = .distantFuture }
    } else {
      context.read()
    }
  }

  private func readIfWanted(_ context: ChannelHandlerContext) {
    guard isReadPending else { return }
    isReadPending = false
    if case .streaming = state { expect(within: server.limits.idleMilliseconds, context) }
    context.read()
  }
}
