/// A response whose body is in memory.
public struct HTTPResponse: Sendable {
  public var status: Int
  public var headers: [(name: String, value: String)]
  public var body: [UInt8]

  public init(status: Int = 200, type: String, headers: [(name: String, value: String)] = [], body: [UInt8]) {
    self.status = status
    self.headers = [("content-type", type)] + headers
    self.body = body
  }

  /// A response without a body.
  public init(status: Int, headers: [(name: String, value: String)] = []) {
    self.status = status
    self.headers = headers
    body = []
  }

  /// A text that holds only for this request: a cache must not give it to others, who may have no token.
  public static func unstored(_ text: String, type: String) -> HTTPResponse {
    HTTPResponse(type: type, headers: [("cache-control", "no-store")], body: Array(text.utf8))
  }

  public static func json(_ text: String) -> HTTPResponse { unstored(text, type: "application/json") }
}

/// What a server does with a request.
public enum HTTPReply: Sendable {
  /// Sends a response at once. A body of the request is not read.
  case response(HTTPResponse)
  /// Calls a function on a thread that may block, with the body of the request and the stream for the response.
  case work(@Sendable (RequestBody, ResponseStream) -> Void)
  /// Sends the events of a source until the client ends the connection.
  case events(EventSource)
}
