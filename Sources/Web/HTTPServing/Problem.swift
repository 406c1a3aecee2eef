import Foundation

/// An error of a request, which is sent as problem details (RFC 9457).
public struct Problem: Error, Sendable {
  public let status: Int
  /// A short text that is the same for each occurrence of the problem.
  public let title: String
  /// The place and the way out.
  public let detail: String
  /// The seconds after which the request may succeed; nil where that is not known.
  public let retrySeconds: Int?
  /// Further headers of the response.
  public let headers: [(name: String, value: String)]

  public init(
    _ status: Int, _ title: String, _ detail: String, retrySeconds: Int? = nil,
    headers: [(name: String, value: String)] = []
  ) {
    self.status = status
    self.title = title
    self.detail = detail
    self.retrySeconds = retrySeconds
    self.headers = headers
  }

  private struct Document: Encodable {
    let type = "about:blank"
    let title: String
    let status: Int
    let detail: String
  }

  /// The response that reports the problem.
  public var response: HTTPResponse {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let document = Document(title: title, status: status, detail: detail)
    let body = (try? encoder.encode(document)).map { [UInt8]($0) } ?? []
    var headers = self.headers + [("cache-control", "no-store")]
    if let retrySeconds { headers.append(("retry-after", "\(retrySeconds)")) }
    return HTTPResponse(status: status, type: "application/problem+json", headers: headers, body: body)
  }

  /// Returns the problem of a method that a path does not have.
  public static func method(allowed: String) -> Problem {
    Problem(
      405, "Method not allowed", "This path has the methods \(allowed).", headers: [("allow", allowed)])
  }

  public static let notFound = Problem(404, "Not found", "There is nothing at this path.")

  static let badTarget = Problem(400, "Bad target", "The target of the request is no path or URL.")
  static let badRequest = Problem(400, "Bad request", "The bytes that were received are not a request of HTTP/1.1.")
  static let longHead = Problem(431, "Long head", "The head of the request is too long.")
  static let truncated = Problem(
    400, "Truncated request", "The client ended the request before it was complete.")
  public static let stopped = Problem(503, "Stopped", "The server stops.", retrySeconds: 1)
  static let lateBody = Problem(408, "Request timeout", "The body did not come in time.")
  /// The problem of a request for which there is no room.
  static let busy = Problem(
    429, "Too many requests", "The server works on as many requests as it can.", retrySeconds: 1)

  static func unknownTransferCoding(_ coding: String) -> Problem {
    Problem(
      501, "Unknown transfer coding",
      "A body is sent with Transfer-Encoding: chunked, not \"\(coding)\"; state its compression in Content-Encoding.")
  }

  static func tooLarge(_ limit: Int) -> Problem {
    Problem(
      413, "Body too large", "The body has more than \(limit) bytes; send the rows in several requests.")
  }
}
