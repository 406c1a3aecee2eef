import NIOCore
import NIOHTTP1

/// A connection without its channel, clock and threads: it receives events with their time and returns effects.
///
/// It has one exchange of a request and a response at a time. What was received of further requests waits until the
/// exchange has ended and its response was sent, and an event of an exchange that has ended has no effect.
struct ConnectionCore {
  private enum Input {
    case part(HTTPServerRequestPart)
    case malformed(Problem)
  }

  /// The number of parts of requests that may wait. A client that sends more in advance is disconnected.
  static let waitingParts = 1 << 16

  let limits: ServerLimits
  var state = State.idle
  private var waiting = CircularBuffer<Input>()
  /// The number of exchanges so far, which is that of the last one.
  private(set) var exchanges = 0
  private(set) var hasInputEnded = false
  private(set) var isWritable = true
  private var isReadWanted = false
  /// The number of writes that were not yet passed to the operating system.
  private(set) var unsentWrites = 0
  /// What the connection waits for since an earlier event, and the time at which it has to have come.
  var armed: (wait: Wait, deadline: UInt64)?
  /// The time at which the response to the last request has to be sent; nil if it may take any time.
  private(set) var responseDeadline: UInt64?
  /// The time of the event.
  private var now: UInt64 = 0
  private var effects: [ConnectionEffect] = []

  init(_ limits: ServerLimits) { self.limits = limits }

  /// Returns what is to be done about an event, in this order.
  mutating func handle(_ event: ConnectionEvent, at now: UInt64) -> [ConnectionEffect] {
    if case .closed = state { return [] }
    effects = []
    self.now = now
    let isProgress = note(event)
    proceed()
    arm(isProgress: isProgress, at: now)
    defer { effects = [] }
    return effects
  }

  /// Returns whether the event extends the deadline.
  private mutating func note(_ event: ConnectionEvent) -> Bool {
    switch event {
    case .opened: break
    case .received(let part):
      receive(.part(part))
      // A client that sends a body may read the response only afterwards.
      if case .body = part, case .open(let exchange) = state, case .streaming = exchange.request { return true }
    case .malformed(let problem): receive(.malformed(problem))
    case .inputEnded: hasInputEnded = true
    case .routed(let number, let request, let hasEvents, let keeps):
      change(number) { $0.route(request, hasEvents: hasEvents, keepsConnection: keeps) }
    case .bodyRefused(let number): change(number) { $0.request = .dropping(bytes: 0) }
    case .pipeFilled(let number): change(number) { $0.setFull(true) }
    case .pipeDrained(let number): change(number) { $0.setFull(false) }
    case .responded(let number, let parts): respond(number, parts)
    case .aborted(let number):
      if case .open(let exchange) = state, exchange.number == number, exchange.response != .ended { abort() }
    case .sent:
      unsentWrites -= 1
      return armed?.wait == .write
    case .writable(let isWritable): self.isWritable = isWritable
    case .readWanted: isReadWanted = true
    case .tick:
      if let deadline, deadline <= now { expire(at: now) }
    case .stopping:
      if case .open(let exchange) = state, case .collecting = exchange.request { breakOff(.stopped) }
    case .ended: give()
    case .closed: end()
    }
    return false
  }

  private mutating func receive(_ input: Input) {
    guard waiting.count < Self.waitingParts else { return abort() }
    waiting.append(input)
  }

  private mutating func change(_ number: Int, _ body: (inout Exchange) -> Void) {
    guard case .open(var exchange) = state, exchange.number == number else { return }
    body(&exchange)
    state = .open(exchange)
  }

  // MARK: Requests

  /// Takes what was received as far as possible.
  private mutating func proceed() {
    while let next = next() {
      switch next {
      case .input(let input): take(input)
      case .end: endExchange()
      case .truncated: breakOff(.truncated)
      }
    }
    if case .closing = state, unsentWrites == 0 { endOutput() }
    if case .draining = state, hasInputEnded { close() }
    if isReadWanted && mayRead {
      isReadWanted = false
      effects.append(.read)
    }
  }

  private enum Next {
    case input(Input)
    /// The exchange is over.
    case end
    /// The client has ended its part of the connection within a request.
    case truncated
  }

  private mutating func next() -> Next? {
    switch state {
    case .idle:
      // Without this, the responses to a client that sends requests and reads nothing would fill the memory.
      guard unsentWrites == 0 else { return nil }
      if let input = waiting.popFirst() { return .input(input) }
      // All requests have their responses.
      if hasInputEnded { state = .closing }
      return nil
    case .open(let exchange):
      if exchange.isOver { return .end }
      switch exchange.request {
      case .routing: return nil
      case .complete:
        if hasInputEnded && exchange.hasEvents { close() }
        return nil
      case .collecting, .streaming, .dropping:
        return waiting.popFirst().map { .input($0) } ?? (hasInputEnded ? .truncated : nil)
      }
    case .closing, .draining, .closed:
      waiting.removeAll()
      return nil
    }
  }

  private mutating func take(_ input: Input) {
    switch (input, state) {
    case (.part(.head(let head)), .idle): begin(.route(exchanges + 1, head), .routing)
    case (.malformed(let problem), .idle): begin(.reject(exchanges + 1, problem), .complete)
    case (.malformed(let problem), .open): breakOff(problem)
    case (.part(.body(let bytes)), .open(let exchange)): take(bytes, exchange)
    case (.part(.end), .open(var exchange)):
      switch exchange.request {
      case .collecting, .streaming: effects.append(.completeBody)
      case .routing, .dropping, .complete: break
      }
      exchange.request = .complete
      state = .open(exchange)
    default: assertionFailure("the parts of a request are out of order")
    }
  }

  private mutating func begin(_ effect: ConnectionEffect, _ request: Request) {
    exchanges += 1
    responseDeadline = limits.responseMilliseconds.map { now + UInt64($0) * 1_000_000 }
    var exchange = Exchange(number: exchanges)
    exchange.request = request
    state = .open(exchange)
    effects.append(effect)
  }

  private mutating func take(_ bytes: ByteBuffer, _ exchange: Exchange) {
    switch exchange.request {
    case .collecting: effects.append(.collect(bytes))
    case .streaming(let received, let isFull):
      let received = received + bytes.readableBytes
      guard received <= limits.bodyBytes else { return refuse(.tooLarge(limits.bodyBytes)) }
      change(exchange.number) { $0.request = .streaming(bytes: received, isFull: isFull) }
      effects.append(.pass(bytes))
    case .dropping(let dropped):
      let dropped = dropped + bytes.readableBytes
      change(exchange.number) { $0.request = .dropping(bytes: dropped) }
      if dropped > ServerLimits.droppedBytes { give() }
    case .routing, .complete: break
    }
  }

  /// Responds with a problem of the request, the rest of which is dropped.
  mutating func refuse(_ problem: Problem) {
    guard case .open(var exchange) = state else { return }
    if exchange.response != .ended { effects.append(.refuse(problem)) }
    effects.append(.dropBody)
    exchange.request = .dropping(bytes: 0)
    state = .open(exchange)
  }

  /// Ends a request of which nothing more can be received.
  private mutating func breakOff(_ problem: Problem) {
    if case .open(let exchange) = state, case .dropping = exchange.request {} else { refuse(problem) }
    guard case .open(var exchange) = state else { return }
    (exchange.request, exchange.keepsConnection) = (.complete, false)
    state = .open(exchange)
  }

  // MARK: Responses

  private mutating func respond(_ number: Int, _ parts: [HTTPServerResponsePart]) {
    guard case .open(var exchange) = state, exchange.number == number, exchange.response != .ended else { return }
    exchange.response = .begun
    if case .end = parts.last {
      exchange.response = .ended
      switch exchange.request {
      case .collecting, .streaming:
        effects.append(.dropBody)
        exchange.request = .dropping(bytes: 0)
      case .routing, .dropping, .complete: break
      }
    }
    state = .open(exchange)
    unsentWrites += 1
    effects.append(.write(parts))
  }

  private mutating func endExchange() {
    guard case .open(let exchange) = state else { return }
    state = exchange.keepsConnection ? .idle : .closing
  }

  // MARK: End

  private mutating func endOutput() {
    state = .draining
    if !hasInputEnded { effects.append(.endOutput) }
  }

  private mutating func close() {
    effects.append(.close)
    end()
  }

  private mutating func abort() {
    effects.append(.abort)
    end()
  }

  private mutating func end() {
    state = .closed
    responseDeadline = nil
    waiting.removeAll()
  }

  /// Ends the connection before its time.
  mutating func give() {
    switch state {
    case .open(let exchange) where exchange.response == .begun: abort()
    default: if unsentWrites > 0 { abort() } else { close() }
    }
  }
}
