import HTTPServing

/// The pages of the gateway: those of the dashboard.
enum DashboardPages {
  private static let root = "dashboard.html"
  private static let pages = EmbeddedPages("Web/Gateway/Pages")

  /// Returns the page at a path, or nil if there is none.
  static func response(for path: [String]) -> HTTPResponse? {
    // The dashboard has one address.
    guard path.count <= 1, path != [root] else { return nil }
    return pages.response(path.first ?? root, sources: "img-src 'self' data:")
  }
}
