import LayoutEngine

/// One of the combinations of width, text scale and screen scale that a batch is laid out for.
public struct Variant: Hashable, Sendable {
  /// Of the list, in points.
  public var width: Double
  /// Multiplies font sizes and line heights.
  public var textScale: Double
  /// Device pixels a point.
  public var scale: Double

  /// Variants of one batch.
  public static let limit = 256
  /// Points; every width is below.
  public static let widthLimit = 10_000_000.0
  /// The largest text scale and scale.
  public static let scaleLimit = 100.0

  public init(width: Double, textScale: Double = 1, scale: Double = 2) {
    self.width = width
    self.textScale = textScale
    self.scale = scale
  }

  /// Name of the variant's directory: `w390`, `w390-t1.35`, `w390@3x`.
  public var name: String {
    "w\(Self.format(width))" + (textScale == 1 ? "" : "-t\(Self.format(textScale))")
      + (scale == 2 ? "" : "@\(Self.format(scale))x")
  }

  private static func format(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? "\(number)"
  }

  /// Whether the numbers make sense: positive, finite, and a width a layout can have.
  public var isValid: Bool {
    width > 0 && width < Self.widthLimit && textScale > 0 && textScale <= Self.scaleLimit && scale > 0
      && scale <= Self.scaleLimit
  }

  public var constrainedSize: SizeRange { SizeRange(width: width) }
}
