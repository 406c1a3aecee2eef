import NIOHTTP1
import Testing

@testable import HTTPServing

/// Tests of what the head of a request states.
@Suite struct HTTPRequestTests {
  @Test(arguments: [
    ("/v1/status?a=b", ["v1", "status"]), ("http://127.0.0.1:8080/v1/status?a=b", ["v1", "status"]),
    ("HTTPS://host?a=b", []),
  ])
  func aTargetIsAPathOrAURL(target: String, path: [String]) throws {
    let request = try #require(HTTPRequest(HTTPRequestHead(version: .http1_1, method: .GET, uri: target)))
    #expect(request.path == path)
    #expect(request.query == [.init(name: "a", value: "b")])
  }

  @Test(arguments: ["*", "host:80", "http:///a", "ftp://host/a", ""]) func anotherTargetIsNone(target: String) {
    #expect(HTTPRequest(HTTPRequestHead(version: .http1_1, method: .GET, uri: target)) == nil)
  }

  @Test(arguments: [
    ("gzip", true), ("br, gzip;q=0.5", true), ("*", true), ("br;q=1, *;q=0.1", true), ("gzip;q=0, *", false),
    ("*, GZIP; q=0", false), ("*;q=0", false), ("*;q=0, gzip", true), ("br", false), ("", false),
  ])
  func anElementIsAcceptedByItsNameOrElseByTheStar(header: String, isAccepted: Bool) throws {
    let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: ["accept-encoding": header])
    #expect(try #require(HTTPRequest(head)).accepts("gzip", in: "accept-encoding") == isAccepted)
  }
}
