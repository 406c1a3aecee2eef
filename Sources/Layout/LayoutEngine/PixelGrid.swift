/// The device's pixels, to which sizes and final positions snap (layout-semantics 1).
@frozen
public struct PixelGrid: BitwiseCopyable, Equatable, Sendable {
  /// Device pixels a point.
  public let scale: Double

  @inlinable
  public init(scale: Double) { self.scale = scale }

  /// FLT_EPSILON: float noise below it does not cost a pixel.
  @inlinable @inline(__always)
  static var epsilon: Double { 1.1920929e-7 }

  @inlinable @inline(__always)
  public func floor(_ points: Double) -> Double { wholeFloor((points + Self.epsilon) * scale) / scale }

  @inlinable @inline(__always)
  public func ceil(_ points: Double) -> Double { wholeCeil((points - Self.epsilon) * scale) / scale }

  /// To the nearest pixel, halves away from zero.
  @inlinable @inline(__always)
  public func round(_ points: Double) -> Double { round(Axes(points, points)).x }

  @inlinable @inline(__always)
  func round(_ points: Axes) -> Axes {
    let pixels = points * scale
    let magnitude = pixels.replacing(with: -pixels, where: pixels .< 0)
    let below = wholeFloor(magnitude)
    let rounded = below + Axes.zero.replacing(with: 1, where: magnitude - below .>= 0.5)
    return rounded.replacing(with: -rounded, where: pixels .< 0) / scale
  }

  @inlinable @inline(__always)
  func ceil(_ size: Size) -> Size { Size(wholeCeil((size.axes - Self.epsilon) * scale) / scale) }

  @inlinable @inline(__always)
  func ceil(_ position: Point) -> Point { Point(wholeCeil((position.axes - Self.epsilon) * scale) / scale) }
}

// Through an integer or a shift of the point instead of libm's ceil, floor and round, which the baseline x86-64 target
// calls out of line. Beyond 2^51 (and for infinity and NaN) a double has no fraction that matters here. Never yields
// -0.

@inlinable @inline(__always)
func wholeCeil(_ value: Double) -> Double { wholeCeil(Axes(value, value)).x }

@inlinable @inline(__always)
func wholeFloor(_ value: Double) -> Double { wholeFloor(Axes(value, value)).x }

@inlinable @inline(__always)
func wholeCeil(_ value: Axes) -> Axes {
  let whole = nearestWhole(value)
  return whole + Axes.zero.replacing(with: 1, where: whole .< value)
}

@inlinable @inline(__always)
func wholeFloor(_ value: Axes) -> Axes {
  let whole = nearestWhole(value)
  return whole - Axes.zero.replacing(with: 1, where: whole .> value)
}

/// At 1.5 * 2^52 neighbouring doubles are 1 apart.
@inlinable @inline(__always)
func nearestWhole(_ value: Axes) -> Axes { (value + 0x1.8p52) - 0x1.8p52 }
