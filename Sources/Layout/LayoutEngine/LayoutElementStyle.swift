/// The properties that an element requests of its parent, with the names and defaults of AsyncDisplayKit (layout-semantics
/// 2). Texture: `ASLayoutElementStyle`.
///
///     var style = LayoutElementStyle()
///     style.maxWidth = .fraction(0.5)
///     style.flexShrink = 1
@frozen
public struct LayoutElementStyle: BitwiseCopyable, Sendable {
  /// The width. The minimum and the maximum override it.
  public var width = Dimension.auto { didSet { noteSizes() } }
  /// The height. The minimum and the maximum override it.
  public var height = Dimension.auto { didSet { noteSizes() } }
  /// The smallest width; `auto` is 0. It overrides the maximum.
  public var minWidth = Dimension.auto { didSet { noteSizes() } }
  /// The smallest height; `auto` is 0. It overrides the maximum.
  public var minHeight = Dimension.auto { didSet { noteSizes() } }
  /// The largest width; `auto` is without a limit.
  public var maxWidth = Dimension.auto { didSet { noteSizes() } }
  /// The largest height; `auto` is without a limit.
  public var maxHeight = Dimension.auto { didSet { noteSizes() } }

  /// The space before a child of a stack, in points.
  public var spacingBefore = 0.0 { didSet { noteSpacing() } }
  /// The space after a child of a stack, in points.
  public var spacingAfter = 0.0 { didSet { noteSpacing() } }
  /// The child's share of the length by which the children of a stack grow, relative to the other children's; 0 or more
  /// (layout-semantics 5.5).
  public var flexGrow = 0.0 { didSet { noteFlex() } }
  /// The child's share of the length by which the children of a stack shrink, weighted by its size; 0 or more
  /// (layout-semantics 5.5).
  public var flexShrink = 0.0 { didSet { noteFlex() } }
  /// The length of a child along its stack before it grows or shrinks; `auto` is the length of its content.
  public var flexBasis = Dimension.auto { didSet { note(.based, flexBasis.unit != .auto) } }
  /// The distance from the top to the first baseline, in points. Measuring a text overrides it.
  public var ascender = 0.0
  /// The position of the last baseline relative to the bottom, in points, which is negative for most texts. Measuring a
  /// text overrides it.
  public var descender = 0.0

  /// The position of a child of an absolute or static spec, in points.
  public var layoutPosition = Point.zero
  /// The size range of a child of a static spec (AsyncDisplayKit 1.x).
  public var sizeRange = RelativeSizeRange.unconstrained

  /// The alignment of a child along the cross axis of its stack.
  public var alignSelf = StackLayoutAlignSelf.auto { didSet { note(.aligned, alignSelf != .auto) } }
  /// The groups of properties that differ from their defaults.
  @usableFromInline private(set) var traits = Traits()
  // Styles are compared as bytes, so that the padding between their properties must be set too.
  @usableFromInline var padding2: UInt16 = 0
  @usableFromInline var padding4: UInt32 = 0
  @usableFromInline var padding8: UInt64 = 0

  /// Creates a style with the default properties.
  public init() {}

  /// The groups of properties that a style sets. Most styles set few, and the engine skips the others.
  @usableFromInline
  struct Traits: OptionSet, BitwiseCopyable, Sendable {
    @usableFromInline var rawValue: UInt8

    @usableFromInline
    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A width, minimum width or maximum width is set.
    static let sizedWidth = Traits(rawValue: 1)
    /// A height, minimum height or maximum height is set.
    static let sizedHeight = Traits(rawValue: 2)
    static let sized: Traits = [.sizedWidth, .sizedHeight]
    static let spaced = Traits(rawValue: 4)
    static let flexible = Traits(rawValue: 8)
    static let flexibleInBothDirections = Traits(rawValue: 16)
    static let based = Traits(rawValue: 32)
    static let aligned = Traits(rawValue: 64)
    /// A size, minimum or maximum is a fraction of the parent.
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
      width.isRelative || minWidth.isRelative || maxWidth.isRelative || height.isRelative || minHeight.isRelative
        || maxHeight.isRelative)
  }

  private mutating func noteSpacing() { note(.spaced, spacingBefore != 0 || spacingAfter != 0) }

  private mutating func noteFlex() {
    note(.flexible, flexGrow != 0 || flexShrink != 0)
    note(.flexibleInBothDirections, flexGrow > 0 && flexShrink > 0)
  }

  /// The width and height in points. Reading it returns the values of the dimensions whatever their units; Texture permits points only.
  public var preferredSize: Size {
    get { Size(width.value, height.value) }
    set {
      width = .points(newValue.width)
      height = .points(newValue.height)
    }
  }

  /// The smallest width and height in points. Reading it returns the values of the dimensions whatever their units.
  public var minSize: Size {
    get { Size(minWidth.value, minHeight.value) }
    set { minLayoutSize = (.points(newValue.width), .points(newValue.height)) }
  }

  /// The largest width and height in points. Reading it returns the values of the dimensions whatever their units.
  public var maxSize: Size {
    get { Size(maxWidth.value, maxHeight.value) }
    set { maxLayoutSize = (.points(newValue.width), .points(newValue.height)) }
  }

  /// The width and height. Texture: `preferredLayoutSize`, an `ASLayoutSize`.
  public var preferredLayoutSize: (width: Dimension, height: Dimension) {
    get { (width, height) }
    set { (width, height) = newValue }
  }

  /// The smallest width and height.
  public var minLayoutSize: (width: Dimension, height: Dimension) {
    get { (minWidth, minHeight) }
    set { (minWidth, minHeight) = newValue }
  }

  /// The largest width and height.
  public var maxLayoutSize: (width: Dimension, height: Dimension) {
    get { (maxWidth, maxHeight) }
    set { (maxWidth, maxHeight) = newValue }
  }

  /// Returns the smallest and the largest width that the style allows, in points: the minimum overrides the maximum, and
  /// both override the width (layout-semantics 2).
  @inlinable @inline(__always)
  func widths(_ parent: Double, autoLow: Double = 0, autoHigh: Double = .infinity) -> (Double, Double) {
    resolveAxis(width, minWidth, maxWidth, parent, autoLow, autoHigh)
  }

  /// Returns the smallest and the largest height that the style allows, in points.
  @inlinable @inline(__always)
  func heights(_ parent: Double, autoLow: Double = 0, autoHigh: Double = .infinity) -> (Double, Double) {
    resolveAxis(height, minHeight, maxHeight, parent, autoLow, autoHigh)
  }

  /// Returns the sizes that the style allows, with the limits of `auto` where it has none.
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
