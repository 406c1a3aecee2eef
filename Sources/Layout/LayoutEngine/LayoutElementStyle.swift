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
  public var spacingBefore = 0.0 { didSet { noteSpacing() } }
  public var spacingAfter = 0.0 { didSet { noteSpacing() } }
  public var flexGrow = 0.0 { didSet { noteFlex() } }
  public var flexShrink = 0.0 { didSet { noteFlex() } }
  public var flexBasis = Dimension.auto { didSet { note(.based, flexBasis.unit != .auto) } }
  public var alignSelf = StackLayoutAlignSelf.auto { didSet { note(.aligned, alignSelf != .auto) } }
  /// First baseline below the top; texts set it when measured.
  public var ascender = 0.0
  /// Last baseline relative to the bottom, so negative for most texts.
  public var descender = 0.0

  /// For children of an absolute or static spec.
  public var layoutPosition = Point.zero
  /// 1.x, for children of a static spec.
  public var sizeRange = RelativeSizeRange.unconstrained

  @usableFromInline private(set) var traits = Traits()

  public init() {}

  /// What a style says at all. Most say little, and the engine skips the rest.
  @usableFromInline
  struct Traits: OptionSet, BitwiseCopyable, Sendable {
    @usableFromInline var rawValue: UInt8

    @usableFromInline
    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A size, minimum or maximum along the axis.
    static let sizedWidth = Traits(rawValue: 1)
    static let sizedHeight = Traits(rawValue: 2)
    static let sized: Traits = [.sizedWidth, .sizedHeight]
    static let spaced = Traits(rawValue: 4)
    static let flexible = Traits(rawValue: 8)
    static let flexibleInBothDirections = Traits(rawValue: 16)
    static let based = Traits(rawValue: 32)
    static let aligned = Traits(rawValue: 64)
    /// A size, minimum or maximum that is a fraction of the parent.
    static let fractional = Traits(rawValue: 128)
  }

  private mutating func note(_ trait: Traits, _ isSet: Bool) {
    if isSet { traits.insert(trait) } else { traits.remove(trait) }
  }

  private mutating func noteSizes() {
    note(.sizedWidth, width.unit != .auto || minWidth.unit != .auto || maxWidth.unit != .auto)
    note(.sizedHeight, height.unit != .auto || minHeight.unit != .auto || maxHeight.unit != .auto)
    note(
      .fractional,
      width.unit == .fraction || minWidth.unit == .fraction || maxWidth.unit == .fraction
        || height.unit == .fraction || minHeight.unit == .fraction || maxHeight.unit == .fraction)
  }

  private mutating func noteSpacing() { note(.spaced, spacingBefore != 0 || spacingAfter != 0) }

  private mutating func noteFlex() {
    note(.flexible, flexGrow != 0 || flexShrink != 0)
    note(.flexibleInBothDirections, flexGrow > 0 && flexShrink > 0)
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
