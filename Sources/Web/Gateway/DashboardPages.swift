import Foundation
import HTTPServing

/// The pages of the gateway: those of the dashboard.
enum DashboardPages {
  private static let root = "dashboard.html"
  private static let pages = EmbeddedPages([
    root: PackageResources.dashboard_html, "dashboard.css": PackageResources.dashboard_css,
    "dashboard.js": PackageResources.dashboard_js, "charts.js": PackageResources.charts_js,
    "elements.js": PackageResources.elements_js, "events.js": PackageResources.events_js,
    "figure.js": PackageResources.figure_js, "format.js": PackageResources.format_js,
    "history.js": PackageResources.history_js, "lists.js": PackageResources.lists_js,
    "notices.js": PackageResources.notices_js, "start.js": PackageResources.start_js,
    "values.js": PackageResources.values_js,
  ])

  /// Returns the page at a path, or nil if there is none.
  static func response(for path: [String]) -> HTTPResponse? {
    // The dashboard has one address.
    guard path.count <= 1, path != [root] else { return nil }
    return pages.response(path.first ?? root, sources: "img-src 'self' data:")
  }
}
