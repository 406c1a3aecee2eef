// The properties of a stack spec (layout-semantics 5), with the names and defaults of AsyncDisplayKit. The raw values are
// stored in elements.

/// The direction of a stack. Texture: `ASStackLayoutDirection`.
@frozen
public enum StackLayoutDirection: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// The children are arranged from left to right; the main axis is x.
  case horizontal
  /// The children are arranged from top to bottom; the main axis is y.
  case vertical
}

/// The distribution of a stack's children along the main axis where they do not fill it (layout-semantics 5.8). Texture:
/// `ASStackLayoutJustifyContent`.
@frozen
public enum StackLayoutJustifyContent: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// The children are at the start.
  case start
  /// The children are in the middle.
  case center
  /// The children are at the end.
  case end
  /// The spare length is divided among the gaps between the children.
  case spaceBetween
  /// The spare length is divided among the children, half of each share on either side.
  case spaceAround
}

/// The alignment of a stack's children along the cross axis (layout-semantics 5.9). Texture: `ASStackLayoutAlignItems`.
@frozen
public enum StackLayoutAlignItems: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// The children are at the start of their line.
  case start
  /// The children are at the end of their line.
  case end
  /// The children are in the middle of their line.
  case center
  /// The children fill their line unless their style has a size along the cross axis.
  case stretch
  /// The first baselines of the children are at the same position. Texture has it for horizontal stacks only.
  case baselineFirst
  /// The last baselines of the children are at the same position. Texture has it for horizontal stacks only.
  case baselineLast

  /// Returns the alignment of a child with an alignment of its own.
  @inlinable @inline(__always)
  func overridden(by alignSelf: StackLayoutAlignSelf) -> StackLayoutAlignItems {
    switch alignSelf {
    case .auto: self
    case .start: .start
    case .end: .end
    case .center: .center
    case .stretch: .stretch
    }
  }

  /// Whether items are positioned at the start of their line.
  @inlinable @inline(__always)
  var isAtStart: Bool { self == .start || self == .stretch }

  /// Whether items are aligned by their baselines.
  @inlinable @inline(__always)
  var isBaseline: Bool { self == .baselineFirst || self == .baselineLast }
}

/// The alignment of one child along the cross axis of its stack. Texture: `ASStackLayoutAlignSelf`.
@frozen
public enum StackLayoutAlignSelf: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// The child has the alignment of the stack's `alignItems`.
  case auto
  /// The child is at the start of its line.
  case start
  /// The child is at the end of its line.
  case end
  /// The child is in the middle of its line.
  case center
  /// The child fills its line unless its style has a size along the cross axis.
  case stretch
}

/// Whether a stack has several lines. Texture: `ASStackLayoutFlexWrap`.
@frozen
public enum StackLayoutFlexWrap: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// All children are on one line.
  case noWrap
  /// A child that does not fit on a line starts the next one.
  case wrap
}

/// The distribution of a stack's lines along the cross axis where they do not fill it. Texture:
/// `ASStackLayoutAlignContent`.
@frozen
public enum StackLayoutAlignContent: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// The lines are at the start.
  case start
  /// The lines are in the middle.
  case center
  /// The lines are at the end.
  case end
  /// The spare length is divided among the gaps between the lines.
  case spaceBetween
  /// The spare length is divided among the lines, half of each share on either side.
  case spaceAround
  /// The spare length is added to the lines, in equal parts.
  case stretch
}

/// The horizontal alignment of a stack's children, whatever the stack's direction. Texture: `ASHorizontalAlignment`.
@frozen
public enum HorizontalAlignment: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// `justifyContent` or `alignItems` decides.
  case none
  /// The children are at the left side.
  case left
  /// The children are in the middle.
  case middle
  /// The children are at the right side.
  case right
}

/// The vertical alignment of a stack's children, whatever the stack's direction. Texture: `ASVerticalAlignment`.
@frozen
public enum VerticalAlignment: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// `justifyContent` or `alignItems` decides.
  case none
  /// The children are at the top.
  case top
  /// The children are in the middle.
  case center
  /// The children are at the bottom.
  case bottom
}

/// The properties of a stack spec, with the defaults of AsyncDisplayKit. Texture: `ASStackLayoutSpec`.
@frozen
public struct StackOptions: BitwiseCopyable, Equatable, Sendable {
  /// The direction of the main axis.
  public var direction = StackLayoutDirection.horizontal
  /// The distribution of the children along the main axis.
  public var justifyContent = StackLayoutJustifyContent.start
  /// The alignment of the children along the cross axis.
  public var alignItems = StackLayoutAlignItems.stretch
  /// Whether the stack has several lines.
  public var flexWrap = StackLayoutFlexWrap.noWrap
  /// The distribution of the lines of a stack that wraps.
  public var alignContent = StackLayoutAlignContent.start
  /// Whether the children are spaced from baseline to baseline along a vertical stack, and aligned by their baselines
  /// across a horizontal one. Only AsyncDisplayKit 1.x has it.
  public var baselineRelativeArrangement = false
  /// The space between two children on a line, in points.
  public var spacing = 0.0
  /// The space between two lines, in points.
  public var lineSpacing = 0.0

  /// Creates the default properties.
  public init() {}

  /// Whether the positions of children depend on their baselines.
  @inlinable @inline(__always)
  var alignsBaselines: Bool { alignItems.isBaseline || baselineRelativeArrangement }

  /// Sets `justifyContent` and `alignItems` from alignments by direction. An alignment other than `none` replaces the
  /// property of its axis.
  public mutating func apply(horizontal: HorizontalAlignment, vertical: VerticalAlignment) {
    let rows = direction == .horizontal
    switch horizontal {
    case .none: break
    case .left: if rows { justifyContent = .start } else { alignItems = .start }
    case .middle: if rows { justifyContent = .center } else { alignItems = .center }
    case .right: if rows { justifyContent = .end } else { alignItems = .end }
    }
    switch vertical {
    case .none: break
    case .top: if rows { alignItems = .start } else { justifyContent = .start }
    case .center: if rows { alignItems = .center } else { justifyContent = .center }
    case .bottom: if rows { alignItems = .end } else { justifyContent = .end }
    }
  }
}
