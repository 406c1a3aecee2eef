/// The sizes of fonts at a font scale of Android 14 and later, which enlarges small sizes more than large ones. Source:
/// AOSP's `FontScaleConverterFactory` and `FontScaleConverterImpl`.
enum AndroidFontScale {
  /// The scales at which sizes are listed. At the scale 1, each size stays as it is.
  private static let scales: InlineArray<6, Double> = [1, 1.15, 1.3, 1.5, 1.8, 2]
  /// The sizes in sp whose sizes in dp are listed.
  private static let sizes: InlineArray<10, Double> = [0, 8, 10, 12, 14, 18, 20, 24, 30, 100]
  /// The sizes in dp at each of the scales.
  private static let scaledSizes: InlineArray<6, InlineArray<10, Double>> = [
    [0, 8, 10, 12, 14, 18, 20, 24, 30, 100],
    [0, 9.2, 11.5, 13.8, 16.4, 19.8, 21.8, 25.2, 30, 100],
    [0, 10.4, 13, 15.6, 18.8, 21.6, 23.6, 26.4, 30, 100],
    [0, 12, 15, 18, 22, 24, 26, 28, 30, 100],
    [0, 14.4, 18, 21.6, 24.4, 27.6, 30.8, 32.8, 34.8, 100],
    [0, 16, 20, 24, 26, 30, 34, 36, 38, 100],
  ]
  /// The least scale at which sizes are not multiplied by the scale.
  private static let leastScale = 1.03

  /// Returns whether each size is multiplied by a scale.
  static func isLinear(_ scale: Double) -> Bool { scale < leastScale || scale > scales[scales.count - 1] }

  /// Returns the size in dp of a size in sp. Android converts negative numbers, such as those of letter spacing, as their
  /// magnitude.
  static func size(of size: Double, at scale: Double) -> Double {
    guard !isLinear(scale) else { return size * scale }
    let magnitude = size.magnitude
    let last = sizes.count - 1
    var column = 0
    while column + 1 < last && sizes[column + 1] <= magnitude { column += 1 }
    let (low, high) = (listedSize(column, at: scale), listedSize(column + 1, at: scale))
    // Beyond the list, the ratio is that of its last size.
    let scaled =
      magnitude >= sizes[last]
      ? magnitude * (high / sizes[last])
      : interpolated(low, high, (magnitude - sizes[column]) / (sizes[column + 1] - sizes[column]))
    return size < 0 ? -scaled : scaled
  }

  /// Returns the size in dp in a column of the list, at a scale that can be between two of its rows.
  private static func listedSize(_ column: Int, at scale: Double) -> Double {
    var row = 0
    while row + 2 < scales.count && scales[row + 1] <= scale { row += 1 }
    return interpolated(
      scaledSizes[row][column], scaledSizes[row + 1][column], (scale - scales[row]) / (scales[row + 1] - scales[row]))
  }

  private static func interpolated(_ low: Double, _ high: Double, _ fraction: Double) -> Double {
    // The end of a range has exactly the listed size.
    fraction >= 1 ? high : low + (high - low) * fraction
  }
}
