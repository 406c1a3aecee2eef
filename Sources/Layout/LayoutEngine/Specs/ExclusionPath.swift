/// A rectangle at a side of a text, beside which its lines are shorter, in points from the top left corner of the room of its lines.
/// Texture: `ASTextNode.exclusionPaths`.
public struct ExclusionPath: BitwiseCopyable, Equatable, Sendable {
  /// The side of the text that a rectangle touches.
  public enum Side: UInt8, BitwiseCopyable, Sendable, CaseIterable {
    case left, right
  }

  public let side: Side
  /// The distance from the top of the text.
  public let y: Float
  public let width: Float
  public let height: Float

  /// The parts of a point in which browsers calculate.
  private static let fraction = 64.0

  /// Creates a rectangle. Its lengths are rounded down to multiples of 1/64 point.
  public init(side: Side, y: Double, width: Double, height: Double) {
    self.side = side
    self.y = Self.roundDown(y)
    self.width = Self.roundDown(width)
    self.height = Self.roundDown(height)
  }

  private static func roundDown(_ length: Double) -> Float { Float((length * fraction).rounded(.down) / fraction) }
}
