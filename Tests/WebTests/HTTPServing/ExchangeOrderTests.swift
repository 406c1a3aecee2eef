import Foundation
import GalleyTestSupport
import Testing

@testable import HTTPServing

/// Tests of connections with several requests, of their ends, and of responses that are not whole.
@Suite struct ExchangeOrderTests {
  private let server: TestServer
  private let long = [UInt8](repeating: 0x61, count: 3 << 20)

  init() throws {
    server = try TestServer()
  }

  private func head(_ method: String, _ target: String, _ fields: String = "") -> [UInt8] {
    Array("\(method) \(target) HTTP/1.1\r\nhost: 127.0.0.1\r\n\(fields)\r\n".utf8)
  }

  /// Sends bytes from a thread of their own, because the server reads no further while the client reads nothing.
  private func send(_ bytes: [UInt8], on client: HTTPClient, thenEndsOutput: Bool = false) {
    let client = Unchecked(client)
    Thread {
      client.value.send(bytes)
      if thenEndsOutput { client.value.endOutput() }
    }.start()
  }

  @Test func aLongBodyBehindAnotherRequestArrivesWhole() throws {
    let client = try server.client()
    send(head("GET", "/x") + head("POST", "/echo", "content-length: \(long.count)\r\n") + long, on: client)
    #expect(try client.response().status == 200)
    let response = try client.response()
    #expect(response.isComplete && response.body == long)
  }

  @Test(arguments: [1000, 3 << 20]) func aBodyMayComeLongAfterItsPipelinedHead(count: Int) throws {
    let client = try server.client()
    let post = { (length: Int) in self.head("POST", "/echo", "content-length: \(length)\r\n") }
    client.send(post(4) + Array("rows".utf8) + post(count))
    #expect(try client.response().text == "rows")
    usleep(50_000)
    send([UInt8](long.prefix(count)), on: client)
    let response = try client.response()
    #expect(response.isComplete && response.body.count == count)
  }

  @Test func theLastOfPipelinedRequestsEndsTheConnection() throws {
    for count in [1, 2, 50] {
      let client = try server.client()
      let get = (0..<count).flatMap { head("GET", "/\($0)") }
      client.send(get + head("POST", "/echo", "content-length: 4\r\nconnection: close\r\n") + Array("rows".utf8))
      for number in 0..<count { #expect(try client.response().text == "GET [\"\(number)\"] []") }
      let last = try client.response()
      #expect(last.text == "rows" && last.headers["connection"] == "close")
      #expect(client.hasEnded && !client.wasReset)
    }
  }

  @Test func pipelinedRequestsGetAllLongResponsesInOrder() throws {
    let client = try server.client()
    let requests = (0..<20).flatMap { head("GET", "/long") + head("GET", "/\($0)") }
    client.send(requests)
    for number in 0..<20 {
      let long = try client.response()
      #expect(long.isComplete && long.body == TestServer.long)
      #expect(try client.response().text == "GET [\"\(number)\"] []")
    }
  }

  /// The operating system takes some MiB of the responses for the client, and the server keeps one.
  @Test func aClientThatReadsNothingGetsNoFurtherResponsesAndIsEnded() throws {
    let server = try TestServer { $0.writeMilliseconds = 1000 }
    let client = try server.client(receiveBuffer: 4096)
    let requests = (0..<200).flatMap { _ in head("GET", "/long") }
    client.send(requests)
    try eventually { server.counts.values.accepted == 1 && server.counts.values.connections == 0 }
    #expect(server.counts.values.responses[200, default: 0] < 50)
  }

  @Test func aClientThatEndsItsOutputGetsAllResponses() throws {
    for count in [1, 5] {
      let client = try server.client()
      let requests = (0..<count).flatMap { _ in
        head("GET", "/x") + head("POST", "/echo", "content-length: \(long.count)\r\n") + long
      }
      send(requests, on: client, thenEndsOutput: true)
      for _ in 0..<count {
        #expect(try client.response().status == 200)
        let response = try client.response()
        #expect(response.isComplete && response.body.count == long.count)
      }
      #expect(client.hasEnded && !client.wasReset)
    }
  }

  @Test func aClientThatEndsItsOutputWithinABodyIsRefused() throws {
    let client = try server.client()
    client.send(head("POST", "/echo", "content-length: 4\r\n") + Array("ro".utf8))
    client.endOutput()
    let response = try client.response()
    #expect(response.status == 400 && client.hasEnded)
  }

  @Test(arguments: ["HTTP/1.0", "HTTP/1.1"]) func aResponseThatIsNotWholeEndsWithAReset(version: String) throws {
    let client = try server.client()
    client.send("GET /failing \(version)\r\nhost: 127.0.0.1\r\n\r\n")
    let response = try client.response()
    #expect(response.status == 200 && !response.isComplete && client.wasReset)
  }

  @Test func aWholeResponseOfHTTP10EndsWithoutAReset() throws {
    let client = try server.client()
    send(
      Array("POST /echo HTTP/1.0\r\nhost: 127.0.0.1\r\ncontent-length: \(long.count)\r\n\r\n".utf8) + long, on: client)
    #expect(try client.response().body == long)
    #expect(!client.wasReset)
  }

  @Test func workThatSendsNoResponseEndsTheConnection() throws {
    let client = try server.client()
    client.request("GET", "/silent")
    #expect(throws: HTTPClient.Failure.self) { try client.response() }
    #expect(client.wasReset)
  }

  @Test func trailersFollowABodyWhoseHeadWasSent() throws {
    let client = try server.client()
    client.request("POST", "/counted", body: [UInt8](long.prefix(10)))
    let short = try client.response()
    #expect(short.headers["count"] == "10" && short.headers["trailer"] == nil && short.trailers.isEmpty)
    send(head("POST", "/counted", "content-length: \(long.count)\r\n") + long, on: client)
    let whole = try client.response()
    #expect(whole.headers["trailer"] == "count" && whole.trailers == ["count": "\(long.count)"] && whole.isComplete)
  }

  @Test func malformedBytesBehindARequestAreRefusedAfterItsResponse() throws {
    let client = try server.client()
    client.send(head("POST", "/echo", "content-length: 4\r\n") + Array("rows\u{16}\u{3}\r\n\r\n".utf8))
    #expect(try client.response().text == "rows")
    #expect(try client.response().status == 400)
    #expect(client.hasEnded)
  }

  @Test func aRefusedRequestThatExpectsPermissionEndsTheConnection() throws {
    let client = try server.client()
    client.send(head("POST", "/x", "content-length: 9\r\nexpect: 100-continue\r\n"))
    let response = try client.response()
    #expect(response.status == 200 && response.headers["connection"] == "close" && client.hasEnded)
  }

  @Test(arguments: ["gzip, chunked", "gzip\r\ntransfer-encoding: chunked"])
  func aBodyInAnUnknownTransferCodingIsRefusedAndDropped(coding: String) throws {
    let client = try server.client()
    let body = Array("4\r\nrows\r\n0\r\n\r\n".utf8)
    client.send(head("POST", "/echo", "transfer-encoding: \(coding)\r\n") + body + head("GET", "/x"))
    let response = try client.response()
    #expect(response.status == 501 && response.text.contains("state its compression in Content-Encoding"))
    #expect(try client.response().status == 200)
  }

  @Test func theEndOfEachRequestIsReported() throws {
    let client = try server.client()
    client.send(head("GET", "/x") + head("GET", "/y") + Array("nonsense\r\n\r\n".utf8))
    while case let status = try client.response().status, status == 200 {}
    try eventually { server.ended.all == ["x", "y", nil] }
  }
}
