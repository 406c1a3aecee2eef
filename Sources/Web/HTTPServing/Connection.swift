import Glibc
import NIOCore
import NIOHTTP1

/// The handler of one connection: the loop around a `ConnectionCore`. It reports what happens to the core, and does what the
/// core wants.
final class Connection: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// The events of a channel that come from the server.
  enum ServerEvent {
    case stopping, ended
  }

  private let server: HTTPServer.Core
  private var core: ConnectionCore
  /// The exchange that was begun last; nil after the end of the connection.
  private var exchange: Exchange?
  private var events: EventSource?
  /// The handler's place in the pipeline; nil outside it, and after the end of the connection.
  private var context: ChannelHandlerContext?
  /// What has happened while effects were performed.
  private var pending = CircularBuffer<ConnectionEvent>()
  private var isHandling = false
  private var timer: (task: Scheduled<Void>, deadline: UInt64)?
  /// Whether the end of the connection is a reset, also when this process is killed.
  private var endsByReset = false

  init(_ server: HTTPServer.Core) {
    self.server = server
    core = ConnectionCore(server.limits)
  }

  // MARK: Events

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelActive(context: ChannelHandlerContext) {
    server.open(context.channel)
    handle(.opened)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    // A write that fails ends the connection while further effects are still to be performed: they must begin nothing.
    self.context = nil
    server.close(context.channel)
    exchange?.response.pending.close()
    exchange?.dropBody()
    exchange?.end()
    // Its response refers to this connection, so that each would keep the other in memory.
    exchange = nil
    events?.remove(context.channel)
    handle(.closed)
    timer?.task.cancel()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) { handle(.received(unwrapInboundIn(data))) }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .inputClosed? = event as? ChannelEvent { handle(.inputEnded) }
    switch event as? ServerEvent {
    case .stopping: handle(.stopping)
    case .ended: handle(.ended)
    case nil: break
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error {
    case HTTPParserError.headerOverflow: handle(.malformed(.longHead))
    // The client has ended its part of the connection, which the channel reports after the decoder.
    case HTTPParserError.invalidEOFState: handle(.malformed(.truncated))
    case is HTTPParserError, is ByteToMessageDecoderError: handle(.malformed(.badRequest))
    default: context.close(promise: nil)
    }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    handle(.writable(context.channel.isWritable))
    context.fireChannelWritabilityChanged()
  }

  func read(context: ChannelHandlerContext) { handle(.readWanted) }

  /// Reports an event to the core, and performs its effects. What happens meanwhile comes afterwards.
  private func handle(_ event: ConnectionEvent) {
    pending.append(event)
    guard !isHandling else { return }
    isHandling = true
    defer { isHandling = false }
    while let event = pending.popFirst() {
      for effect in core.handle(event, at: NIODeadline.now().uptimeNanoseconds) { perform(effect) }
    }
    setTimer()
  }

  /// Sets the timer. One that is set too early fires and is set again, which is cheaper than a new one for each event.
  private func setTimer() {
    guard let deadline = core.deadline, let context, timer.map({ $0.deadline > deadline }) ?? true else { return }
    timer?.task.cancel()
    let this = NIOLoopBound(self, eventLoop: context.eventLoop)
    let task = context.eventLoop.scheduleTask(deadline: .uptimeNanoseconds(deadline)) {
      this.value.timer = nil
      this.value.handle(.tick)
    }
    timer = (task, deadline)
  }

  // MARK: Effects

  private func perform(_ effect: ConnectionEffect) {
    guard let context else { return }
    switch effect {
    case .route(let number, let head): route(number, head, context)
    case .reject(let number, let problem):
      begin(number, nil, version: .http1_1, keepsConnection: false, isHead: false, context)
        .response.respond(problem.response)
    case .refuse(let problem): exchange?.response.respond(problem.response)
    case .collect(let bytes):
      guard let exchange, !exchange.append(bytes) else { return }
      refuseBody(of: exchange)
    case .pass(let bytes):
      guard let exchange, !exchange.pass(bytes) else { return }
      handle(.pipeFilled(exchange.number))
    case .completeBody: exchange?.completeBody()
    case .dropBody: exchange?.dropBody()
    case .write(let parts): write(parts, context)
    case .read: context.read()
    case .endOutput:
      setReset(false, context)
      context.close(mode: .output, promise: nil)
    case .close:
      setReset(false, context)
      context.close(promise: nil)
    case .abort:
      setReset(true, context)
      context.close(promise: nil)
    }
  }

  private func refuseBody(of exchange: Exchange) {
    exchange.dropBody()
    exchange.response.respond(Problem.busy.response)
    handle(.bodyRefused(exchange.number))
  }

  private func begin(
    _ number: Int, _ request: HTTPRequest?, version: HTTPVersion, keepsConnection: Bool, isHead: Bool,
    _ context: ChannelHandlerContext
  ) -> Exchange {
    let eventLoop = context.eventLoop
    let this = NIOLoopBound(self, eventLoop: eventLoop)
    let response = ResponseStream(
      number: number, version: version, keepsConnection: keepsConnection, isHead: isHead,
      headers: server.headers(of: request)
    ) { event in
      eventLoop.execute { this.value.handle(event) }
    }
    let exchange = Exchange(number, request, response, server)
    self.exchange = exchange
    return exchange
  }

  private func route(_ number: Int, _ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let request = HTTPRequest(head)
    let reply = request.map { request in
      server.refusal(of: request).map { .response($0.response) } ?? server.handle(request)
    }
    var keeps = keepsConnection(after: head, reply)
    let exchange = begin(
      number, request, version: head.version == .http1_0 ? .http1_0 : .http1_1, keepsConnection: keeps,
      isHead: head.method == .HEAD, context)
    var (body, hasEvents) = (ConnectionCore.Request.dropping(bytes: 0), false)
    switch reply {
    case nil: exchange.response.respond(Problem.badTarget.response)
    case .response(let content): exchange.response.respond(content)
    case .events(let source):
      hasEvents = true
      send(source, exchange, context)
    case .work(let work):
      body = prepare(work, exchange, context)
      if case .dropping = body {
        // A client that waits for the permission to send its body may not send it after this response.
        keeps = keeps && !head.expectsContinue
        exchange.response.respond(Problem.busy.response, keepsConnection: keeps)
      } else if head.expectsContinue {
        context.writeAndFlush(
          wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
      }
    }
    handle(.routed(number, body, hasEvents: hasEvents, keepsConnection: keeps))
  }

  private func keepsConnection(after head: HTTPRequestHead, _ reply: HTTPReply?) -> Bool {
    // The end of a response of HTTP/1.0 whose length is not known is that of the connection. After a request for another
    // protocol nothing more is understood.
    guard head.isKeepAlive, head.version != .http1_0, head.method != .CONNECT, !server.isStopping,
      !head.headers.contains(name: "upgrade")
    else { return false }
    if case .work = reply { return true }
    return !head.expectsContinue
  }

  private func prepare(
    _ work: @escaping Exchange.Work, _ exchange: Exchange, _ context: ChannelHandlerContext
  ) -> ConnectionCore.Request {
    if let request = exchange.request, !request.hasBody || (request.bodySize ?? .max) <= ServerLimits.collectedBytes {
      exchange.collect(work, context.channel.allocator)
      return .collecting
    }
    let this = NIOLoopBound((self, exchange), eventLoop: context.eventLoop)
    let isStreamed = exchange.stream(work) {
      try BodyPipe(
        context.eventLoop,
        onDrain: {
          let (connection, exchange) = this.value
          if exchange.hasRoom { connection.handle(.pipeDrained(exchange.number)) }
        }, onFailure: { this.value.0.handle(.aborted(this.value.1.number)) })
    }
    return isStreamed ? .streaming(bytes: 0, isFull: false) : .dropping(bytes: 0)
  }

  private func send(_ source: EventSource, _ exchange: Exchange, _ context: ChannelHandlerContext) {
    exchange.response.setHead(headers: [("content-type", "text/event-stream"), ("cache-control", "no-store")])
    exchange.response.sendHead()
    // Events go on until the client ends them, and are no request that is awaited.
    exchange.endCounting()
    events = source
    let channel = context.channel
    context.eventLoop.execute { if channel.isActive { source.add(channel) } }
  }

  private func write(_ parts: [HTTPServerResponsePart], _ context: ChannelHandlerContext) {
    guard let exchange, let last = parts.last else { return }
    if case .head(let head)? = parts.first {
      server.counts.beginResponse(status: Int(head.status.code))
      // The end of the connection is that of the response, and must not look like one before.
      if head.version == .http1_0, head.headers["content-length"].isEmpty { setReset(true, context) }
    }
    let sent = context.eventLoop.makePromise(of: Void.self)
    let this = NIOLoopBound((self, exchange), eventLoop: context.eventLoop)
    let bytes = ResponseStream.bytes(of: parts)
    let isLast = if case .end = last { true } else { false }
    sent.futureResult.whenComplete { result in
      let (connection, exchange) = this.value
      exchange.response.pending.add(-bytes)
      if isLast { exchange.end() }
      // A write fails where the connection ends, and the next request must not begin then.
      if case .success = result { connection.handle(.sent) }
    }
    for part in parts.dropLast() { context.write(wrapOutboundOut(part), promise: nil) }
    context.writeAndFlush(wrapOutboundOut(last), promise: sent)
  }

  private func setReset(_ isReset: Bool, _ context: ChannelHandlerContext) {
    guard isReset != endsByReset, let options = context.channel as? any SocketOptionProvider else { return }
    endsByReset = isReset
    _ = options.setSoLinger(linger(l_onoff: isReset ? 1 : 0, l_linger: 0))
  }
}

extension HTTPRequestHead {
  /// Whether the client waits for the permission to send the body. HTTP/1.0 does not know that.
  fileprivate var expectsContinue: Bool {
    version != .http1_0 && headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" }
  }
}
