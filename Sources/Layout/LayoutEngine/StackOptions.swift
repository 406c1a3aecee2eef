// The options of a stack, with AsyncDisplayKit's names. Raw values are what elements carry.

@frozen
public enum StackLayoutDirection: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  case horizontal, vertical
}

@frozen
public enum StackLayoutJustifyContent: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  case start, center, end, spaceBetween, spaceAround
}

@frozen
public enum StackLayoutAlignItems: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  case start, end, center, stretch, baselineFirst, baselineLast
}

@frozen
public enum StackLayoutAlignSelf: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  case auto, start, end, center, stretch
}

@frozen
public enum StackLayoutFlexWrap: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  case noWrap, wrap
}

@frozen
public enum StackLayoutAlignContent: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  case start, center, end, spaceBetween, spaceAround, stretch
}

@frozen
public enum HorizontalAlignment: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  case none, left, middle, right
}

@frozen
public enum VerticalAlignment: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  case none, top, center, bottom
}

extension StackLayoutAlignItems {
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

  /// Items lie at the start of their line.
  @inlinable @inline(__always)
  var isAtStart: Bool { self == .start || self == .stretch }

  @inlinable @inline(__always)
  var isBaseline: Bool { self == .baselineFirst || self == .baselineLast }
}
