import Foundation

/// The totals of a run.
struct RunSummary {
  let rows: UInt64
  /// The number of rows that were taken from an earlier run; nil without one.
  let takenRows: UInt64?
  /// The number of frames of all variants together.
  let frames: UInt64
  let variants: [String]
  let seconds: Double
  /// The shares of the rows with margins whose lines may change within half a point, of the variants that have such rows.
  var uncertain: [Double] = []

  /// The work that was done in the time of a run.
  enum Work {
    case layout
    /// The results of an earlier layout were copied, so that there is no rate of a layout.
    case fetch
  }

  /// Returns the whole number of rows per second.
  static func rate(_ rows: UInt64, _ seconds: Double) -> Double {
    seconds > 0 ? (Double(rows) / seconds).rounded() : 0
  }

  /// Returns the line that a run prints.
  func text(of work: Work) -> String {
    let time = String(format: "%.2f s", seconds)
    let taken = takenRows.map { ", \($0) of them taken over" } ?? ""
    let frames = frames == 0 ? "no frames" : "\(frames) frames"
    let totals = "\(rows) rows\(taken), \(frames), \(Manifest.list(variants))"
    return switch work {
    case .layout: "\(totals) in \(time) (\(Int(Self.rate(rows, seconds))) rows/s)\(uncertainty)"
    case .fetch: "\(totals) fetched in \(time)\(uncertainty)"
    }
  }

  /// The clause about rows whose lines may differ on a device, or an empty string if no row has margins.
  private var uncertainty: String {
    guard let most = uncertain.max() else { return "" }
    let share = String(format: "%.1f %%", 100 * most)
    let prefix = uncertain.count > 1 ? "up to " : ""
    return "; \(prefix)\(share) of the rows with texts are within 0.5 points of another number of lines"
  }
}
