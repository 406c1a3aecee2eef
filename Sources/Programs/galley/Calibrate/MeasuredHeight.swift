import LayoutEngine

/// A height that a device has measured, and the grid of pixels to which a layout rounds heights up.
struct MeasuredHeight {
  /// The most points by which two heights differ that are equal. Devices round to 1/64 point, or count in 32 bits.
  static let tolerance = 0.05

  /// The height in points. Some devices round it up to whole pixels as the layout does, and others do not.
  let points: Double
  let grid: PixelGrid

  private var pixel: Double { 1 / grid.scale }

  /// Whether the height is a whole number of pixels, apart from the noise of its decimals.
  private var isWhole: Bool {
    let pixels = points * grid.scale
    return pixel > Self.tolerance && (pixels - pixels.rounded()).magnitude < 0.002
  }

  /// Returns whether a text has the measured height in a layout.
  ///
  /// - Parameter height: The height of its lines, in points, which the layout rounds up.
  func isEqual(to height: Double) -> Bool {
    ((isWhole ? grid.ceil(height) : height) - points).magnitude <= Self.tolerance
  }

  /// The heights of lines that are equal to the measured one.
  var range: Range<Double> {
    guard isWhole else { return points - Self.tolerance..<points + Self.tolerance }
    // The upper end counts to the range, and the lower one to the pixel below.
    let noise = 1e-7
    return points - pixel + noise..<points + noise
  }
}
