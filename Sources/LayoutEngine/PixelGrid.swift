/// The device's pixels, to which sizes and final positions snap (layout-semantics 1).
@frozen
public struct PixelGrid: BitwiseCopyable, Equatable, Sendable {
  /// Device pixels a point.
  public let scale: Double

  @inlinable
  public init(scale: Double) { self.scale = scale }

  /// FLT_EPSILON: float noise below it does not cost a pixel.
  @usableFromInline static let epsilon = 1.1920929e-7

  @inlinable @inline(__always)
  public func floor(_ points: Double) -> Double { wholeFloor((points + Self.epsilon) * scale) / scale }

  @inlinable @inline(__always)
  public func ceil(_ points: Double) -> Double { wholeCeil((points - Self.epsilon) * scale) / scale }

  /// To the nearest pixel, halves away from zero.
  @inlinable @inline(__always)
  public func round(_ points: Double) -> Double {
    (points * scale).rounded(.toNearestOrAwayFromZero) / scale
  }

  @inlinable @inline(__always)
  func ceil(_ size: Size) -> Size { Size(ceil(size.width), ceil(size.height)) }
}

// Through an integer instead of libm's ceil and floor, which the baseline x86-64 target calls out of line. Beyond
// 2^51 (and for infinity and NaN) a double has no fraction that matters here. Never yields -0.

@inlinable @inline(__always)
func wholeCeil(_ value: Double) -> Double {
  guard value.magnitude < 0x1p51 else { return value }
  let truncated = Double(Int64(value))
  return truncated < value ? truncated + 1 : truncated
}

@inlinable @inline(__always)
func wholeFloor(_ value: Double) -> Double {
  guard value.magnitude < 0x1p51 else { return value }
  let truncated = Double(Int64(value))
  return truncated > value ? truncated - 1 : truncated
}
