/// The rule by which a server refuses what the pages of other sites send through a browser.
///
/// A browser states the page's origin in `Origin` where a page of another origin sends something. A page of another site
/// whose name is made to resolve to this machine (DNS rebinding) is recognized by `Host`.
struct SameOrigin: Sendable {
  /// Whether the server listens only to this machine, so that a request has to name it by one of its own names.
  let isLoopback: Bool

  /// Returns the problem of a request with these headers, or nil.
  func refusal(host: String?, origin: String?, site: String?) -> Problem? {
    guard let host, !host.isEmpty else {
      return Problem(400, "No host", "The request lacks the header Host.")
    }
    if isLoopback && !Self.isLoopback(host) {
      return Problem(
        421, "Other host", "This server is reached as localhost, 127.0.0.1 or [::1], not as \(host).")
    }
    if let site, site == "cross-site" {
      return Problem(403, "Other site", "The request comes from a page of another site.")
    }
    guard let origin else { return nil }
    let address = origin.split(separator: "://", maxSplits: 1).last.map(String.init) ?? ""
    guard address.lowercased() == host.lowercased() else {
      return Problem(403, "Other site", "The request comes from a page of \(origin), not from one of this server.")
    }
    return nil
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
