/// A length in a style: automatic, in points, a fraction of the parent's length (layout-semantics 2), or the smaller or the
/// larger one of both. Texture:
/// `ASDimension`.
///
///     style.width = 44  // points
///     style.maxWidth = .fraction(0.5)  // half of the parent's width
///     style.height = .auto
@frozen
public struct Dimension: BitwiseCopyable, Equatable, Sendable {
  /// The unit of a dimension. Texture: `ASDimensionUnit`.
  @frozen
  public enum Unit: UInt8, BitwiseCopyable, Sendable {
    /// The element's content and its parent determine the length.
    case auto
    /// The value is in points.
    case points
    /// The value is a fraction of the parent's length along the same axis.
    case fraction
    /// The length is the smaller one of points and a fraction of the parent's length.
    case smaller
    /// The length is the larger one of the two.
    case larger
  }

  /// The points, also of `smaller` and `larger`; the fraction (1 is the whole parent); or 0 for `auto`.
  public let value: Double
  /// The unit of the value.
  public let unit: Unit
  /// The upper 56 bits of the percent of `smaller` and `larger`, the first 8 of them here; 0 for other units. They fill what would be
  /// padding: styles are compared as bytes.
  @usableFromInline var percent8: UInt8 = 0
  @usableFromInline var percent16: UInt16 = 0
  @usableFromInline var percent32: UInt32 = 0

  /// Creates a length of a unit. Texture: `ASDimensionMake(unit, value)`; AsyncDisplayKit 1.x:
  /// `ASRelativeDimensionMake(type, value)`.
  @inlinable
  public init(_ unit: Unit, _ value: Double) {
    self.value = value
    self.unit = unit
  }

  /// The automatic length, which is the default of all lengths in a style.
  public static let auto = Dimension(.auto, 0)

  /// Returns a length in points.
  @inlinable
  public static func points(_ points: Double) -> Dimension { Dimension(.points, points) }

  /// Returns a length that is a fraction of the parent's: 0.5 is half of it. A fraction of an undefined length acts as
  /// `auto`.
  @inlinable
  public static func fraction(_ fraction: Double) -> Dimension { Dimension(.fraction, fraction) }

  /// Returns the smaller one of a number of points and a fraction of the parent's length. CSS: `min(240px, 80%)`.
  public static func min(_ points: Double, fraction: Double) -> Dimension {
    Dimension(.smaller, points, fraction: fraction)
  }

  /// Returns the larger one of a number of points and a fraction of the parent's length. CSS: `max(240px, 80%)`.
  public static func max(_ points: Double, fraction: Double) -> Dimension {
    Dimension(.larger, points, fraction: fraction)
  }

  private init(_ unit: Unit, _ points: Double, fraction: Double) {
    self.init(unit, points)
    // The bits of NaN can be so large that rounding them overflows.
    let percent = fraction.isNaN ? Double.nan : fraction * 100
    let bits = (percent.bitPattern + 0x80) >> 8
    percent8 = UInt8(truncatingIfNeeded: bits >> 48)
    percent16 = UInt16(truncatingIfNeeded: bits >> 32)
    percent32 = UInt32(truncatingIfNeeded: bits)
  }

  /// The fraction of `smaller` and `larger`. It is exactly the stated one if this is at most 1000 % with at most nine decimals, so
  /// that lengths that fill their parent together do so here too; others differ by at most one part in 2⁴⁴.
  private var fraction: Double {
    let bits = UInt64(percent8) << 48 | UInt64(percent16) << 32 | UInt64(percent32)
    let percent = Double(bitPattern: bits << 8)
    let decimal = (percent * 1e9).rounded() / 1e9
    return (abs(decimal - percent) <= abs(percent) * 0x1p-44 ? decimal : percent) / 100
  }

  /// Returns whether the length is not automatic, and its points and its fraction are from 0 to the given ones.
  package func isIn(points: Double, fraction: Double) -> Bool {
    switch unit {
    case .auto: false
    case .points: value >= 0 && value <= points
    case .fraction: value >= 0 && value <= fraction
    case .smaller, .larger:
      value >= 0 && value <= points && self.fraction >= 0 && self.fraction <= fraction
    }
  }

  /// Whether the length depends on the parent's.
  @inlinable @inline(__always)
  var isRelative: Bool { unit.rawValue >= Unit.fraction.rawValue }

  /// Returns the chosen one of points and a fraction, or the points if the parent's length is undefined.
  @usableFromInline @inline(never)
  func resolveChoice(_ parent: Double) -> Double {
    guard !parent.isNaN else { return value }
    return unit == .smaller ? Swift.min(value, fraction * parent) : Swift.max(value, fraction * parent)
  }

  /// Returns the length in points: the value of `auto` for an automatic dimension, NaN for a fraction of an undefined
  /// parent.
  @inlinable @inline(__always)
  func resolve(_ parent: Double, auto: Double) -> Double {
    switch unit {
    case .auto: auto
    case .points: value
    case .fraction: value * parent
    case .smaller, .larger: resolveChoice(parent)
    }
  }

  /// Returns the length in points like `resolve`, but the value of `auto` also for a fraction of an undefined parent,
  /// where Texture has a failed assertion.
  @inlinable @inline(__always)
  func resolveDefinite(_ parent: Double, auto: Double) -> Double {
    let resolved = resolve(parent, auto: auto)
    return resolved.isNaN ? auto : resolved
  }
}

extension Dimension: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  /// Creates a length in points.
  public init(floatLiteral value: Double) { self = .points(value) }
  /// Creates a length in points.
  public init(integerLiteral value: Int) { self = .points(Double(value)) }
}

extension Dimension {
  /// Creates a length from a string such as `"40%"`, `"12pt"` or `"min(240, 80%)"`. Any other string is `auto`. Texture:
  /// `ASDimensionMake(NSString *)`.
  public init(_ string: some StringProtocol) {
    if string.hasSuffix(")"), let choice = Self.choice(String(string)) {
      self = choice
    } else if string.hasSuffix("%"), let percent = Self.number(String(string.dropLast())) {
      self = .fraction(percent / 100)
    } else if string.hasSuffix("pt"), let points = Self.number(String(string.dropLast(2))) {
      self = .points(points)
    } else {
      self = .auto
    }
  }

  /// Returns the number of a string, or nil. Double also accepts hexadecimal numbers such as 0x10, and inf and nan.
  private static func number(_ string: String) -> Double? {
    guard !string.lowercased().contains("x"), let number = Double(string), number.isFinite else { return nil }
    return number
  }

  /// Returns the dimension that `min(a, b)` or `max(a, b)` of a length and a fraction describes, in any order.
  private static func choice(_ string: String) -> Dimension? {
    let make: (Double, Double) -> Dimension
    switch string.prefix(4) {
    case "min(": make = { .min($0, fraction: $1) }
    case "max(": make = { .max($0, fraction: $1) }
    default: return nil
    }
    let parts = string.dropFirst(4).dropLast().split(separator: ",", omittingEmptySubsequences: false).map {
      let text = $0.trimmingPrefix { $0 == " " }
      return number(String(text)).map { Dimension.points($0) } ?? Dimension(text)
    }
    guard parts.count == 2 else { return nil }
    switch (parts[0].unit, parts[1].unit) {
    case (.points, .fraction): return make(parts[0].value, parts[1].value)
    case (.fraction, .points): return make(parts[1].value, parts[0].value)
    default: return nil
    }
  }
}

extension Dimension: CustomStringConvertible {
  /// The length as Texture writes it, rounded to a whole number: `Auto`, `12pt` or `40%`; or `min(240pt, 80%)`. Texture:
  /// `NSStringFromASDimension`.
  public var description: String {
    switch unit {
    case .auto: "Auto"
    case .points: "\(rounded(value))pt"
    case .fraction: "\(rounded(value * 100))%"
    case .smaller: "min(\(rounded(value))pt, \(rounded(fraction * 100))%)"
    case .larger: "max(\(rounded(value))pt, \(rounded(fraction * 100))%)"
    }
  }

  /// Returns a number as `%.0f` of printf writes it: halves are rounded to even.
  private func rounded(_ value: Double) -> String {
    let whole = value.rounded(.toNearestOrEven)
    return Int64(exactly: whole).map(String.init) ?? "\(whole)"
  }
}

/// A size of two dimensions. AsyncDisplayKit 1.x: `ASRelativeSize`; Texture: `ASLayoutSize`.
@frozen
public struct RelativeSize: BitwiseCopyable, Equatable, Sendable {
  /// The width.
  public var width: Dimension
  /// The height.
  public var height: Dimension

  /// Creates a size from its dimensions.
  @inlinable
  public init(width: Dimension, height: Dimension) {
    self.width = width
    self.height = height
  }

  /// Creates a size in points.
  @inlinable
  public init(_ size: Size) { self.init(width: .points(size.width), height: .points(size.height)) }

  /// Creates a size of fractions of the parent's width and height: 0.5 is half of it.
  @inlinable
  public init(fractionOfWidth width: Double, fractionOfHeight height: Double) {
    self.init(width: .fraction(width), height: .fraction(height))
  }
}

/// The size range of a child of a static spec: four dimensions, of which fractions refer to the maximum of the spec's range
/// (layout-semantics 11). AsyncDisplayKit 1.x: `ASRelativeSizeRange`.
@frozen
public struct RelativeSizeRange: BitwiseCopyable, Equatable, Sendable {
  /// The smallest width; `auto` is 0.
  public var minWidth: Dimension
  /// The smallest height; `auto` is 0.
  public var minHeight: Dimension
  /// The largest width; `auto` is without a limit.
  public var maxWidth: Dimension
  /// The largest height; `auto` is without a limit.
  public var maxHeight: Dimension

  /// Creates a range from its four dimensions.
  @inlinable
  public init(minWidth: Dimension, minHeight: Dimension, maxWidth: Dimension, maxHeight: Dimension) {
    self.minWidth = minWidth
    self.minHeight = minHeight
    self.maxWidth = maxWidth
    self.maxHeight = maxHeight
  }

  /// Creates a range of exactly one size.
  @inlinable
  public init(width: Dimension, height: Dimension) {
    self.init(minWidth: width, minHeight: height, maxWidth: width, maxHeight: height)
  }

  /// Creates a range from its smallest and its largest size.
  ///
  /// - Parameters:
  ///   - min: the smallest size, 0 by 0 points unless it is given.
  ///   - max: the largest size, without a limit unless it is given.
  public init(
    min: RelativeSize = RelativeSize(.zero), max: RelativeSize = RelativeSize(.unbounded)
  ) {
    self.init(minWidth: min.width, minHeight: min.height, maxWidth: max.width, maxHeight: max.height)
  }

  /// Creates a range of exactly one size. AsyncDisplayKit 1.x: `ASRelativeSizeRangeMakeWithExactRelativeSize`.
  @inlinable
  public init(exactly size: RelativeSize) { self.init(width: size.width, height: size.height) }

  /// Creates a range of exactly one size in points. AsyncDisplayKit 1.x: `ASRelativeSizeRangeMakeWithExactCGSize`.
  @inlinable
  public init(exactly size: Size) { self.init(exactly: RelativeSize(size)) }

  /// The default of a style: the child is measured without a range of its own. AsyncDisplayKit 1.x does not distinguish it
  /// from a range of exactly 0 by 0 points (layout-semantics 11).
  public static let unconstrained = RelativeSizeRange(width: 0, height: 0)

  @inlinable
  func resolve(_ parent: Size) -> SizeRange {
    SizeRange(
      min: Size(minWidth.resolveDefinite(parent.width, auto: 0), minHeight.resolveDefinite(parent.height, auto: 0)),
      max: Size(
        maxWidth.resolveDefinite(parent.width, auto: .infinity),
        maxHeight.resolveDefinite(parent.height, auto: .infinity)))
  }
}
