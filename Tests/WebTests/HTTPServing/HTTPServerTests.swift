import Foundation
import GalleyTestSupport
import Glibc
import Synchronization
import Testing

@testable import HTTPServing

/// Tests of the server with clients that send what they should not, or slowly.
@Suite(.serialized) final class HTTPServerTests {
  /// The servers of the test, which end after it.
  private var servers: [TestServer] = []

  private func server(_ change: (inout ServerLimits) -> Void = { _ in }) throws -> TestServer {
    let server = try TestServer(change)
    servers.append(server)
    return server
  }

  private func requestCount(_ connection: HTTPClient, _ target: String = "/echo") throws {
    connection.request("POST", target, body: Array("rows".utf8))
    let response = try connection.response()
    #expect(response.status == 200 && response.text == "rows" && response.isComplete)
  }

  // MARK: Requests

  @Test func pathsAndQueriesAreDecoded() throws {
    let client = try server().client()
    client.request("GET", "/a%20b//c?x=1%2C2&y+z=%C3%BC&n")
    let response = try client.response()
    #expect(
      response.text
        == "GET [\"a b\", \"c\"] [HTTPServing.HTTPRequest.QueryItem(name: \"x\", value: \"1,2\"), "
        + "HTTPServing.HTTPRequest.QueryItem(name: \"y z\", value: \"ü\"), "
        + "HTTPServing.HTTPRequest.QueryItem(name: \"n\", value: \"\")]")
  }

  @Test(arguments: ["/%ff", "/?a=%ff", "ftp://127.0.0.1/"]) func targetsThatAreNoPathsAreRefused(target: String) throws
  {
    let client = try server().client()
    client.request("GET", target)
    #expect(try client.response().status == 400)
  }

  @Test func aConnectionServesRequestsOneAfterTheOther() throws {
    let client = try server().client()
    for _ in 0..<50 { try requestCount(client) }
    for _ in 0..<5 { client.request("POST", "/echo", body: Array("pipelined".utf8)) }
    for _ in 0..<5 { #expect(try client.response().text == "pipelined") }
  }

  @Test func theHeadOfAResponseComesWithoutItsBody() throws {
    let client = try server().client()
    client.request("HEAD", "/x")
    let response = try client.response(ofHead: true)
    #expect(response.headers["content-length"] == "13")
    try requestCount(client)
  }

  @Test func aClientThatAsksBeforeItSendsIsToldToContinue() throws {
    let client = try server().client()
    client.send("POST /echo HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 4\r\nexpect: 100-continue\r\n\r\n")
    #expect(try client.response().status == 100)
    client.send("rows")
    #expect(try client.response().text == "rows")
  }

  @Test func bytesThatAreNoRequestAreRefused() throws {
    let client = try server().client()
    client.send("\u{16}\u{3}\u{1} hello\r\n\r\n")
    #expect(try client.response().status == 400)
    #expect(client.hasEnded)
  }

  @Test(arguments: [
    "POST /echo HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 100\r\n\r\nhalf",
    "POST /echo HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 2000000\r\n\r\n",
    "POST /echo HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\n\r\n4\r\n",
    "GET / HTTP/1.1\r\nhost: ",
  ])
  func requestsThatEndTooEarlyAreRefusedAsSuch(request: String) throws {
    let client = try server().client()
    client.send(request)
    client.endOutput()
    let response = try client.response()
    #expect(response.status == 400 && response.text.contains("ended the request before it was complete"), "\(response)")
    #expect(client.hasEnded)
  }

  @Test func aHeadThatIsTooLongIsRefused() throws {
    let client = try server().client()
    client.send("GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n")
    var line = 0
    while line < 10_000, client.send("x-\(line): \(String(repeating: "a", count: 100))\r\n") { line += 1 }
    let isRefused = try line < 10_000 || client.response().status >= 400
    #expect(isRefused)
  }

  @Test(arguments: [("1.0", 200), ("1.1", 400)]) func onlyHTTP10HasRequestsWithoutHost(version: String, status: Int)
    throws
  {
    let client = try server().client()
    client.send("GET /a HTTP/\(version)\r\n\r\n")
    #expect(try client.response().status == status)
  }

  @Test func aShortBodyThatStillComesIsRefusedWhenTheServerStops() throws {
    let server = try server { $0.headMilliseconds = 60_000 }
    let client = try server.client()
    client.send("POST /echo HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 100\r\n\r\nhalf")
    try eventually { server.counts.values.requests == 1 }
    try server.server.stop()
    let response = try client.response()
    #expect(response.status == 503 && response.text.contains("The server stops."), "\(response)")
    #expect(client.hasEnded)
  }

  // MARK: Streams

  @Test func aResponseBeginsBeforeTheRequestEnds() throws {
    let client = try server().client()
    client.send("POST /echo HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\n\r\n")
    client.sendChunk("one")
    #expect(try client.response(atLeast: 3).text == "one")
    client.sendChunk("two")
    #expect(try client.more(atLeast: 3).text == "two")
    client.sendChunk("")
    #expect(try client.more(atLeast: 1).isComplete)
    try requestCount(client)
  }

  @Test func aLongBodyArrivesWhole() throws {
    let body = [UInt8](repeating: 0x61, count: 8 << 20) + Array("end".utf8)
    let client = try server().client()
    let thread = Thread { [client = Unchecked(client)] in client.value.request("POST", "/echo", body: body) }
    thread.start()
    let response = try client.response()
    #expect(response.isComplete && response.body == body)
  }

  @Test func aResponseThatFailsLaterIsNotComplete() throws {
    let client = try server().client()
    client.request("GET", "/failing")
    let response = try client.response()
    #expect(response.status == 200 && response.text == "begun" && !response.isComplete)
  }

  @Test func eventsBeginWithTheLastOnes() throws {
    let server = try server()
    for number in 1...3 { server.events.send("\(number)\nx", event: "count") }
    let client = try server.client()
    client.request("GET", "/events")
    let history = ": connected\n\nevent: count\ndata: 2\ndata: x\n\nevent: count\ndata: 3\ndata: x\n\n"
    #expect(try client.response(atLeast: history.utf8.count).text == history)
    server.events.send("4")
    #expect(try client.more(atLeast: 1).text == "data: 4\n\n")
  }

  @Test func clientsOfEventsThatEndAreForgotten() throws {
    let server = try server()
    do {
      let client = try server.client()
      client.request("GET", "/events")
      _ = try client.response(atLeast: 1)
      #expect(server.events.clients == 1)
    }
    try eventually { server.events.clients == 0 }
  }

  // MARK: Limits

  @Test func connectionsRequestsAndResponsesAreCounted() throws {
    let server = try TestServer()
    for _ in 0..<2 {
      let client = try server.client()
      client.request("GET", "/a")
      _ = try client.response()
      client.request("GET", "/%ff")
      _ = try client.response()
    }
    try eventually { server.counts.values.connections == 0 }
    #expect(server.counts.values.accepted == 2)
    #expect(server.counts.values.responses == [200: 2, 400: 2])
    var endless: HTTPClient? = try server.client()
    endless?.request("GET", "/endless")
    try eventually { server.counts.values.requests == 1 }
    endless = nil
    try eventually { server.counts.values.requests == 0 && server.counts.values.connections == 0 }
  }

  @Test(arguments: ["1001", "9223372036854775808", "18446744073709551615"])
  func aStatedLengthAboveTheLimitIsRefusedAtOnce(length: String) throws {
    let client = try server { $0.bodyBytes = 1000 }.client()
    client.send("POST /echo HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: \(length)\r\n\r\n")
    let response = try client.response()
    #expect(response.status == 413 && response.text.contains("more than 1000 bytes"))
  }

  @Test func aBodyThatGrowsAboveTheLimitIsRefused() throws {
    let client = try server { $0.bodyBytes = 100_000 }.client()
    client.send("POST /endless HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\n\r\n")
    var isOpen = true
    for _ in 0..<200 where isOpen { isOpen = client.send("2710\r\n\(String(repeating: "a", count: 10_000))\r\n") }
    // The client may find the end of the connection before it reads the response.
    let response = try? client.response()
    #expect(response == nil || response?.status == 413 || response?.isComplete == false)
  }

  @Test func halfRequestsEndInTime() throws {
    let server = try server { $0.headMilliseconds = 300 }
    for half in ["", "POST /ec", "POST /echo HTTP/1.1\r\nhost: 127.0.0.1\r\n"] {
      let client = try server.client()
      client.send(half)
      #expect(client.hasEnded)
    }
    let client = try server.client()
    client.send("POST /echo HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 10\r\n\r\nhalf")
    #expect(try client.response().status == 408)
  }

  @Test func aSlowBodyKeepsNoWorker() throws {
    let server = try server { $0.workers = 1 }
    let slow = try server.client()
    slow.send("POST /echo HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 4\r\n\r\nro")
    try requestCount(try server.client())
    slow.send("ws")
    #expect(try slow.response().text == "rows")
  }

  @Test func manySlowBodiesKeepNoPlaceOfOthers() throws {
    let server = try server { ($0.workers, $0.waiting) = (1, 1) }
    let slow = try (0..<20).map { _ in try server.client() }
    for client in slow { client.send("POST /echo HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 4\r\n\r\nro") }
    try requestCount(try server.client())
  }

  @Test func connectionsBeyondTheLimitWait() throws {
    let server = try server { $0.connections = 2 }
    var clients = try (0..<2).map { _ in try server.client() }
    for client in clients { try requestCount(client) }
    let third = try server.client()
    third.request("POST", "/echo", body: Array("rows".utf8))
    usleep(50_000)
    #expect(server.counts.values.connections == 2)
    clients.removeLast()
    #expect(try third.response().text == "rows")
  }

  @Test func aClientThatReadsNothingIsEnded() throws {
    let before = TestServer.endless.load(ordering: .relaxed)
    let client = try server { $0.writeMilliseconds = 300 }.client(receiveBuffer: 4096)
    client.request("GET", "/endless")
    try eventually { TestServer.endless.load(ordering: .relaxed) == before + 1 }
  }

  @Test func aClientThatEndsTheConnectionEndsTheWork() throws {
    let server = try server()
    let before = TestServer.endless.load(ordering: .relaxed)
    do {
      let client = try server.client()
      client.request("GET", "/endless")
      _ = try client.response(atLeast: 100_000)
    }
    try eventually { TestServer.endless.load(ordering: .relaxed) == before + 1 }
  }

  @Test func streamsBeyondTheLimitAreToldToWait() throws {
    let server = try server { $0.workers = 4 }
    let clients = try (0..<4).map { _ in try server.client() }
    for (number, client) in clients.enumerated() {
      // The last one finds no place when the server works on all others.
      try eventually { server.counts.values.works == number }
      client.send("POST /echo HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\n\r\n")
    }
    let response = try clients[3].response()
    #expect(response.status == 429 && response.headers["retry-after"] == "1")
    try requestCount(try server.client())
    for client in clients[..<3] {
      client.sendChunk("rows")
      client.sendChunk("")
      #expect(try client.response().text == "rows")
    }
  }

  /// The clients of most libraries, and browsers, read the response when they have sent the request.
  @Test func aClientMaySendALongBodyBeforeItReads() throws {
    let client = try server().client()
    client.request("POST", "/echo", body: [UInt8](repeating: 0x61, count: 24 << 20))
    let response = try client.response()
    #expect(response.isComplete && response.body.count == 24 << 20)
  }

  @Test func aSlowClientGetsTheWholeResponseBeforeTheConnectionEnds() throws {
    let server = try server { $0.idleMilliseconds = 300 }
    let client = try server.client(receiveBuffer: 4096)
    client.request("POST", "/echo", headers: ["connection: close"], body: [UInt8](repeating: 0x61, count: 1 << 20))
    usleep(600_000)
    let response = try client.response()
    #expect(response.isComplete && response.body.count == 1 << 20)
    #expect(client.hasEnded)
  }

  @Test func theServerEndsAfterTheResponsesThatAreUnderWay() throws {
    let server = try server()
    let client = try server.client(receiveBuffer: 4096)
    client.request("POST", "/echo", body: [UInt8](repeating: 0x61, count: 1 << 20))
    try eventually { server.counts.values.responses == [200: 1] }
    let thread = Thread { [server = Unchecked(server)] in try? server.value.server.stop() }
    thread.start()
    usleep(100_000)
    let response = try client.response()
    #expect(response.isComplete && response.body.count == 1 << 20)
  }

  /// A client that takes some bytes now and then would keep the server for any time.
  @Test func theServerEndsInTimeAlthoughAClientIsSlow() throws {
    let server = try server {
      $0.stopMilliseconds = 200
      $0.writeMilliseconds = 60_000
    }
    let client = try server.client(receiveBuffer: 4096)
    client.request("GET", "/endless")
    try eventually { server.counts.values.responses == [200: 1] }
    let begin = ContinuousClock.now
    try server.server.stop()
    #expect(begin.duration(to: .now) < .seconds(30))
    let response = try client.response()
    #expect(!response.isComplete && client.wasReset)
  }

  /// The client would send its next request where the server expects the body.
  @Test func aConnectionEndsAfterABodyThatIsNotWanted() throws {
    let server = try server { $0.workers = 1 }
    let head = "POST /echo HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 9000000\r\n"
    let first = try server.client()
    first.send(head + "\r\n")
    try eventually { server.counts.values.requests == 1 }
    for (expects, connection) in [("", nil), ("expect: 100-continue\r\n", "close")] {
      let client = try server.client()
      client.send(head + expects + "\r\n")
      let response = try client.response()
      #expect(response.status == 429 && response.headers["connection"] == connection)
    }
  }

  @Test func clientsOfEventsThatResetTheConnectionAreForgotten() throws {
    let server = try server()
    for number in 0..<300 {
      let client = try server.client()
      client.resetAtEnd()
      client.request("GET", "/events")
      if number % 3 == 0 { usleep(UInt32(number) * 10) }
    }
    try requestCount(try server.client())
    try eventually { server.events.clients == 0 }
  }

  @Test func clientsOfHTTP10GetNoChunks() throws {
    let client = try server().client()
    let body = String(repeating: "a", count: 300_000)
    client.send("POST /echo HTTP/1.0\r\nhost: 127.0.0.1\r\ncontent-length: 300000\r\n\r\n\(body)")
    let response = try client.response()
    #expect(response.headers["transfer-encoding"] == nil && response.text == body)
  }

  @Test func theHeadOfALongResponseHasNoBody() throws {
    let client = try server().client()
    let body = [UInt8](repeating: 0x61, count: 300_000)
    client.request("HEAD", "/echo", body: body)
    #expect(try client.response(ofHead: true).headers["content-length"] == "300000")
    try requestCount(client)
  }

  // MARK: Other sites

  @Test(arguments: [
    ("host: galley.example", 421), ("host: 127.0.0.1.galley.example", 421), ("host: localhost:1", 200),
    ("host: [::1]", 200), ("host: 127.0.0.1\r\norigin: http://127.0.0.1", 200),
    ("host: 127.0.0.1\r\norigin: http://127.0.0.1:9", 403), ("host: 127.0.0.1\r\norigin: null", 403),
    ("host: 127.0.0.1\r\nsec-fetch-site: cross-site", 403), ("x: y", 400), ("host: 127.0.0.1 \t", 200),
    ("host: 127.0.0.1\r\nsec-fetch-site: cross-site\r\nsec-fetch-mode: navigate\r\nsec-fetch-dest: document", 200),
    ("host: 127.0.0.1\r\nsec-fetch-site: cross-site\r\nsec-fetch-mode: navigate\r\nsec-fetch-dest: iframe", 403),
    ("host: 127.0.0.1\r\nsec-fetch-site: cross-site\r\nsec-fetch-mode: no-cors", 403),
  ])
  func onlyPagesOfTheServerSendRequests(headers: String, status: Int) throws {
    let client = try server().client()
    client.send("GET / HTTP/1.1\r\n\(headers)\r\n\r\n")
    #expect(try client.response().status == status)
  }

  @Test(arguments: [
    ("https://app.example.org", 200), ("https://App.example.org", 200), ("https://app.example.org:444", 403),
    ("http://app.example.org", 403), ("null", 403),
  ])
  func pagesOfAllowedOriginsSendRequestsAndReadResponses(origin: String, status: Int) throws {
    let server = try TestServer(allowedOrigins: ["https://app.example.org"])
    let client = try server.client()
    client.send("GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nsec-fetch-site: cross-site\r\norigin: \(origin)\r\n\r\n")
    let response = try client.response()
    #expect(response.status == status)
    #expect(response.headers["access-control-allow-origin"] == (status == 200 ? origin : nil))
    #expect(response.headers["vary"] == (status == 200 ? "origin" : nil))
  }

  @Test func everyOriginIsAllowedWhereThatIsStated() throws {
    let server = try TestServer(allowedOrigins: ["*"])
    let client = try server.client()
    client.send("GET / HTTP/1.1\r\nhost: 127.0.0.1\r\norigin: https://a.example\r\n\r\n")
    #expect(try client.response().headers["access-control-allow-origin"] == "https://a.example")
    client.send("GET / HTTP/1.1\r\nhost: b.example\r\norigin: https://b.example\r\n\r\n")
    #expect(try client.response().status == 421, "the name of another machine is refused even so")
  }

  @Test(arguments: [("https://app.example.org", 204), ("https://b.example", 403)])
  func browsersLearnWhatPagesMaySend(origin: String, status: Int) throws {
    let server = try TestServer(allowedOrigins: ["https://app.example.org"])
    let client = try server.client()
    client.send(
      "OPTIONS /echo HTTP/1.1\r\nhost: 127.0.0.1\r\norigin: \(origin)\r\naccess-control-request-method: POST\r\n\r\n")
    let response = try client.response()
    #expect(response.status == status)
    let isAllowed = status == 204
    #expect(response.headers["access-control-allow-origin"] == (isAllowed ? origin : nil))
    #expect(response.headers["access-control-allow-methods"] == (isAllowed ? "GET, POST, DELETE" : nil))
    try requestCount(client)
  }

  @Test(arguments: [
    ("https://app.example.org", true), ("http://localhost:5173", true), ("http://[::1]:8080", true), ("*", true),
    ("https://app.example.org/", false), ("app.example.org", false), ("https://App.example.org", false), ("", false),
    ("file://x", false), ("https://", false), ("https://a://b", false), ("https://a:443", false),
    ("http://[::1]:80", false),
  ])
  func originsAreWrittenAsBrowsersStateThem(text: String, isOrigin: Bool) {
    #expect(HTTPServer.isOrigin(text) == isOrigin)
  }
}
