import Buffers

/// A combination of width, text scale, text size, direction, screen scale and platform for which a batch is laid out.
public struct Variant: Hashable, Sendable {
  /// The width of the list, in points.
  public var width: Double
  /// The factor of font sizes and line heights.
  public var textScale: Double
  /// The number of device pixels in a point.
  public var scale: Double
  /// The platform whose texts and rounding the layout follows.
  public var platform: Platform
  /// The text size of iOS, at which a font can state another size; nil for the plain sizes of fonts.
  public var textSize: TextSize?
  /// The direction of the list, which cells and nodes have that state none.
  public var layoutDirection: LayoutDirection
  /// Whether the results have the lines of texts.
  public var hasLines: Bool

  /// The largest number of variants of one batch.
  public static let limit = 256
  /// The limit in points below which every width must be.
  public static let widthLimit = 10_000_000.0
  /// The largest text scale and scale.
  public static let scaleLimit = 100.0

  public init(
    width: Double, textScale: Double = 1, scale: Double = 2, platform: Platform = .texture, textSize: TextSize? = nil,
    layoutDirection: LayoutDirection = .ltr, hasLines: Bool = false
  ) {
    self.width = width
    self.textScale = textScale
    self.scale = scale
    self.platform = platform
    self.textSize = textSize
    self.layoutDirection = layoutDirection
    self.hasLines = hasLines
  }

  /// The number of parts of a point to which positions and sizes are rounded.
  public var gridScale: Double { platform.gridScale ?? scale }

  /// The name of the variant's directory: `w390`, `w390-t1.35`, `w390-tAX1`, `w390-rtl`, `w390@3x`, `android-w390`.
  public var name: String {
    (platform == .texture ? "" : "\(platform.name)-") + "w\(shortText(width))"
      + (textScale == 1 ? "" : "-t\(shortText(textScale))") + (textSize.map { "-t\($0.name)" } ?? "")
      + (layoutDirection == .ltr ? "" : "-\(layoutDirection.name)") + (scale == 2 ? "" : "@\(shortText(scale))x")
  }

  /// Whether all numbers are positive and within their limits.
  public var isValid: Bool {
    width > 0 && width < Self.widthLimit && textScale > 0 && textScale <= Self.scaleLimit && scale > 0
      && scale <= Self.scaleLimit
  }

  /// The size range of the list's cells, whose width is not cut.
  public var constrainedSize: SizeRange { SizeRange(width: width) }

  /// The length in points by which the width of the list is cut; nil on platforms that cut no widths.
  public var cutOfWidth: Double? { cutsWidths ? max(width - cut(width), 0) : nil }

  private var cutsWidths: Bool { platform == .web || platform == .webkit }

  /// Cuts the widths of a range as Chromium and WebKit cut lengths to 1/64 pixel (`LayoutUnit`): an element of 417.3 pixels is
  /// 417.296875 pixels wide.
  public func cut(_ range: SizeRange) -> SizeRange {
    SizeRange(min: Size(cut(range.min.width), range.min.height), max: Size(cut(range.max.width), range.max.height))
  }

  private func cut(_ width: Double) -> Double {
    guard cutsWidths, width > 0, width < Self.widthLimit else { return width }
    return max((width * 64).rounded(.down), 1) / 64
  }
}
