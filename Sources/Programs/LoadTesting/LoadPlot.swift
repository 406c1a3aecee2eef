/// A picture of a run with two plots: latency by percentile, and throughput over time.
public enum LoadPlot {
  private static let width = 840.0
  private static let height = 660.0
  private static let left = 90.0
  private static let plotWidth = 710.0
  private static let plotHeight = 210.0
  private static let tops = (latency: 80.0, throughput: 385.0)

  /// The number of points each time the distance to 100 % is halved.
  private static let ticksPerHalf = 5

  /// Returns the picture as an SVG document.
  public static func svg(_ report: LoadReport) -> String {
    let lines =
      [
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width) \(height)\" width=\"\(width)\" "
          + "height=\"\(height)\" font-family=\"Inter, sans-serif\" font-size=\"13\" fill=\"#333333\">",
        "<rect width=\"\(width)\" height=\"\(height)\" fill=\"#ffffff\"/>",
        text(report.heading, left, 34, size: 16),
        text(report.subheading, left, 54),
      ] + latency(report) + throughput(report) + ["</svg>"]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func latency(_ report: LoadReport) -> [String] {
    let x = PlotAxis.percentiles("percentile of batches", values: report.latencies.totalCount)
    let y = PlotAxis.linear("latency (ms)", upTo: report.latency?.max ?? 0)
    guard report.latency != nil else { return frame(x, y, top: tops.latency) }
    // The curve begins with the lowest latency at percentile 0.
    var points = [(x: 0.0, y: y.position(of: Double(report.latencies.min) / 1000))]
    points += report.latencies.percentiles(ticksPerHalfDistance: ticksPerHalf).map {
      (x.position(ofPercentile: $0.percentileLevelIteratedTo), y.position(of: Double($0.value) / 1000))
    }
    return frame(x, y, top: tops.latency) + [line(points, top: tops.latency, color: "#c2410c")]
  }

  private static func throughput(_ report: LoadReport) -> [String] {
    let x = PlotAxis.linear("time (s from the end of the warm-up)", upTo: report.seconds)
    let y = PlotAxis.linear("throughput (rows/s)", upTo: report.throughput.max() ?? 0)
    let parts = Double(max(report.throughput.count, 1))
    // The throughput is constant in each part.
    let points = report.throughput.enumerated().flatMap { part, rows in
      [part, part + 1].map { (x: x.position(of: Double($0) / parts * report.seconds), y: y.position(of: rows)) }
    }
    return frame(x, y, top: tops.throughput) + [line(points, top: tops.throughput, color: "#1d4ed8")]
  }

  /// Returns the grid, labels and titles of a plot.
  private static func frame(_ x: PlotAxis, _ y: PlotAxis, top: Double) -> [String] {
    let bottom = top + plotHeight
    var lines: [String] = []
    for tick in y.ticks {
      let height = bottom - tick.position * plotHeight
      lines.append(rule(left, height, left + plotWidth, height))
      lines.append(text(tick.label, left - 8, height + 4, anchor: "end"))
    }
    for tick in x.ticks {
      let position = left + tick.position * plotWidth
      lines.append(rule(position, top, position, bottom))
      lines.append(text(tick.label, position, bottom + 18, anchor: "middle"))
    }
    lines.append(text(x.title, left + plotWidth / 2, bottom + 40, anchor: "middle"))
    let middle = top + plotHeight / 2
    lines.append(
      "<text x=\"24\" y=\"\(middle)\" text-anchor=\"middle\" transform=\"rotate(-90 24 \(middle))\">\(y.title)</text>")
    return lines
  }

  /// Returns a curve.
  ///
  /// - Parameter points: Positions from 0 to 1 on both axes.
  private static func line(_ points: [(x: Double, y: Double)], top: Double, color: String) -> String {
    let path = points.map { point in
      "\(decimal(left + point.x * plotWidth, 1)),\(decimal(top + (1 - point.y) * plotHeight, 1))"
    }
    return "<polyline points=\"\(path.joined(separator: " "))\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"2\"/>"
  }

  private static func rule(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> String {
    "<line x1=\"\(x1)\" y1=\"\(y1)\" x2=\"\(x2)\" y2=\"\(y2)\" stroke=\"#dddddd\"/>"
  }

  private static func text(
    _ text: String, _ x: Double, _ y: Double, anchor: String = "start", size: Int = 13
  ) -> String {
    "<text x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor)\" font-size=\"\(size)\">\(text)</text>"
  }
}
