import Foundation

/// One direction of a plot: which values lie where, and which are named.
struct PlotAxis: Equatable {
  struct Tick: Equatable {
    /// From 0 at the axis's start to 1 at its end.
    let place: Double
    let label: String
  }

  let title: String
  let ticks: [Tick]
  /// The value at the axis's end.
  let end: Double

  /// From 0 to a round number that is not below `largest`.
  static func linear(_ title: String, upTo largest: Double) -> PlotAxis {
    let largest = largest > 0 ? largest : 1
    let step = roundStep(largest / 5)
    let count = Int((largest / step).rounded(.up))
    let digits = step < 1 ? Int((-log10(step)).rounded(.up)) : 0
    let ticks = (0...count).map {
      Tick(place: Double($0) / Double(count), label: decimal(Double($0) * step, digits))
    }
    return PlotAxis(title: title, ticks: ticks, end: Double(count) * step)
  }

  /// Percentiles as HdrHistogram's plots have them: 0, 90, 99, 99.9 … at equal distances, as far as the values tell.
  static func percentiles(_ title: String, values: UInt64) -> PlotAxis {
    let nines = max(Int(log10(Double(max(values, 1))).rounded(.up)), 1)
    let ticks = (0...nines).map { nine in
      let percentile = 100 * (1 - pow(10, -Double(nine)))
      return Tick(place: Double(nine) / Double(nines), label: "\(decimal(percentile, max(nine - 2, 0))) %")
    }
    return PlotAxis(title: title, ticks: ticks, end: Double(nines))
  }

  /// Where a value of a linear axis lies.
  func place(of value: Double) -> Double { value / end }

  /// Where a percentile lies; the hundredth, which would be nowhere, at the end.
  func place(ofPercentile percentile: Double) -> Double { min(-log10(max(1 - percentile / 100, 1e-12)) / end, 1) }

  /// 1, 2 or 5 times a power of ten, not below a number.
  private static func roundStep(_ least: Double) -> Double {
    let magnitude = pow(10, log10(least).rounded(.down))
    return ([1, 2, 5].first { $0 * magnitude >= least } ?? 10) * magnitude
  }
}
