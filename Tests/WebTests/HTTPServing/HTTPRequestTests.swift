import NIOHTTP1
import Testing

@testable import HTTPServing

/// Tests of what the head of a request states.
@Suite struct HTTPRequestTests {
  @Test(arguments: [
    ("gzip", true), ("br, gzip;q=0.5", true), ("*", true), ("br;q=1, *;q=0.1", true), ("gzip;q=0, *", false),
    ("*, GZIP; q=0", false), ("*;q=0", false), ("*;q=0, gzip", true), ("br", false), ("", false),
  ])
  func anElementIsAcceptedByItsNameOrElseByTheStar(header: String, isAccepted: Bool) throws {
    let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: ["accept-encoding": header])
    #expect(try #require(HTTPRequest(head)).accepts("gzip", in: "accept-encoding") == isAccepted)
  }
}
