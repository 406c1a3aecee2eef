import Foundation

/// The totals of a run.
struct RunSummary {
  let rows: UInt64
  /// The number of rows that were taken from an earlier run; nil without one.
  let takenRows: UInt64?
  /// The number of frames of all variants together.
  let frames: UInt64
  /// The names of the variants.
  let variants: [String]
  let seconds: Double

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
    let totals = "\(rows) rows\(taken), \(frames) frames, \(Manifest.list(variants))"
    return switch work {
    case .layout: "\(totals) in \(time) (\(Int(Self.rate(rows, seconds))) rows/s)"
    case .fetch: "\(totals) fetched in \(time)"
    }
  }
}
