import LayoutEngine

/// A height that a device has measured, and the grid of pixels to which a layout rounds heights up.
struct MeasuredHeight {
  /// The most points by which two heights differ that are equal. Devices round to 1/64 point, or count in 32 bits.
  static let tolerance = 0.05

  /// The height in points. Some devices round it up as the layout does, and others do not.
  let points: Double
  let grid: PixelGrid

  /// The height of a node with this height.
  private var rounded: Double { grid.ceil(points - Self.tolerance) }

  /// Returns whether a text has the measured height in a layout.
  ///
  /// - Parameter height: The height of its lines, in points, which the layout rounds up.
  func isEqual(to height: Double) -> Bool {
    let height = grid.ceil(height)
    return min((height - points).magnitude, (height - rounded).magnitude) <= Self.tolerance
  }

  /// The heights of lines that are equal to the measured one.
  var range: Range<Double> {
    let pixel = 1 / grid.scale
    guard pixel > Self.tolerance else { return points - Self.tolerance..<points + Self.tolerance }
    // The upper end counts to the range, and the lower one to the pixel below.
    let noise = 1e-7
    return rounded - pixel + noise..<rounded + noise
  }
}
