import Foundation

/// An axis of a plot, with the positions of values and labels.
struct PlotAxis: Equatable {
  struct Tick: Equatable {
    /// The position from 0 at the start of the axis to 1 at its end.
    let position: Double
    let label: String
  }

  let title: String
  let ticks: [Tick]
  /// The value at the end of the axis.
  let end: Double

  /// Returns an axis from 0 to a round number that is not less than `largest`.
  static func linear(_ title: String, upTo largest: Double) -> PlotAxis {
    let largest = largest > 0 ? largest : 1
    let step = roundStep(largest / 5)
    let count = Int((largest / step).rounded(.up))
    let digits = step < 1 ? Int((-log10(step)).rounded(.up)) : 0
    let ticks = (0...count).map {
      Tick(position: Double($0) / Double(count), label: decimal(Double($0) * step, digits))
    }
    return PlotAxis(title: title, ticks: ticks, end: Double(count) * step)
  }

  /// Returns an axis of percentiles like that of HdrHistogram's plots: 0, 90, 99, 99.9 … at equal distances, up to the
  /// last one that `values` values can distinguish.
  static func percentiles(_ title: String, values: UInt64) -> PlotAxis {
    let nines = max(Int(log10(Double(max(values, 1))).rounded(.up)), 1)
    let ticks = (0...nines).map { nine in
      let percentile = 100 * (1 - pow(10, -Double(nine)))
      return Tick(position: Double(nine) / Double(nines), label: "\(decimal(percentile, max(nine - 2, 0))) %")
    }
    return PlotAxis(title: title, ticks: ticks, end: Double(nines))
  }

  /// Returns the position of a value on a linear axis.
  func position(of value: Double) -> Double { value / end }

  /// Returns the position of a percentile. The position of 100, which would be infinite, is the end of the axis.
  func position(ofPercentile percentile: Double) -> Double { min(-log10(max(1 - percentile / 100, 1e-12)) / end, 1) }

  /// Returns the least number that is 1, 2 or 5 times a power of ten and not less than `least`.
  private static func roundStep(_ least: Double) -> Double {
    let magnitude = pow(10, log10(least).rounded(.down))
    return ([1, 2, 5].first { $0 * magnitude >= least } ?? 10) * magnitude
  }
}
