/// What an element asks of its parent, with AsyncDisplayKit's names and defaults.
@frozen
public struct LayoutElementStyle: BitwiseCopyable, Sendable {
  public var width = Dimension.auto { didSet { noteSizes() } }
  public var height = Dimension.auto { didSet { noteSizes() } }
  public var minWidth = Dimension.auto { didSet { noteSizes() } }
  public var minHeight = Dimension.auto { didSet { noteSizes() } }
  public var maxWidth = Dimension.auto { didSet { noteSizes() } }
  public var maxHeight = Dimension.auto { didSet { noteSizes() } }

  /// For children of a stack, in points where a length.
  public var spacingBefore = 0.0
  public var spacingAfter = 0.0
  public var flexGrow = 0.0
  public var flexShrink = 0.0
  public var flexBasis = Dimension.auto
  public var alignSelf = StackLayoutAlignSelf.auto
  /// First baseline below the top; texts set it when measured.
  public var ascender = 0.0
  /// Last baseline relative to the bottom, so negative for most texts.
  public var descender = 0.0

  /// For children of an absolute or static spec.
  public var layoutPosition = Point.zero
  /// 1.x, for children of a static spec.
  public var sizeRange = RelativeSizeRange.unconstrained

  /// Which axes carry a size, minimum or maximum of their own; most do not, and skip resolving.
  @usableFromInline var sizedAxes: UInt8 = 0

  public init() {}

  @usableFromInline static let sizedWidth: UInt8 = 1
  @usableFromInline static let sizedHeight: UInt8 = 2

  @inlinable
  mutating func noteSizes() {
    let widths = width.unit != .auto || minWidth.unit != .auto || maxWidth.unit != .auto
    let heights = height.unit != .auto || minHeight.unit != .auto || maxHeight.unit != .auto
    sizedAxes = (widths ? Self.sizedWidth : 0) | (heights ? Self.sizedHeight : 0)
  }
}

extension LayoutElementStyle {
  public var preferredSize: Size {
    get { Size(width.value, height.value) }
    set {
      width = .points(newValue.width)
      height = .points(newValue.height)
    }
  }

  public mutating func setMinSize(_ size: Size) {
    minWidth = .points(size.width)
    minHeight = .points(size.height)
  }

  public mutating func setMaxSize(_ size: Size) {
    maxWidth = .points(size.width)
    maxHeight = .points(size.height)
  }
}

extension LayoutElementStyle {
  /// The widths this style allows: min over max over exact (layout-semantics 2).
  @inlinable @inline(__always)
  func widths(_ parent: Double, autoLow: Double = 0, autoHigh: Double = .infinity) -> (Double, Double) {
    resolveAxis(width, minWidth, maxWidth, parent, autoLow, autoHigh)
  }

  @inlinable @inline(__always)
  func heights(_ parent: Double, autoLow: Double = 0, autoHigh: Double = .infinity) -> (Double, Double) {
    resolveAxis(height, minHeight, maxHeight, parent, autoLow, autoHigh)
  }

  @inlinable @inline(__always)
  func sizeRange(_ parent: Size, auto: SizeRange) -> SizeRange {
    let (minWidth, maxWidth) = widths(parent.width, autoLow: auto.min.width, autoHigh: auto.max.width)
    let (minHeight, maxHeight) = heights(parent.height, autoLow: auto.min.height, autoHigh: auto.max.height)
    return SizeRange(min: Size(minWidth, minHeight), max: Size(maxWidth, maxHeight))
  }
}

@inlinable
func resolveAxis(
  _ exact: Dimension, _ min: Dimension, _ max: Dimension, _ parent: Double, _ autoLow: Double, _ autoHigh: Double
) -> (Double, Double) {
  let low = min.resolveDefinite(parent, auto: autoLow)
  let high = max.resolveDefinite(parent, auto: autoHigh)
  if high <= low { return (low, low) }
  let length = exact.resolve(parent, auto: .nan)
  if length.isNaN { return (low, high) }
  let point = length > high ? high : length < low ? low : length
  return (point, point)
}
