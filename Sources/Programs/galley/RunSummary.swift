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

  /// Returns the whole number of rows per second.
  static func rate(_ rows: UInt64, _ seconds: Double) -> Double {
    seconds > 0 ? (Double(rows) / seconds).rounded() : 0
  }

  /// The line that a run prints.
  var text: String {
    let time = String(format: "%.2f", seconds)
    let taken = takenRows.map { ", \($0) of them taken over" } ?? ""
    return "\(rows) rows\(taken), \(frames) frames, \(Manifest.list(variants)) in \(time) s "
      + "(\(Int(Self.rate(rows, seconds))) rows/s)"
  }
}
