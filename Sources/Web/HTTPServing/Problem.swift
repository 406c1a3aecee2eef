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
}

extension Problem {
  /// Returns the problem of a method that a path does not have.
  public static func method(allowed: String) -> Problem {
    Problem(
      405, "Method not allowed", "This path has the methods \(allowed).", headers: [("allow", allowed)])
  }

  public static let notFound = Problem(404, "Not found", "There is nothing at this path.")
}
