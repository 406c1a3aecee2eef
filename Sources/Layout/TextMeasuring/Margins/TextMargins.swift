/// Bounds within which the space of a text can change without another number of lines, or another height of them, in points.
public struct TextMargins: BitwiseCopyable, Equatable, Sendable {
  /// The length by less than which the space can shrink; infinite if no length gives the text another number of lines.
  public var narrower: Double
  /// The length by less than which the space can grow; infinite if no length gives the text another number of lines.
  public var wider: Double

  /// The margins of a text whose lines do not depend on its space.
  public static let unlimited = TextMargins(narrower: .infinity, wider: .infinity)

  /// Creates margins from lengths in points. Negative lengths become 0. NaN is the difference of two infinite lengths: an
  /// infinite space cannot grow to another number of lines, and nothing is known of one that shrinks.
  public init(narrower: Double, wider: Double) {
    self.narrower = narrower.isNaN ? 0 : max(narrower, 0)
    self.wider = wider.isNaN ? .infinity : max(wider, 0)
  }

  /// Returns the margins within which both texts keep their lines.
  public func intersection(_ other: TextMargins) -> TextMargins {
    TextMargins(narrower: min(narrower, other.narrower), wider: min(wider, other.wider))
  }
}
