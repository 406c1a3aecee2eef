/// Both axes of a length, x first. The engine works on both at once: half the instructions.
public typealias Axes = SIMD2<Double>

/// Width and height in points.
@frozen
public struct Size: BitwiseCopyable, Equatable, Sendable {
  @usableFromInline var axes: Axes

  @inlinable @inline(__always)
  init(_ axes: Axes) { self.axes = axes }

  @inlinable @inline(__always)
  public init(_ width: Double, _ height: Double) { axes = Axes(width, height) }

  @inlinable @inline(__always)
  public var width: Double {
    get { axes.x }
    set { axes.x = newValue }
  }

  @inlinable @inline(__always)
  public var height: Double {
    get { axes.y }
    set { axes.y = newValue }
  }

  @inlinable @inline(__always)
  public static var zero: Size { Size(0, 0) }
  /// No limit in either direction.
  @inlinable @inline(__always)
  public static var unbounded: Size { Size(.infinity, .infinity) }
  /// A parent that does not know its own size yet: percentages against it resolve to nothing (layout-semantics 2).
  @inlinable @inline(__always)
  public static var undefined: Size { Size(.nan, .nan) }
}

/// A position in points.
@frozen
public struct Point: BitwiseCopyable, Equatable, Sendable {
  @usableFromInline var axes: Axes

  @inlinable @inline(__always)
  init(_ axes: Axes) { self.axes = axes }

  @inlinable @inline(__always)
  public init(_ x: Double, _ y: Double) { axes = Axes(x, y) }

  @inlinable @inline(__always)
  public var x: Double {
    get { axes.x }
    set { axes.x = newValue }
  }

  @inlinable @inline(__always)
  public var y: Double {
    get { axes.y }
    set { axes.y = newValue }
  }

  @inlinable @inline(__always)
  public static var zero: Point { Point(0, 0) }
}

/// A position and a size in points.
@frozen
public struct Rect: BitwiseCopyable, Equatable, Sendable {
  public var origin: Point
  public var size: Size

  @inlinable @inline(__always)
  init(origin: Point, size: Size) {
    self.origin = origin
    self.size = size
  }

  @inlinable
  public init(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
    self.origin = Point(x, y)
    self.size = Size(width, height)
  }
}

/// Distances from the four edges in points; infinite means "not pinned to that edge".
@frozen
public struct EdgeInsets: BitwiseCopyable, Equatable, Sendable {
  public var top: Double
  public var left: Double
  public var bottom: Double
  public var right: Double

  @inlinable
  public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }

  @inlinable
  public init(_ all: Double) { self.init(top: all, left: all, bottom: all, right: all) }

  @inlinable @inline(__always)
  var leading: Axes { Axes(left, top) }

  @inlinable @inline(__always)
  var trailing: Axes { Axes(right, bottom) }
}

/// The sizes an element may take: every layout is asked for one between `min` and `max`, in points.
@frozen
public struct SizeRange: BitwiseCopyable, Equatable, Sendable {
  public var min: Size
  public var max: Size

  @inlinable @inline(__always)
  public init(min: Size, max: Size) {
    self.min = min
    self.max = max
  }

  /// Exactly one size.
  @inlinable @inline(__always)
  public init(exactly size: Size) { self.init(min: size, max: size) }

  /// A list's cell: as wide as the list, as high as it wants.
  @inlinable
  public init(width: Double) { self.init(min: Size(width, 0), max: Size(width, .infinity)) }

  @inlinable @inline(__always)
  public static var unconstrained: SizeRange { SizeRange(min: .zero, max: .unbounded) }

  /// The nearest size in the range; the minimum wins over the maximum.
  @inlinable @inline(__always)
  public func clamp(_ size: Size) -> Size { Size(larger(min.axes, smaller(max.axes, size.axes))) }

  @inlinable @inline(__always)
  var isOrdered: Bool { all(min.axes .<= max.axes) }

  /// What both ranges allow; where they are disjoint, the point of this range nearest to the other
  /// (layout-semantics 2, pinned by Texture's ASDimensionTests).
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

/// Foundation's MAX: the first argument unless it is smaller, so NaN falls through as in Texture.
@inlinable @inline(__always)
func larger(_ a: Double, _ b: Double) -> Double { a < b ? b : a }

/// Foundation's MIN.
@inlinable @inline(__always)
func smaller(_ a: Double, _ b: Double) -> Double { a < b ? a : b }

@inlinable @inline(__always)
func larger(_ a: Axes, _ b: Axes) -> Axes { a.replacing(with: b, where: a .< b) }

@inlinable @inline(__always)
func smaller(_ a: Axes, _ b: Axes) -> Axes { b.replacing(with: a, where: a .< b) }

@inlinable @inline(__always)
func clamp(_ value: Double, _ low: Double, _ high: Double) -> Double { larger(low, smaller(high, value)) }

/// Texture's ASPointsValidForSize: from 0 up to, not including, ten million points.
@inlinable @inline(__always)
func isValidForSize(_ points: Double) -> Bool { points >= 0 && points < 10_000_000 }

@inlinable @inline(__always)
func isValidForSize(_ size: Size) -> Bool { all((size.axes .>= 0) .& (size.axes .< 10_000_000)) }

/// Which axes are neither infinite nor NaN: those are what subtracting leaves nothing of.
@inlinable @inline(__always)
func isFinite(_ axes: Axes) -> SIMDMask<SIMD2<Int64>> { (axes - axes) .== 0 }
