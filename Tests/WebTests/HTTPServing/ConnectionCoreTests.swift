import NIOCore
import NIOHTTP1
import SeededRandom
import Testing

@testable import HTTPServing

/// Tests of the state machine of a connection with random events, those of ended exchanges among them.
@Suite struct ConnectionCoreTests {
  /// A connection whose requests and responses are numbered, so that it is seen what belongs to what.
  private struct Connection {
    var core = ConnectionCore(ServerLimits())
    var random: SplitMix
    /// The parts that are still to be received. The body of each request is its number.
    var input: [HTTPServerRequestPart] = []
    var requests = 0
    /// The requests that were received completely, in order.
    var bodies: [String] = []
    var routed: [Int] = []
    /// What was received of the body of the last exchange.
    var body = ""
    var completed: [Int] = []
    var isResponseOpen = false
    var responses: [Int] = []
    var isWaiting = false
    var unsent = 0
    var end: String?
    /// The parts of the last response that are still to be made.
    var output: [HTTPServerResponsePart] = []
    var now: UInt64 = 0

    init(seed: UInt64) { random = SplitMix(seed: seed) }

    /// Returns a connection that has received a request.
    static func withRequest(responseMilliseconds: Int64? = nil) -> Connection {
      var limits = ServerLimits()
      limits.responseMilliseconds = responseMilliseconds
      var connection = Connection(seed: 1)
      connection.core = ConnectionCore(limits)
      connection.send(.opened)
      for part in request(1) { connection.send(.received(part)) }
      return connection
    }

    mutating func send(_ event: ConnectionEvent) {
      var events = [event]
      while !events.isEmpty {
        now += 1000
        let effects = core.handle(events.removeFirst(), at: now)
        for effect in effects { perform(effect).map { events.append($0) } }
      }
    }

    private mutating func perform(_ effect: ConnectionEffect) -> ConnectionEvent? {
      #expect(end == nil, "\(effect) after the end")
      switch effect {
      case .route(let number, let head):
        #expect(number == routed.count + 1 && head.uri == "/\(number)" && !isResponseOpen && output.isEmpty)
        routed.append(number)
        body = ""
        output = Self.response(number)
        let bodies: [ConnectionCore.Request] = [.collecting, .streaming(bytes: 0, isFull: false), .dropping(bytes: 0)]
        return .routed(number, bodies[number % 3], hasEvents: false, keepsConnection: true)
      case .collect(let bytes), .pass(let bytes): body += String(buffer: bytes)
      case .completeBody:
        #expect(body == "<\(routed.count)>")
        completed.append(routed.count)
      case .write(let parts):
        unsent += 1
        for part in parts { write(part) }
      case .read: isWaiting = true
      case .close, .abort: end = "\(effect)"
      case .endOutput: #expect(unsent == 0)
      case .dropBody: break
      case .reject, .refuse: Issue.record("no request is malformed")
      }
      return nil
    }

    private mutating func write(_ part: HTTPServerResponsePart) {
      let number = responses.count + 1
      switch part {
      case .head(let head):
        #expect(!isResponseOpen && head.headers.first(name: "x") == "\(number)")
        isResponseOpen = true
      case .body(.byteBuffer(let bytes)): #expect(isResponseOpen && String(buffer: bytes) == "\(number)")
      case .body: Issue.record("a body of other bytes")
      case .end:
        #expect(isResponseOpen)
        isResponseOpen = false
        responses.append(number)
      }
    }

    static func response(_ number: Int) -> [HTTPServerResponsePart] {
      [
        .head(HTTPResponseHead(version: .http1_1, status: .ok, headers: ["x": "\(number)"])),
        .body(.byteBuffer(ByteBuffer(string: "\(number)"))), .end(nil),
      ]
    }

    static func request(_ number: Int) -> [HTTPServerRequestPart] {
      [
        .head(HTTPRequestHead(version: .http1_1, method: .POST, uri: "/\(number)")),
        .body(ByteBuffer(string: "<\(number)")),
      ]
        + [.body(ByteBuffer(string: ">")), .end(nil)]
    }

    /// One of the things that can happen.
    mutating func step() {
      let number = routed.count
      let early = max(0, number - Int.random(in: 1...3, using: &random))
      switch Int.random(in: 0..<12, using: &random) {
      case 0...2:
        if input.isEmpty {
          requests += 1
          input = Self.request(requests)
        }
        for _ in 0..<Int.random(in: 1...4, using: &random) where !input.isEmpty { send(.received(input.removeFirst())) }
      case 3...5:
        guard !output.isEmpty else { return }
        let count = Int.random(in: 1...output.count, using: &random)
        let parts = Array(output.prefix(count))
        output.removeFirst(count)
        send(.responded(number, parts))
      case 6: if unsent > 0 { noteSent() }
      // What follows belongs to exchanges that have ended.
      case 7: send(.responded(early, Self.response(early)))
      case 8: send([.aborted(early), .bodyRefused(early), .pipeFilled(early)].randomElement(using: &random) ?? .tick)
      case 9: send(.tick)
      case 10: send(.pipeFilled(number))
      default: send(.pipeDrained(number))
      }
    }

    /// Completes the response to the last request.
    mutating func respond() {
      let parts = output
      output = []
      send(.responded(routed.count, parts))
    }

    mutating func noteSent() {
      unsent -= 1
      send(.sent)
    }
  }

  @Test(arguments: 0..<40) func eachRequestHasItsResponse(seed: UInt64) {
    var connection = Connection(seed: seed)
    connection.send(.opened)
    for _ in 0..<400 { connection.step() }
    while !connection.input.isEmpty { connection.send(.received(connection.input.removeFirst())) }
    connection.send(.inputEnded)
    while !connection.output.isEmpty || connection.unsent > 0 {
      if connection.output.isEmpty { connection.noteSent() } else { connection.respond() }
    }
    #expect(connection.routed == Array(1...connection.requests))
    #expect(connection.responses == connection.routed)
    #expect(connection.end == "close")
  }

  @Test func aFullPipeStopsReadingUntilItIsDrained() {
    var connection = Connection(seed: 1)
    connection.send(.opened)
    connection.send(.received(Connection.request(1)[0]))
    connection.send(.pipeFilled(1))
    connection.send(.readWanted)
    #expect(!connection.isWaiting && connection.core.deadline == nil)
    connection.send(.pipeDrained(1))
    #expect(connection.isWaiting && connection.core.deadline != nil)
  }

  @Test func theNextRequestWaitsUntilTheResponseIsSent() {
    var connection = Connection.withRequest()
    for part in Connection.request(2) { connection.send(.received(part)) }
    connection.respond()
    connection.send(.readWanted)
    #expect(connection.routed == [1] && !connection.isWaiting)
    connection.noteSent()
    #expect(connection.routed == [1, 2] && !connection.isWaiting)
    connection.respond()
    #expect(connection.responses == [1, 2] && !connection.isWaiting, "what follows is not read either")
    connection.noteSent()
    #expect(connection.isWaiting)
  }

  @Test func aClientThatReadsNothingIsDisconnectedAlthoughRequestsWait() {
    var connection = Connection.withRequest()
    for part in Connection.request(2) { connection.send(.received(part)) }
    connection.respond()
    connection.now += UInt64(ServerLimits().writeMilliseconds) * 1_000_000
    connection.send(.tick)
    #expect(connection.end == "abort" && connection.routed == [1])
  }

  @Test func aDeadlineOfAnEndedExchangeEndsNothing() {
    var connection = Connection.withRequest()
    connection.now += 1_000_000_000_000
    connection.send(.tick)
    #expect(connection.end == nil, "the pool may take any time")
    connection.send(.responded(1, Connection.response(1)))
    connection.noteSent()
    connection.send(.tick)
    #expect(connection.end == nil)
    connection.now += UInt64(ServerLimits().idleMilliseconds) * 1_000_000
    connection.send(.tick)
    #expect(connection.end == "close")
  }

  @Test func aResponseThatIsNotSentEndsWithAReset() {
    var connection = Connection.withRequest()
    connection.send(.responded(1, Connection.response(1)))
    connection.now += UInt64(ServerLimits().writeMilliseconds) * 1_000_000
    connection.send(.tick)
    #expect(connection.end == "abort")
  }

  /// The client takes some of the response all the time.
  @Test func aResponseThatTakesTooLongEndsWithAReset() {
    var connection = Connection.withRequest(responseMilliseconds: 100_000)
    let parts = Connection.response(1)
    connection.send(.responded(1, [parts[0]]))
    for _ in 0..<9 {
      connection.now += 10_000_000_000
      connection.send(.tick)
      connection.send(.responded(1, [parts[1]]))
      connection.noteSent()
    }
    #expect(connection.end == nil)
    // What was written waits for the client, also when the work is done.
    connection.send(.responded(1, Array(parts.dropFirst(2))))
    connection.now += 10_000_000_000
    connection.send(.tick)
    #expect(connection.end == "abort")
  }

  /// The work can still state that it was too late.
  @Test func aResponseThatHasNotBegunMayTakeAnyTime() {
    var connection = Connection.withRequest(responseMilliseconds: 1000)
    connection.now += 2_000_000_000
    connection.send(.tick)
    #expect(connection.end == nil && connection.core.deadline == nil)
    connection.send(.responded(1, Connection.response(1)))
    connection.noteSent()
    connection.send(.tick)
    #expect(connection.end == nil && connection.responses == [1])
  }

  @Test func aClientThatSendsTooMuchInAdvanceIsDisconnected() {
    var connection = Connection(seed: 1)
    connection.send(.opened)
    var parts = 0
    for number in 1...ConnectionCore.waitingParts where connection.end == nil {
      for part in Connection.request(number) where connection.end == nil {
        connection.send(.received(part))
        parts += 1
      }
    }
    #expect(connection.end == "abort" && parts == ConnectionCore.waitingParts + 5)
  }
}
