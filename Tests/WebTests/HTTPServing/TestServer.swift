import GalleyTestSupport
import Glibc
import Synchronization
import Testing

@testable import HTTPServing

/// A server whose routes are those that the tests need.
final class TestServer {
  let server: HTTPServer
  let counts = ServerCounts()
  let port: Int
  /// The first segments of the paths of the requests that have ended.
  let ended = Ended()
  /// The source of the events of the path `/events`.
  let events = EventSource(history: 2)

  init(allowedOrigins: Set<String> = [], _ change: (inout ServerLimits) -> Void = { _ in }) throws {
    var limits = ServerLimits()
    // A test whose client is to be late states a limit: on a busy machine each client is late now and then.
    (limits.headMilliseconds, limits.idleMilliseconds) = (10_000, 10_000)
    (limits.writeMilliseconds, limits.droppedMilliseconds) = (10_000, 300)
    limits.stopMilliseconds = 5000
    change(&limits)
    let (ended, events) = (self.ended, self.events)
    server = try HTTPServer(
      host: "127.0.0.1", port: 0, allowedOrigins: allowedOrigins, limits, counts: counts,
      onEnd: { request, _ in ended.add(request?.path.first) }
    ) { request in
      switch request.path {
      case ["echo"]: .work { Self.echo($0, $1) }
      case ["counted"]: .work { Self.count($0, $1) }
      case ["endless"]: .work { Self.writeWithoutEnd($0, $1) }
      case ["failing"]: .work { Self.fail($0, $1) }
      case ["silent"]: .work { body, _ in body.discard() }
      case ["long"]: .response(HTTPResponse(type: "text/plain", body: Self.long))
      case ["events"]: .events(events)
      default:
        .response(
          HTTPResponse(type: "text/plain", body: Array("\(request.method) \(request.path) \(request.query)".utf8)))
      }
    }
    port = try #require(Int(server.address.split(separator: ":").last ?? ""))
  }

  deinit { try? server.stop() }

  func client(receiveBuffer: Int32? = nil) throws -> HTTPClient {
    try HTTPClient(port: port, receiveBuffer: receiveBuffer)
  }

  /// The body of the response to `/long`.
  static let long = [UInt8](repeating: 0x61, count: 1 << 20)
  /// The number of endless responses that have ended.
  static let endless = Atomic<Int>(0)

  /// Writes what it reads as soon as it comes.
  private static func echo(_ body: RequestBody, _ response: ResponseStream) {
    if copy(body, response) != nil { response.finish() }
  }

  /// Writes what it reads, and the number of bytes behind it.
  private static func count(_ body: RequestBody, _ response: ResponseStream) {
    response.setHead(headers: [], trailers: ["count"])
    if let count = copy(body, response) { response.finish(trailers: [("count", "\(count)")]) }
  }

  /// Returns the number of bytes, or nil after the end of the connection.
  private static func copy(_ body: RequestBody, _ response: ResponseStream) -> Int? {
    var sum = 0
    defer { close(body.descriptor) }
    var block = [UInt8](repeating: 0, count: 64 << 10)
    while case let count = read(body.descriptor, &block, block.count), count > 0 {
      guard (try? response.write(Array(block[..<count]))) != nil, body.isComplete || (try? response.flush()) != nil
      else { return nil }
      sum += count
    }
    return sum
  }

  private static func writeWithoutEnd(_ body: RequestBody, _ response: ResponseStream) {
    body.discard()
    let block = [UInt8](repeating: 0x61, count: 64 << 10)
    while (try? response.write(block)) != nil {}
    endless.add(1, ordering: .relaxed)
  }

  private static func fail(_ body: RequestBody, _ response: ResponseStream) {
    body.discard()
    try? response.write(Array("begun".utf8))
    try? response.flush()
    response.respond(Problem(502, "Failed", "It failed.").response)
  }
}

/// The requests that have ended.
final class Ended: Sendable {
  private let paths = Mutex<[String?]>([])

  func add(_ path: String?) { paths.withLock { $0.append(path) } }

  var all: [String?] { paths.withLock { $0 } }
}

/// A value that only one thread uses at a time, as the test is written.
struct Unchecked<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
