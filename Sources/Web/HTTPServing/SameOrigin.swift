import Foundation

/// The rule by which a server refuses what the pages of other sites send through a browser, except those of allowed origins.
///
/// A browser states the page's origin in `Origin` where a page of another origin sends something. A page of another site
/// whose name is made to resolve to this machine (DNS rebinding) is recognized by `Host`.
struct SameOrigin: Sendable {
  /// Whether the server listens only to this machine, so that a request has to name it by one of its own names.
  let isLoopback: Bool
  /// The other origins whose pages may send requests, such as `https://app.example.org`; `*` is any.
  let allowed: Set<String>

  /// The origin of every page.
  static let any = "*"
  /// The seconds for which a browser may keep the response to a preflight request.
  private static let preflightSeconds = 600

  /// Returns the problem of a request, or nil.
  func refusal(of request: HTTPRequest) -> Problem? {
    let (host, origin) = (request.header("host") ?? "", request.header("origin"))
    guard !host.isEmpty || request.isHTTP10 else {
      return Problem(400, "No host", "The request lacks the header Host.")
    }
    if isLoopback && !host.isEmpty && !Self.isLoopback(host) {
      return Problem(
        421, "Other host", "This server is reached as localhost, 127.0.0.1 or [::1], not as \(host).")
    }
    if let origin, allows(origin) { return nil }
    // A browser that opens a page, such as by a link, does not show it to the page that has the link.
    let isNavigation =
      request.method == "GET" && request.header("sec-fetch-mode") == "navigate"
      && request.header("sec-fetch-dest") == "document"
    if request.header("sec-fetch-site") == "cross-site", !isNavigation {
      return Problem(403, "Other site", "The request comes from a page of another site.")
    }
    guard let origin else { return nil }
    let address = origin.split(separator: "://", maxSplits: 1).last.map(String.init) ?? ""
    guard address.lowercased() == host.lowercased() else {
      return Problem(403, "Other site", "The request comes from a page of \(origin), not from one of this server.")
    }
    return nil
  }

  private func allows(_ origin: String) -> Bool { allowed.contains(origin.lowercased()) || allowed.contains(Self.any) }

  /// Returns the headers with which a browser passes a response on to a page of another origin (CORS); none for a request that
  /// no such page may send.
  func headers(of request: HTTPRequest?) -> [(name: String, value: String)] {
    guard let origin = request?.header("origin"), allows(origin) else { return [] }
    return [
      ("access-control-allow-origin", origin), ("access-control-expose-headers", "galley-rows, retry-after"),
      ("vary", "origin"),
    ]
  }

  /// Returns the response to a request by which a browser asks whether a page of another origin may send one; nil for any other
  /// request.
  func preflight(_ request: HTTPRequest) -> HTTPResponse? {
    guard request.method == "OPTIONS", request.header("access-control-request-method") != nil,
      let origin = request.header("origin"), allows(origin)
    else { return nil }
    return HTTPResponse(
      status: 204,
      headers: [
        ("access-control-allow-methods", "GET, POST, DELETE"),
        ("access-control-allow-headers", "accept, authorization, content-encoding, content-type"),
        ("access-control-max-age", "\(Self.preflightSeconds)"),
      ])
  }

  /// Returns whether a text is an origin as browsers state it: a scheme and a host in lower case, with a port if it is not that of
  /// the scheme.
  static func isOrigin(_ text: String) -> Bool {
    let parts = text.components(separatedBy: "://")
    guard parts.count == 2, let port = ["http": 80, "https": 443][parts[0]] else { return false }
    return !parts[1].isEmpty && !parts[1].hasSuffix(":\(port)")
      && parts[1].allSatisfy { $0.isLowercase || $0.isNumber || ".-:[]".contains($0) }
  }

  /// Returns whether a name with or without a port is one of this machine's own.
  private static func isLoopback(_ host: String) -> Bool {
    var name = host.lowercased()
    if let colon = name.lastIndex(of: ":"), name[name.index(after: colon)...].allSatisfy(\.isNumber) {
      name = String(name[..<colon])
    }
    return HTTPServer.isLoopback(name == "[::1]" ? "::1" : name)
  }
}
