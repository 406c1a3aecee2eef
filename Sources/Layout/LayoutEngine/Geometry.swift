/// A pair of lengths along the two axes: x or the width first, y or the height second.
///
/// The engine computes both axes with one instruction where it can.
public typealias Axes = SIMD2<Double>

/// A width and a height in points.
///
/// A length is valid for the size of an element if it is from 0 up to, but not including, 10,000,000
/// (`layout-semantics`, introduction). Texture: `CGSize`.
@frozen
public struct Size: BitwiseCopyable, Equatable, Sendable {
  @usableFromInline var axes: Axes

  @inlinable @inline(__always)
  init(_ axes: Axes) { self.axes = axes }

  /// Creates a size from a width and a height in points.
  @inlinable @inline(__always)
  public init(_ width: Double, _ height: Double) { axes = Axes(width, height) }

  /// The width in points.
  @inlinable @inline(__always)
  public var width: Double {
    get { axes.x }
    set { axes.x = newValue }
  }

  /// The height in points.
  @inlinable @inline(__always)
  public var height: Double {
    get { axes.y }
    set { axes.y = newValue }
  }

  /// The size of 0 by 0 points.
  @inlinable @inline(__always)
  public static var zero: Size { Size(0, 0) }
  /// The size that is infinite on both axes: the maximum of a range without a limit.
  @inlinable @inline(__always)
  public static var unbounded: Size { Size(.infinity, .infinity) }
  /// The size of a parent that is not known yet, NaN on both axes: a fraction of it acts as `auto` (layout-semantics 2).
  @inlinable @inline(__always)
  public static var undefined: Size { Size(.nan, .nan) }
}

/// A position in points, with x to the right and y downward. Texture: `CGPoint`.
@frozen
public struct Point: BitwiseCopyable, Equatable, Sendable {
  @usableFromInline var axes: Axes

  @inlinable @inline(__always)
  init(_ axes: Axes) { self.axes = axes }

  /// Creates a position from its coordinates in points.
  @inlinable @inline(__always)
  public init(_ x: Double, _ y: Double) { axes = Axes(x, y) }

  /// The horizontal coordinate in points.
  @inlinable @inline(__always)
  public var x: Double {
    get { axes.x }
    set { axes.x = newValue }
  }

  /// The vertical coordinate in points.
  @inlinable @inline(__always)
  public var y: Double {
    get { axes.y }
    set { axes.y = newValue }
  }

  /// The position (0, 0).
  @inlinable @inline(__always)
  public static var zero: Point { Point(0, 0) }
}

/// A rectangle in points: the position of its upper left corner, and its size. Texture: `CGRect`.
@frozen
public struct Rect: BitwiseCopyable, Equatable, Sendable {
  /// The upper left corner, in points.
  public var origin: Point
  /// The width and height, in points.
  public var size: Size

  @inlinable @inline(__always)
  init(origin: Point, size: Size) {
    self.origin = origin
    self.size = size
  }

  /// Creates a rectangle from its coordinates, width and height in points.
  @inlinable
  public init(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
    self.origin = Point(x, y)
    self.size = Size(width, height)
  }

  /// Returns whether the size is from 0 to a limit, and the origin at most as far from 0 on both axes, in points. Comparisons with NaN
  /// are false.
  public func isWithin(_ limit: Double) -> Bool {
    abs(origin.x) <= limit && abs(origin.y) <= limit && size.width >= 0 && size.width <= limit && size.height >= 0
      && size.height <= limit
  }
}

/// The distances of a child from the four edges of an inset spec, in points. An infinite distance leaves that edge free
/// (layout-semantics 4). Texture: `UIEdgeInsets`.
@frozen
public struct EdgeInsets: BitwiseCopyable, Equatable, Sendable {
  /// The distance from the upper edge, in points.
  public var top: Double
  /// The distance from the left edge, in points.
  public var left: Double
  /// The distance from the lower edge, in points.
  public var bottom: Double
  /// The distance from the right edge, in points.
  public var right: Double

  /// Creates insets from the four distances in points, each of which is 0 unless it is given.
  @inlinable
  public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }

  /// Creates insets with the same distance from each edge, in points.
  @inlinable
  public init(_ all: Double) { self.init(top: all, left: all, bottom: all, right: all) }

  /// Whether all distances are finite.
  public var isFinite: Bool { top.isFinite && left.isFinite && bottom.isFinite && right.isFinite }

  @inlinable @inline(__always)
  var leading: Axes { Axes(left, top) }

  @inlinable @inline(__always)
  var trailing: Axes { Axes(right, bottom) }
}

/// The sizes that an element can have: those from `min` to `max` on each axis, in points. Texture: `ASSizeRange`.
///
/// The maximum can be infinite. Where a range is not ordered, its minimum wins (layout-semantics, introduction).
///
///     SizeRange(width: 390)  // a cell of a list: 390 points wide, of any height
///     SizeRange(exactly: Size(60, 60))
///     SizeRange(min: .zero, max: Size(390, 844))
@frozen
public struct SizeRange: BitwiseCopyable, Equatable, Sendable {
  /// The smallest size, in points.
  public var min: Size
  /// The largest size, in points; infinite on an axis without a limit.
  public var max: Size

  /// Creates a range from its smallest and its largest size, in points.
  @inlinable @inline(__always)
  public init(min: Size, max: Size) {
    self.min = min
    self.max = max
  }

  /// Creates a range of exactly one size, in points.
  @inlinable @inline(__always)
  public init(exactly size: Size) { self.init(min: size, max: size) }

  /// Creates the range of a list's cell: exactly as wide as the list, in points, and of any height.
  @inlinable
  public init(width: Double) { self.init(min: Size(width, 0), max: Size(width, .infinity)) }

  /// The range of all sizes: from 0 by 0 points, without a limit.
  @inlinable @inline(__always)
  public static var unconstrained: SizeRange { SizeRange(min: .zero, max: .unbounded) }

  /// Returns the size in the range that is nearest to a size. The minimum wins over the maximum. Texture:
  /// `ASSizeRangeClamp`.
  @inlinable @inline(__always)
  public func clamp(_ size: Size) -> Size { Size(larger(min.axes, smaller(max.axes, size.axes))) }

  @inlinable @inline(__always)
  var isOrdered: Bool { all(min.axes .<= max.axes) }

  /// Returns the range of the sizes in both ranges; where they are disjoint, the single size of this range that is
  /// nearest to the other (layout-semantics 2). Texture: `ASSizeRangeIntersect`.
  @inlinable @inline(__always)
  public func intersect(_ other: SizeRange) -> SizeRange {
    let (minWidth, maxWidth) = intersectAxis(min.width, max.width, other.min.width, other.max.width)
    let (minHeight, maxHeight) = intersectAxis(min.height, max.height, other.min.height, other.max.height)
    return SizeRange(min: Size(minWidth, minHeight), max: Size(maxWidth, maxHeight))
  }
}

@inlinable @inline(__always)
func intersectAxis(_ low: Double, _ high: Double, _ otherLow: Double, _ otherHigh: Double) -> (Double, Double) {
  let newLow = larger(low, otherLow)
  let newHigh = smaller(high, otherHigh)
  if newLow <= newHigh { return (newLow, newHigh) }
  let point = low < otherLow ? high : low
  return (point, point)
}

/// Returns the first value unless it is smaller than the second, like Foundation's `MAX`, so that NaN has the same effect
/// as in Texture.
@inlinable @inline(__always)
func larger(_ a: Double, _ b: Double) -> Double { a < b ? b : a }

/// Returns the first value if it is smaller than the second, like Foundation's `MIN`.
@inlinable @inline(__always)
func smaller(_ a: Double, _ b: Double) -> Double { a < b ? a : b }

@inlinable @inline(__always)
func larger(_ a: Axes, _ b: Axes) -> Axes { a.replacing(with: b, where: a .< b) }

@inlinable @inline(__always)
func smaller(_ a: Axes, _ b: Axes) -> Axes { b.replacing(with: a, where: a .< b) }

@inlinable @inline(__always)
func clamp(_ value: Double, _ low: Double, _ high: Double) -> Double { larger(low, smaller(high, value)) }

/// Returns whether a length is valid for a size: from 0 up to, but not including, 10,000,000 points. Texture:
/// `ASPointsValidForSize`.
@inlinable @inline(__always)
func isValidForSize(_ points: Double) -> Bool { points >= 0 && points < 10_000_000 }

@inlinable @inline(__always)
func isValidForSize(_ size: Size) -> Bool { all((size.axes .>= 0) .& (size.axes .< 10_000_000)) }

/// Returns a mask of the axes that are neither infinite nor NaN: a value minus itself is 0 only for those.
@inlinable @inline(__always)
func isFinite(_ axes: Axes) -> SIMDMask<SIMD2<Int64>> { (axes - axes) .== 0 }
