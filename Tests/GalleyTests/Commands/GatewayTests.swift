import Foundation
import GalleyTestSupport
import Glibc
import Testing

/// Tests of a gateway with a pool.
@Suite struct GatewayTests {
  private let scratch = Scratch()

  /// A gateway with its pool.
  private final class Gateway {
    let pool: Pool
    let process: Galley.Running
    let port: Int

    init(_ scratch: Scratch, workers: Int = 1, _ arguments: [String] = []) throws {
      try Galley.run(["examples", scratch.path("examples")])
      pool = try Pool(scratch, ["--workers", "\(workers)"])
      process = try pool.start(
        [
          "gateway", "--connect", pool.endpoint, "--listen", "127.0.0.1:0", "--log-level", "info", "--cells",
          "posts=\(scratch.path("examples/posts.yaml"))",
        ] + arguments)
      var port: Int?
      let process = process
      try eventually {
        let line = process.errorsSoFar.split(separator: "\n").first { $0.contains("listening at ") }
        port = line?.split(separator: ":").last.flatMap { Int($0) }
        return port != nil
      }
      self.port = try #require(port)
    }

    func client() throws -> HTTPClient { try HTTPClient(port: port) }

    @discardableResult
    func whenReady() throws -> Gateway {
      try eventually { try get("/readyz").status == 200 }
      return self
    }

    func get(_ target: String, headers: [String] = []) throws -> HTTPClient.Response {
      let client = try client()
      client.request("GET", target, headers: headers)
      return try client.response()
    }

    func post(_ query: String, _ body: [UInt8], headers: [String] = []) throws -> HTTPClient.Response {
      let client = try client()
      client.request("POST", "/v1/layouts?\(query)", headers: headers, body: body)
      return try client.response()
    }
  }

  private func rows() throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: scratch.path("examples/posts.jsonl"))))
  }

  /// Returns the stream of the program with the same rows.
  private func stream(_ width: String) throws -> [UInt8] {
    let outcome = try Galley.run([
      "layout", scratch.path("examples/posts.jsonl"), "--cells", scratch.path("examples/posts.yaml"), "--width", width,
      "--output", "-", "--in-process",
    ])
    return Array(outcome.outputBytes)
  }

  @Test func resultsAreThoseOfTheProgramInAllForms() throws {
    let gateway = try Gateway(scratch).whenReady()
    let rows = try rows()
    let arrow = try gateway.post(
      "cells=posts&width=320,390", rows, headers: ["accept: application/vnd.apache.arrow.stream"])
    #expect(arrow.status == 200 && arrow.isComplete)
    #expect(arrow.body == (try stream("320,390")))
    let lines = try gateway.post("width=320,390", rows, headers: ["content-type: application/x-ndjson"])
    let objects = lines.text.split(separator: "\n")
    #expect(objects.count == 10 && objects[9].hasPrefix("{\"variant\":\"w390\",\"row\":4,\"id\":\"p-5\""))
    let text = String(decoding: rows, as: UTF8.self)
    let list = Array("[\(text.split(separator: "\n").joined(separator: ","))]".utf8)
    let array = try gateway.post("width=320,390", list, headers: ["accept: application/json"])
    #expect(array.text == "[" + objects.joined(separator: "\n,") + "\n]\n")
  }

  @Test func resultsComeWhileRowsAreSent() throws {
    let gateway = try Gateway(scratch).whenReady()
    let client = try gateway.client()
    client.send(
      "POST /v1/layouts?width=390&frames=false HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n")
    let lines = String(decoding: try rows(), as: UTF8.self).split(separator: "\n").map { "\($0)\n" }
    client.sendChunk(lines[0])
    let first = try client.response(atLeast: 10)
    #expect(first.status == 200 && first.text.hasPrefix("{\"variant\":\"w390\",\"row\":0"))
    // The rest of a row comes later.
    client.sendChunk(String(lines[1].prefix(20)))
    client.sendChunk(String(lines[1].dropFirst(20)))
    #expect(try client.more(atLeast: 10).text.contains("\"row\":1"))
    client.sendChunk("")
    #expect(try client.more(atLeast: .max).isComplete)
  }

  @Test func theNumberOfRowsShowsThatResultsAreWhole() throws {
    let gateway = try Gateway(scratch).whenReady()
    let rows = try rows()
    let short = try gateway.post("width=320,390&frames=false&end=true", rows)
    #expect(short.headers["galley-rows"] == "5" && short.text.hasSuffix("\n{\"rows\":5}\n"))
    let long = Array(String(repeating: "{\"cell\":\"PostCell\",\"text\":\"x\"}\n", count: 2000).utf8)
    let whole = try gateway.post("width=390&end=true", long)
    #expect(whole.isComplete && whole.headers["trailer"] == "galley-rows" && whole.trailers["galley-rows"] == "2000")
    #expect(whole.text.hasSuffix("\n{\"rows\":2000}\n"))
    let array = try gateway.post("width=390&end=true", rows, headers: ["accept: application/json"])
    #expect(array.headers["galley-rows"] == "5" && array.text.hasSuffix("\n]\n"))
  }

  @Test func pipelinedRequestsLoseNoRows() throws {
    let gateway = try Gateway(scratch).whenReady()
    let rows = Array(String(repeating: "{\"cell\":\"PostCell\",\"text\":\"x\"}\n", count: 1000).utf8)
    let client = try gateway.client()
    client.request("GET", "/healthz")
    for _ in 0..<3 { client.request("POST", "/v1/layouts?width=390&frames=false", body: rows) }
    client.endOutput()
    #expect(try client.response().text == "ok\n")
    for _ in 0..<3 {
      let response = try client.response()
      #expect(response.isComplete && response.body.count { $0 == 0x0a } == 1000)
    }
    #expect(client.hasEnded)
  }

  @Test func badRowsHaveErrorsAndOtherRowsAreLaidOut() throws {
    let gateway = try Gateway(scratch).whenReady()
    let first = Array(try rows().prefix { $0 != 0x0a })
    let response = try gateway.post("width=390&frames=false", first + Array("\n{\"cell\":\"PostCel\"}\n".utf8))
    let lines = response.text.split(separator: "\n")
    #expect(response.status == 200 && lines.count == 2)
    #expect(lines[0].contains("\"error\":null") && lines[1].contains("PostCel"), "\(lines[1])")
  }

  @Test(arguments: [
    ("width=0", "cannot be laid out"), ("", "width is missing"), ("width=390&end=1", "end is true or false"),
    ("width=390&widht=1", "did you mean \\\"width\\\"?); there are cells, end, frames, layoutDirection, lines, "),
    ("cells=post&width=390", "did you mean \\\"posts\\\"?"), ("width=390&frames=1", "frames is true or false"),
    ("width=390&scale=x", "is not a number"), ("width=390&width=320", "given twice"),
  ])
  func wrongParametersAreNamed(query: String, message: String) throws {
    let gateway = try Gateway(scratch, workers: 0)
    let response = try gateway.post(query, try rows())
    #expect(response.status == 400 && response.text.contains(message), "\(response.text)")
    #expect(response.headers["content-type"] == "application/problem+json")
  }

  @Test func bodiesThatHaveNoRowsAreRefused() throws {
    let gateway = try Gateway(scratch, ["--row-limit", "3", "--body-limit", "100KiB"]).whenReady()
    let bad: [(body: String, headers: [String], status: Int)] = [
      ("a,b\n1,2\n", [], 400), ("[{}", [], 400), ("x", ["content-type: text/csv"], 415),
      ("x", ["content-encoding: br"], 415), ("\u{1f}x", [], 200), ("{}", ["accept: text/html"], 406),
      ("{}\n{}\n{}\n{}\n", [], 413), (String(repeating: " ", count: 200 << 10), [], 413),
    ]
    for (body, headers, status) in bad {
      let response = try gateway.post("width=390", Array(body.utf8), headers: headers)
      #expect(response.status == status, "\(body.prefix(20)) \(headers): \(response.text)")
    }
  }

  @Test func theTimeLimitCountsFromTheHeadOfTheRequest() throws {
    let gateway = try Gateway(scratch, ["--time-limit", "1s"]).whenReady()
    let client = try gateway.client()
    client.send("POST /v1/layouts?width=390 HTTP/1.1\r\nhost: localhost\r\ncontent-length: 3\r\n\r\n{")
    usleep(1_100_000)
    client.send("}\n")
    let response = try client.response()
    #expect(response.status == 504 && response.text.contains("The request took more than 1 s"), "\(response.text)")
  }

  @Test func aStreamWithoutRowsEndsAtTheTimeLimit() throws {
    let gateway = try Gateway(scratch, ["--time-limit", "1s"]).whenReady()
    let client = try gateway.client()
    client.send("POST /v1/layouts?width=390 HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n")
    #expect(try client.response().status == 504)
  }

  @Test func theDescriptionHasTheVersionAndTheCellsFiles() throws {
    let gateway = try Gateway(scratch)
    let version = try Galley.run(["--version"]).output.split(whereSeparator: \.isWhitespace).last
    let body = Data(try gateway.get("/openapi.json").body)
    let document = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
    #expect((document["info"] as? [String: Any])?["version"] as? String == version.map(String.init))
    let parameters = (document["components"] as? [String: Any])?["parameters"] as? [String: Any]
    let schema = (parameters?["cells"] as? [String: Any])?["schema"] as? [String: Any]
    #expect(schema?["enum"] as? [String] == ["posts"])
  }

  @Test func requestsNeedTheToken() throws {
    let token = try scratch.file("token", "0123456789abcdef\n")
    let gateway = try Gateway(scratch, ["--token-file", token])
    for (header, status) in [
      ("x: y", 401), ("authorization: Bearer 0123456789abcdeF", 401), ("authorization: Bearer 0123456789abcdef0", 401),
      ("authorization: Basic 0123456789abcdef", 401), ("authorization: bearer 0123456789abcdef", 200),
    ] {
      #expect(try gateway.get("/v1/status", headers: [header]).status == status, "\(header)")
    }
    for path in ["/", "/healthz", "/openapi.json"] { #expect(try gateway.get(path).status == 200) }
    #expect(try gateway.post("width=390", try rows()).status == 401)
  }

  @Test func everyRouteStatesWhatCachesMayKeep() throws {
    let gateway = try Gateway(scratch)
    let fixed = ["/", "/openapi.json"]
    for path in fixed + ["/healthz", "/readyz", "/metrics", "/v1/status", "/v1/events", "/v1/layouts", "/none"] {
      let client = try gateway.client()
      client.request("GET", path)
      let directive = try client.response(atLeast: 1).headers["cache-control"]
      #expect(directive == (fixed.contains(path) ? "no-cache" : "no-store"), "\(path)")
    }
  }

  @Test func anAddressForOtherMachinesNeedsAToken() throws {
    try Galley.run([
      "gateway", "--connect", "ipc:///tmp/none", "--cells", "a=b.yaml", "--listen", "0.0.0.0:0",
    ]).expectFailure(2, "--token-file")
  }

  @Test func theStateIsThatOfTheCoordinator() throws {
    let gateway = try Gateway(scratch, workers: 2).whenReady()
    // The gateway is ready when the first worker is there.
    try eventually { try JSON(parsing: Data(gateway.get("/v1/status").body))["workerCount"] == .number(2) }
    #expect(try gateway.get("/v1/batches/none").status == 404)
    // Metrics are those of the last state that the gateway has asked for.
    try eventually { try gateway.get("/metrics").text.contains("galley_workers 2") }
  }

  @Test func withoutWorkersAndWithoutACoordinatorRequestsAreToldToWait() throws {
    let gateway = try Gateway(scratch, workers: 0)
    try eventually { try gateway.get("/readyz").text.contains("No worker") }
    let response = try gateway.post("width=390", try rows())
    #expect(response.status == 503 && response.headers["retry-after"] == "1")
    gateway.pool.coordinator.end(by: SIGKILL)
    try eventually { try gateway.get("/readyz").text.contains("No coordinator") }
    #expect(try gateway.get("/healthz").status == 200)
    let again = try Pool(scratch, ["--workers", "1"], at: gateway.pool.endpoint)
    try gateway.whenReady()
    #expect(try gateway.post("width=390", try rows()).status == 200)
    _ = again
  }

  /// The time within which requests end without a coordinator, with room for a busy machine. Clients of a coordinator that only
  /// is silent wait for 20 seconds, and with an accepted batch for a minute.
  private static let lossTime = Duration.seconds(10)

  @Test func aRequestAfterTheEndOfTheCoordinatorGets503() throws {
    let gateway = try Gateway(scratch).whenReady()
    #expect(try gateway.post("width=390", try rows()).status == 200)
    gateway.pool.coordinator.end(by: SIGKILL)
    let begin = ContinuousClock.now
    let response = try gateway.post("width=390", try rows())
    #expect(response.status == 503 && response.headers["retry-after"] == "1", "\(response.text)")
    for (method, target) in [("GET", "/v1/status"), ("GET", "/v1/batches/none"), ("DELETE", "/v1/batches/none")] {
      let client = try gateway.client()
      client.request(method, target)
      #expect(try client.response().status == 503)
    }
    #expect(ContinuousClock.now - begin < Self.lossTime)
  }

  /// Begins a request with one of several rows, and returns its connection when it has results.
  private func requestUnderWay(_ gateway: Gateway) throws -> HTTPClient {
    let client = try gateway.client()
    client.send("POST /v1/layouts?width=390&end=true HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n")
    client.sendChunk("{\"cell\":\"PostCell\",\"text\":\"x\"}\n")
    #expect(try client.response(atLeast: 10).status == 200)
    return client
  }

  @Test func aResponseUnderWayIsResetAfterTheEndOfTheCoordinator() throws {
    let gateway = try Gateway(scratch).whenReady()
    let client = try requestUnderWay(gateway)
    gateway.pool.coordinator.end(by: SIGKILL)
    let begin = ContinuousClock.now
    let rest = try client.more(atLeast: .max)
    #expect(!rest.isComplete && client.wasReset && !rest.text.contains("rows"))
    #expect(ContinuousClock.now - begin < Self.lossTime)
  }

  @Test func aStoppedCoordinatorCostsNoRequest() throws {
    let gateway = try Gateway(scratch).whenReady()
    let client = try requestUnderWay(gateway)
    gateway.pool.coordinator.signal(SIGSTOP)
    try eventually { try gateway.get("/readyz").text.contains("No coordinator") }
    gateway.pool.coordinator.signal(SIGCONT)
    client.sendChunk("")
    let rest = try client.more(atLeast: .max)
    #expect(rest.isComplete && rest.text.hasSuffix("{\"rows\":1}\n"))
  }

  @Test func theGatewayEndsWithTheRequestsThatAreUnderWay() throws {
    let gateway = try Gateway(scratch).whenReady()
    #expect(try gateway.post("width=390", try rows()).status == 200)
    #expect(gateway.process.end().code == 0)
  }
}
