import GalleyTestSupport
import Glibc
import SeededRandom
import Testing

@testable import HTTPServing

/// A property test of the server with random clients: they pipeline, split bytes anywhere, end their output, reset the
/// connection, send long and refused bodies, and use both versions of HTTP. Each response is the right one or recognizably
/// not whole, in order, and nothing stays open.
@Suite struct RandomClientTests {
  private enum Expectation {
    case whole(status: Int, body: [UInt8], isHead: Bool)
    /// A response that is broken off, or a refusal of the same request.
    case broken(orRefused: Int?)
  }

  /// What a client sends, and what it expects.
  private struct Conversation {
    var bytes: [UInt8] = []
    var expected: [Expectation] = []
    /// Whether the server ends the connection after the last response.
    var isEndedByServer = false
    var endsOutput = false
    var resets = false
    private var random: SplitMix

    init(seed: UInt64) {
      random = SplitMix(seed: seed)
      for _ in 0..<Int.random(in: 0...5, using: &random) { addRequest() }
      if Int.random(in: 0..<3, using: &random) == 0 { addRequest() } else { addLastRequest() }
      endsOutput = Bool.random(using: &random)
      resets = Int.random(in: 0..<5, using: &random) == 0
    }

    private mutating func head(_ method: String, _ target: String, _ version: String = "1.1", _ fields: [String] = []) {
      bytes += "\(method) \(target) HTTP/\(version)\r\nhost: 127.0.0.1\r\n".utf8
      for field in fields { bytes += "\(field)\r\n".utf8 }
      bytes += "\r\n".utf8
    }

    private mutating func body() -> [UInt8] {
      let isLong = Int.random(in: 0..<8, using: &random) == 0
      var rest =
        isLong
        ? ServerLimits.collectedBytes + Int.random(in: 1...9000, using: &random)
        : Int.random(in: 0...3000, using: &random)
      let pattern = (0..<997).map { _ in UInt8.random(in: 0...255, using: &random) }
      var body: [UInt8] = []
      while rest > 0 {
        body += pattern.prefix(rest)
        rest -= min(rest, pattern.count)
      }
      return body
    }

    private mutating func chunk(_ body: [UInt8]) {
      var rest = body[...]
      while !rest.isEmpty {
        let part = rest.prefix(Int.random(in: 1...40_000, using: &random))
        bytes += "\(String(part.count, radix: 16))\r\n".utf8
        bytes += part
        bytes += "\r\n".utf8
        rest = rest.dropFirst(part.count)
      }
      bytes += "0\r\n\r\n".utf8
    }

    private mutating func post(_ target: String, _ version: String = "1.1", _ fields: [String] = []) -> [UInt8] {
      let body = body()
      let expects = Int.random(in: 0..<6, using: &random) == 0 && target == "/echo" ? ["expect: 100-continue"] : []
      if version == "1.1", Bool.random(using: &random) {
        head("POST", target, version, fields + expects + ["transfer-encoding: chunked"])
        chunk(body)
      } else {
        head("POST", target, version, fields + expects + ["content-length: \(body.count)"])
        bytes += body
      }
      return body
    }

    private mutating func addRequest() {
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        head("GET", "/a")
        expected.append(.whole(status: 200, body: Array("GET [\"a\"] []".utf8), isHead: false))
      case 1:
        head("HEAD", "/a")
        expected.append(.whole(status: 200, body: [], isHead: true))
      case 2:
        _ = post("/refused")
        expected.append(.whole(status: 200, body: Array("POST [\"refused\"] []".utf8), isHead: false))
      default: expected.append(.whole(status: 200, body: post("/echo"), isHead: false))
      }
    }

    /// Adds a request after which the server ends the connection.
    private mutating func addLastRequest() {
      isEndedByServer = true
      switch Int.random(in: 0..<7, using: &random) {
      case 0: expected.append(.whole(status: 200, body: post("/echo", "1.1", ["connection: close"]), isHead: false))
      case 1: expected.append(.whole(status: 200, body: post("/echo", "1.0"), isHead: false))
      case 2, 3:
        head("GET", "/failing", Bool.random(using: &random) ? "1.0" : "1.1")
        expected.append(.broken(orRefused: nil))
      case 4:
        bytes += "no request\r\n\r\n".utf8
        expected.append(.whole(status: 400, body: Array(Problem.badRequest.response.body), isHead: false))
      case 5:
        head("POST", "/echo", "1.1", ["content-length: 100000000"])
        expected.append(.whole(status: 413, body: Array(Problem.tooLarge(2 << 20).response.body), isHead: false))
        truncates = true
      default:
        let whole = bytes.count
        _ = post("/echo")
        // At least the head is sent, and not the whole body.
        let ends = bytes[whole...].indices.dropFirst(3)
        if let end = ends.first(where: { bytes[$0 - 3...$0].elementsEqual("\r\n\r\n".utf8) }), end + 1 < bytes.count {
          bytes.removeSubrange(Int.random(in: end + 1..<bytes.count, using: &random)...)
          expected.append(.broken(orRefused: 400))
          truncates = true
        } else {
          bytes.removeSubrange(whole...)
          isEndedByServer = false
        }
      }
    }

    /// Whether the last request is cut by the end of the output.
    private(set) var truncates = false
  }

  @Test func eachResponseIsTheRightOneOrRecognizablyNotWhole() throws {
    let server = try TestServer { ($0.droppedMilliseconds, $0.bodyBytes) = (10_000, 2 << 20) }
    for seed in 0..<100 as Range<UInt64> {
      let conversation = Conversation(seed: seed)
      let client = try RawClient(port: server.port, seed: seed)
      if conversation.resets {
        client.send(conversation.bytes, upTo: Int.random(in: 0...conversation.bytes.count, using: &client.random))
        client.reset()
        continue
      }
      let responses = client.exchange(
        conversation.bytes, endsOutput: conversation.endsOutput || conversation.truncates,
        until: { conversation.isEndedByServer ? nil : conversation.expected.count },
        heads: conversation.expected.map { if case .whole(_, _, isHead: true) = $0 { true } else { false } })
      check(responses, conversation, client, seed)
    }
    try eventually {
      let counts = server.counts.values
      return counts.connections == 0 && counts.requests == 0 && counts.works == 0
    }
    try eventually { PendingBytes.ofAll.load(ordering: .relaxed) == 0 }
  }

  private func check(
    _ responses: [RawClient.Response], _ conversation: Conversation, _ client: RawClient, _ seed: UInt64
  ) {
    let place = "seed \(seed)"
    // The reset by which a response is broken off can also drop earlier ones that the system has not sent yet.
    let isCut = if case .broken? = conversation.expected.last { client.wasReset } else { false }
    #expect(!client.isLate, "\(place): the server sent nothing for long")
    for (index, expected) in conversation.expected.enumerated() {
      let response = index < responses.count ? responses[index] : nil
      switch expected {
      case .whole(let status, let body, _):
        let isRight = response.map { $0.status == status && $0.isWhole && $0.body == body } ?? false
        let isDropped = isCut && response?.isWhole != true
        #expect(isRight || isDropped, "\(place): response \(index): \(response?.description ?? "none")")
      case .broken(let status):
        let isRefused = response != nil && response?.status == status && response?.isWhole == true
        #expect(isRefused || response?.isWhole != true && client.wasReset, "\(place): a broken response looks whole")
      }
    }
    #expect(responses.count <= conversation.expected.count, "\(place): there are more responses than requests")
  }
}
