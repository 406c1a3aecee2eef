/// A length: of its own accord, in points, or as a fraction of the parent (layout-semantics 2).
@frozen
public struct Dimension: BitwiseCopyable, Equatable, Sendable {
  @frozen
  public enum Unit: UInt8, BitwiseCopyable, Sendable {
    case auto, points, fraction
  }

  public let value: Double
  public let unit: Unit

  @inlinable
  init(_ value: Double, _ unit: Unit) {
    self.value = value
    self.unit = unit
  }

  public static let auto = Dimension(0, .auto)

  @inlinable
  public static func points(_ points: Double) -> Dimension { Dimension(points, .points) }

  /// `fraction` of the parent: 0.5 is half of it.
  @inlinable
  public static func fraction(_ fraction: Double) -> Dimension { Dimension(fraction, .fraction) }

  /// The length in points; `auto` when the dimension is `auto`, NaN for a fraction of an undefined parent.
  @inlinable @inline(__always)
  func resolve(_ parent: Double, auto: Double) -> Double {
    switch unit {
    case .auto: auto
    case .points: value
    case .fraction: value * parent
    }
  }

  /// As `resolve`, and `auto` too where a fraction meets an undefined parent (Texture asserts there).
  @inlinable @inline(__always)
  func resolveDefinite(_ parent: Double, auto: Double) -> Double {
    let resolved = resolve(parent, auto: auto)
    return resolved.isNaN ? auto : resolved
  }
}

extension Dimension: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  public init(floatLiteral value: Double) { self = .points(value) }
  public init(integerLiteral value: Int) { self = .points(Double(value)) }
}

extension Dimension {
  /// `"40%"`, `"12pt"`; anything else is auto, as in ASDimensionMake.
  public init(_ string: some StringProtocol) {
    if string.hasSuffix("%"), let percent = Double(String(string.dropLast())) {
      self = .fraction(percent / 100)
    } else if string.hasSuffix("pt"), let points = Double(String(string.dropLast(2))) {
      self = .points(points)
    } else {
      self = .auto
    }
  }
}

extension Dimension: CustomStringConvertible {
  public var description: String {
    switch unit {
    case .auto: "Auto"
    case .points: "\(rounded(value))pt"
    case .fraction: "\(rounded(value * 100))%"
    }
  }

  /// As printf's %.0f: halves to even.
  private func rounded(_ value: Double) -> String {
    let whole = value.rounded(.toNearestOrEven)
    return Int64(exactly: whole).map(String.init) ?? "\(whole)"
  }
}

/// Two dimensions, of a width and of a height (1.x: ASRelativeSize).
@frozen
public struct RelativeSize: BitwiseCopyable, Equatable, Sendable {
  public var width: Dimension
  public var height: Dimension

  @inlinable
  public init(width: Dimension, height: Dimension) {
    self.width = width
    self.height = height
  }

  /// A size in points.
  @inlinable
  public init(_ size: Size) { self.init(width: .points(size.width), height: .points(size.height)) }

  /// Fractions of the parent's width and height: 0.5 is half of it.
  @inlinable
  public init(fractionOfWidth width: Double, fractionOfHeight height: Double) {
    self.init(width: .fraction(width), height: .fraction(height))
  }
}

/// The 1.x `sizeRange` of a child of a static spec: four dimensions resolved against the spec's maximum.
@frozen
public struct RelativeSizeRange: BitwiseCopyable, Equatable, Sendable {
  public var minWidth: Dimension
  public var minHeight: Dimension
  public var maxWidth: Dimension
  public var maxHeight: Dimension

  @inlinable
  public init(minWidth: Dimension, minHeight: Dimension, maxWidth: Dimension, maxHeight: Dimension) {
    self.minWidth = minWidth
    self.minHeight = minHeight
    self.maxWidth = maxWidth
    self.maxHeight = maxHeight
  }

  @inlinable
  public init(width: Dimension, height: Dimension) {
    self.init(minWidth: width, minHeight: height, maxWidth: width, maxHeight: height)
  }

  /// - Parameters:
  ///   - min: without it the range begins at 0 by 0.
  ///   - max: without it the range is unbounded.
  public init(
    min: RelativeSize = RelativeSize(.zero), max: RelativeSize = RelativeSize(.unbounded)
  ) {
    self.init(minWidth: min.width, minHeight: min.height, maxWidth: max.width, maxHeight: max.height)
  }

  /// One size (1.x: ASRelativeSizeRangeMakeWithExactRelativeSize and its like).
  @inlinable
  public init(exactly size: RelativeSize) { self.init(width: size.width, height: size.height) }

  /// One size in points.
  @inlinable
  public init(exactly size: Size) { self.init(exactly: RelativeSize(size)) }

  /// 1.x cannot tell a real 0×0 range from no range (layout-semantics 11).
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
