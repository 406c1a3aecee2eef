/// A route of the gateway, which is a label of its metrics.
enum Route: String, CaseIterable, Sendable {
  case layouts, status, events, batches, metrics, health, readiness, description, pages, other

  /// The route of a path, given as its segments.
  init(_ path: [String]) {
    if path.count == 3, path.starts(with: ["v1", "batches"]) {
      self = .batches
      return
    }
    switch path {
    case ["v1", "layouts"]: self = .layouts
    case ["v1", "status"]: self = .status
    case ["v1", "events"]: self = .events
    case ["metrics"]: self = .metrics
    case ["healthz"]: self = .health
    case ["readyz"]: self = .readiness
    case ["openapi.json"]: self = .description
    default: self = DashboardPages.response(for: path) == nil ? .other : .pages
    }
  }
}
