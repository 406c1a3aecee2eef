import GalleyTestSupport
import Testing

@testable import HTTPServing

/// Tests of what is left of connections that have ended.
@Suite struct ConnectionTests {
  /// A connection refers to what it shares with the server, the counts among it. These are freed only after all connections.
  @Test(arguments: [
    ("", false), ("G", false), ("\u{16}\u{3}\r\n\r\n", true), ("GET /x HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n", true),
    ("GET /events HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n", true),
    ("POST /echo HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 4\r\n\r\nrows", true),
    ("POST /echo HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 100\r\n\r\nhalf", false),
    ("POST /echo HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n", true),
  ])
  func aConnectionThatHasEndedIsFreed(bytes: String, hasResponse: Bool) throws {
    weak var counts: ServerCounts?
    do {
      let server = try TestServer()
      counts = server.counts
      do {
        let client = try server.client()
        client.send(bytes)
        if hasResponse { _ = try client.response(atLeast: 1) }
      }
      try eventually { server.counts.values.accepted == 1 && server.counts.values.connections == 0 }
    }
    try eventually { counts == nil }
  }
}
