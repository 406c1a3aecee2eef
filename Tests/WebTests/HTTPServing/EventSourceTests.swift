import GalleyTestSupport
import HTTPServing
import Testing

/// Tests of what a new client of events receives.
@Suite struct EventSourceTests {
  @Test func eventsBeforeTheLastOnesAreSentInTheirShortForms() throws {
    let events = EventSource(history: 2, past: 2)
    let server = try HTTPServer(host: "127.0.0.1", port: 0) { _ in .events(events) }
    defer { try? server.stop() }
    for number in 1...9 {
      // The short forms of 1, 3, 5 and 7 have left the last events, and two of them are kept.
      events.send(.init("\(number)"), past: number % 2 == 1 ? .init("short \(number)", id: "\(number)") : nil)
    }
    let port = try #require(Int(server.address.split(separator: ":").last ?? ""))
    let client = try HTTPClient(port: port)
    client.request("GET", "/")
    let all = ": connected\n\nid: 5\ndata: short 5\n\nid: 7\ndata: short 7\n\ndata: 8\n\ndata: 9\n\n"
    #expect(try client.response(atLeast: all.utf8.count).text == all)
  }
}
