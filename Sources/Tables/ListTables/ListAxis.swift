/// How the rows of a list follow each other in the direction in which it scrolls.
///
///     vertical      inverted
///     ┌─────┐       ┌─────┐
///     │  0  │       │  2  │   The offsets of an inverted list count from the bottom, where row 0 lies, as the
///     ├─────┤       ├─────┤   contentOffset of an ASCollectionNode does that is inverted: its view is flipped.
///     │  1  │       │  1  │
///     ├─────┤       ├─────┤
///     │  2  │       │  0  │
///     └─────┘       └─────┘
public enum ListAxis: String, CaseIterable, Sendable {
  /// Row 0 is at the top, and offsets count from the top.
  case vertical
  /// Row 0 is at the bottom, and offsets count from the bottom.
  case inverted

  /// The direction on the screen in which the viewport moves when its offset grows.
  public var positiveDirection: ScrollDirection {
    switch self {
    case .vertical: .down
    case .inverted: .up
    }
  }

  /// The direction on the screen in which the viewport moves when its offset becomes less.
  public var negativeDirection: ScrollDirection { positiveDirection.opposite }

  /// The direction on the screen that leads from the first row to the last.
  public var forwardDirection: ScrollDirection { positiveDirection }

  /// The directions in which the list scrolls, the one towards the last row first.
  public var directions: [ScrollDirection] { [forwardDirection, forwardDirection.opposite] }

  /// Returns whether a direction leads towards the first row. A direction in which the list does not scroll, and nil, do
  /// not, as in Texture.
  @inline(__always)
  func isBackward(_ direction: ScrollDirection?) -> Bool { direction == forwardDirection.opposite }
}

/// The direction on the screen in which the viewport of a list moves.
public enum ScrollDirection: String, CaseIterable, Sendable {
  case down
  case up

  var opposite: ScrollDirection {
    switch self {
    case .down: .up
    case .up: .down
    }
  }
}
