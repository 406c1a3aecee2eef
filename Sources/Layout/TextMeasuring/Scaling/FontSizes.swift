import LayoutEngine

/// The size of a font at each text size of iOS, in points.
public struct FontSizes: BitwiseCopyable, Sendable {
  private var sizes: InlineArray<12, Double>

  /// Creates the sizes from those that a font states.
  ///
  /// A text size that is not stated has the font's size at the nearest smaller one that is, or if there is none, at the
  /// smallest. The plain size of the font is its size at L, unless that is stated.
  public init(_ stated: [TextSize: Double], plain: Double) {
    let known = stated.merging([.large: plain]) { stated, _ in stated }
    let all = TextSize.allCases
    var current = all.lazy.compactMap { known[$0] }.first ?? plain
    sizes = InlineArray(repeating: current)
    for size in all {
      current = known[size] ?? current
      sizes[Int(size.rawValue)] = current
    }
  }

  /// The size of the font at a text size.
  public subscript(size: TextSize) -> Double { sizes[Int(size.rawValue)] }
}
