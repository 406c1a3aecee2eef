import Foundation
import NIOHTTP1

/// The head of a request.
public struct HTTPRequest: Sendable {
  /// A part of the query of a target, such as `width=320,390`.
  public struct QueryItem: Equatable, Sendable {
    public let name: String
    public let value: String
  }

  public let method: String
  /// The segments of the path without their percent encoding; empty for `/`.
  public let path: [String]
  public let query: [QueryItem]
  /// The length that the client has stated for the body, in bytes; nil without one. One that no `Int` can hold, which is beyond
  /// every limit, is the greatest `Int`.
  public let bodySize: Int?
  let headers: HTTPHeaders
  /// Whether the request is of HTTP/1.0, which has neither the header `Host` nor bodies in chunks.
  public let isHTTP10: Bool

  var hasBody: Bool { bodySize.map { $0 > 0 } ?? headers.contains(name: "transfer-encoding") }

  /// Returns nil for a target that is no path or URL, or whose percent encoding is no UTF-8.
  init?(_ head: HTTPRequestHead) {
    guard let target = Self.path(of: head.uri) else { return nil }
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var path: [String] = []
    for segment in parts[0].split(separator: "/", omittingEmptySubsequences: true) {
      guard let text = String(segment).removingPercentEncoding else { return nil }
      path.append(text)
    }
    guard let query = Self.query(parts.count > 1 ? parts[1] : "") else { return nil }
    method = head.method.rawValue
    self.path = path
    self.query = query
    headers = head.headers
    isHTTP10 = head.version == .http1_0
    bodySize = head.headers.first(name: "content-length").map { Int($0.trimmingCharacters(in: .whitespaces)) ?? .max }
  }

  /// Returns the path and the query of a target, which may be a URL (RFC 9112, 3.2.2).
  private static func path(of target: String) -> Substring? {
    if target.hasPrefix("/") { return target[...] }
    guard let url = target.prefixMatch(of: #/https?://[^/?]+/#.ignoresCase()) else { return nil }
    let path = target[url.range.upperBound...]
    return path.isEmpty ? "/" : path
  }

  /// Returns the items in the encoding of forms, in which a space is `+`.
  private static func query(_ text: Substring) -> [QueryItem]? {
    var items: [QueryItem] = []
    for item in text.split(separator: "&") {
      let sides = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = decoded(sides[0]), let value = decoded(sides.count > 1 ? sides[1] : "") else { return nil }
      items.append(QueryItem(name: name, value: value))
    }
    return items
  }

  private static func decoded(_ text: Substring) -> String? {
    text.replacing("+", with: " ").removingPercentEncoding
  }

  /// Returns the value of a header, or nil without it. Several headers of the name are joined by commas.
  public func header(_ name: String) -> String? {
    // The decoder leaves spaces after a value, which are no part of it (RFC 9112, 5.1).
    let values = headers[name].map { $0.trimmingCharacters(in: .whitespaces) }
    return values.isEmpty ? nil : values.joined(separator: ",")
  }

  /// Returns the elements of a header that has a list, without their parameters, in lower case.
  ///
  /// An element whose weight is 0, as in `gzip;q=0`, is left out. The others come in the order of their weights.
  public func list(_ name: String) -> [String] {
    // The sort is stable only by the index.
    elements(of: name).filter { $0.weight > 0 }.enumerated()
      .sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
      .map(\.element.name)
  }

  /// Returns whether a header that has a list accepts an element: by its name, or by `*` if its name is not there.
  public func accepts(_ element: String, in name: String) -> Bool {
    let elements = elements(of: name)
    let match = elements.first { $0.name == element } ?? elements.first { $0.name == "*" }
    return (match?.weight ?? 0) > 0
  }

  private func elements(of name: String) -> [(name: String, weight: Double)] {
    headers[canonicalForm: name].compactMap { element in
      let parts = element.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
      guard let name = parts.first, !name.isEmpty else { return nil }
      return (name, parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1)
    }
  }
}
