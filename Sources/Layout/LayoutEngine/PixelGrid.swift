/// The grid of the device's pixels, to which sizes and final positions are rounded (layout-semantics 1). Texture:
/// `ASFloorPixelValue`, `ASCeilPixelValue` and `ASRoundPixelValue`.
@frozen
public struct PixelGrid: BitwiseCopyable, Equatable, Sendable {
  /// The number of device pixels a point: 2 or 3 on most devices.
  public let scale: Double
  /// The length along both axes below which noise of floating point arithmetic does not cost a pixel, in points: `FLT_EPSILON`
  /// in Texture, and 0 in AsyncDisplayKit 1.9.
  @usableFromInline let epsilon: Axes

  /// Creates a grid with a number of device pixels a point, which is greater than 0.
  @inlinable
  public init(scale: Double, generation: LayoutGeneration = .second) {
    self.scale = scale
    epsilon = Axes(repeating: generation == .first ? 0 : 0x1p-23)
  }

  /// Returns the largest whole number of pixels that is not above a length, in points.
  @inlinable @inline(__always)
  public func floor(_ points: Double) -> Double { wholeFloor((points + epsilon.x) * scale) / scale }

  /// Returns the smallest whole number of pixels that is not below a length, in points.
  @inlinable @inline(__always)
  public func ceil(_ points: Double) -> Double { wholeCeil((points - epsilon.x) * scale) / scale }

  /// Returns the whole number of pixels that is nearest to a length, in points. Halves are rounded away from zero.
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
  func ceil(_ size: Size) -> Size { Size(wholeCeil((size.axes - epsilon) * scale) / scale) }

  @inlinable @inline(__always)
  func ceil(_ position: Point) -> Point { Point(wholeCeil((position.axes - epsilon) * scale) / scale) }
}

// These functions add and subtract a constant instead of calling ceil, floor and round of libm, which the baseline x86-64
// target calls out of line. Beyond 2^51, and for infinity and NaN, a double has no fraction that matters here. The result
// is never -0.

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

/// Returns the nearest whole numbers: at 1.5 * 2^52, neighbouring doubles differ by 1.
@inlinable @inline(__always)
func nearestWhole(_ value: Axes) -> Axes { (value + 0x1.8p52) - 0x1.8p52 }
