/// How the rows of a list follow each other in the direction in which it scrolls.
///
///     vertical    inverted    horizontal     rightToLeft
///     ┌─────┐     ┌─────┐     ┌───┬───┬───┐  ┌───┬───┬───┐
///     │  0  │     │  2  │     │ 0 │ 1 │ 2 │  │ 2 │ 1 │ 0 │
///     ├─────┤     ├─────┤     └───┴───┴───┘  └───┴───┴───┘
///     │  1  │     │  1  │
///     ├─────┤     ├─────┤
///     │  2  │     │  0  │
///     └─────┘     └─────┘
public enum ListAxis: String, CaseIterable, Sendable {
  /// Row 0 is at the top, and offsets count from the top.
  case vertical
  /// Row 0 is at the bottom, and offsets count from the bottom: those of an `ASCollectionNode` that is inverted, whose view
  /// is flipped.
  case inverted
  /// Row 0 is at the left, and offsets count from the left.
  case horizontal
  /// Row 0 is at the right, but offsets count from the left, as Texture takes them from a collection view whose layout does
  /// not flip its coordinates.
  case rightToLeft

  /// The direction on the screen in which the viewport moves when its offset grows.
  public var positiveDirection: ScrollDirection {
    switch self {
    case .vertical: .down
    case .inverted: .up
    case .horizontal, .rightToLeft: .right
    }
  }

  /// The direction on the screen that leads from the first row to the last.
  public var forwardDirection: ScrollDirection { self == .rightToLeft ? .left : positiveDirection }

  /// The directions in which the list scrolls, the one towards the last row first.
  public var directions: [ScrollDirection] { [forwardDirection, forwardDirection.opposite] }

  /// Returns whether a direction leads towards the first row. A direction in which the list does not scroll, and nil, do
  /// not, as in Texture's `ASBatchFetching`.
  @inline(__always)
  func isBackward(_ direction: ScrollDirection?) -> Bool { direction == forwardDirection.opposite }
}

/// The direction on the screen in which the viewport of a list moves.
public enum ScrollDirection: String, CaseIterable, Sendable {
  case down, up
  case right, left

  var opposite: ScrollDirection {
    switch self {
    case .down: .up
    case .up: .down
    case .right: .left
    case .left: .right
    }
  }
}
