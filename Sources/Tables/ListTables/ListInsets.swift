/// Distances from the four edges of a rectangle on the screen, in points.
public struct ListInsets: Equatable, Sendable {
  public var top, left, bottom, right: Double

  public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }

  /// Returns the insets before the first row and after the last row of a list.
  func along(_ axis: ListAxis) -> (leading: Double, trailing: Double) {
    switch axis {
    case .vertical: (top, bottom)
    case .inverted: (bottom, top)
    case .horizontal: (left, right)
    case .rightToLeft: (right, left)
    }
  }
}
