import Foundation
import HTTPServing

/// The pages of the gateway, which are part of the program: those of the dashboard.
enum Pages {
  private struct Page {
    let type: String
    let bytes: [UInt8]
  }

  /// The pages by their paths.
  private static let pages: [[String]: Page] = [
    []: Page(type: "text/html; charset=utf-8", bytes: PackageResources.dashboard_html),
    ["dashboard.css"]: Page(type: "text/css; charset=utf-8", bytes: PackageResources.dashboard_css),
    ["dashboard.js"]: script(PackageResources.dashboard_js),
    ["chart.js"]: script(PackageResources.chart_js),
    ["elements.js"]: script(PackageResources.elements_js),
    ["events.js"]: script(PackageResources.events_js),
    ["format.js"]: script(PackageResources.format_js),
    ["history.js"]: script(PackageResources.history_js),
    ["lists.js"]: script(PackageResources.lists_js),
    ["notices.js"]: script(PackageResources.notices_js), ["start.js"]: script(PackageResources.start_js),
  ]

  private static func script(_ bytes: [UInt8]) -> Page { Page(type: "text/javascript; charset=utf-8", bytes: bytes) }

  /// The pages load nothing from other places and run no script but their own.
  private static let headers = [
    (
      name: "content-security-policy",
      value: "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    (name: "referrer-policy", value: "no-referrer"), (name: "cache-control", value: "no-cache"),
  ]

  /// Returns the page at a path, or nil if there is none.
  static func response(for path: [String]) -> HTTPResponse? {
    pages[path].map { HTTPResponse(type: $0.type, headers: headers, body: $0.bytes) }
  }
}
