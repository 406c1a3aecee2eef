import Buffers

import LayoutEngine

/// The metrics of a font in whole pixels, with Android's signs: distances above the baseline are negative. Android:
/// `Paint.FontMetricsInt`.
struct AndroidFontMetrics: BitwiseCopyable {
  var top: Float
  var ascent: Float
  var descent: Float
  var bottom: Float

  /// The metrics of a face at a size in pixels: its ascent and descent rounded, its largest glyph enclosed.
  init(_ face: Face, size: Float) {
    let scale = Double(size) / face.unitsPerEm
    (ascent, descent) = Self.extent(face, size: size)
    top = Float(-face.top * scale).rounded(.down)
    bottom = Float(face.bottom * scale).rounded(.up)
    (ascent, descent) = (Self.rounded(ascent), Self.rounded(descent))
  }

  /// The metrics that Android gives every font for elegant text height, at a size in pixels. Source: `Paint.cpp` of hwui.
  init(elegantSize size: Float) {
    top = (size * -2500 / 2048).rounded(.down)
    ascent = Self.rounded(size * -1900 / 2048)
    descent = Self.rounded(size * 500 / 2048)
    bottom = (size * 1000 / 2048).rounded(.up)
  }

  /// Returns the ascent and descent of a face at a size in pixels, which are not rounded.
  static func extent(_ face: Face, size: Float) -> (ascent: Float, descent: Float) {
    let scale = Double(size) / face.unitsPerEm
    return (Float(-face.bitmapAscender * scale), Float(face.bitmapDescender * scale))
  }

  /// Returns the metrics that enclose these and others.
  func union(_ other: AndroidFontMetrics) -> AndroidFontMetrics {
    var union = self
    (union.top, union.bottom) = (min(top, other.top), max(bottom, other.bottom))
    (union.ascent, union.descent) = (min(ascent, other.ascent), max(descent, other.descent))
    return union
  }

  /// Java: `Math.round`.
  static func rounded(_ value: Float) -> Float { (value + 0.5).rounded(.down) }
}

/// The heights of the lines of a text, in pixels. Android: `StaticLayout.generate` and `out`.
struct AndroidLineHeights {
  private let platform: Platform
  private let options: AndroidTextOptions
  /// The line height that is stated, in pixels. In React Native it is that of the paragraph.
  private var lineHeight: Float?
  /// The space that is added to each line but the last, in pixels.
  private let spacing: Float
  /// The factor of the height of each line but the last. A line height of Android replaces it.
  private let multiplier: Double
  /// The metrics that the line before has left to the next one of its paragraph in the same style, which a line-height span has
  /// changed.
  private var carried: AndroidFontMetrics?
  /// The metrics that a line height of Compose gives all lines, once the first line is known.
  private var compose: ComposeLineHeight?

  init(_ options: TextOptions, lineHeight: Float?, spacing: Float, leading: Float, _ base: AndroidFontMetrics) {
    (platform, self.options) = (options.platform, options.android)
    self.lineHeight = platform == .android ? nil : lineHeight
    if platform == .android, let lineHeight {
      self.spacing = lineHeight - (base.descent - base.ascent + leading)
      multiplier = 1
    } else {
      self.spacing = spacing
      multiplier = self.options.lineSpacingMultiplier
    }
  }

  /// Starts a paragraph.
  ///
  /// - Parameter lineHeight: the line height of its spans in React Native, in pixels.
  mutating func startParagraph(lineHeight: Float?) {
    carried = nil
    if platform == .reactNative { self.lineHeight = lineHeight }
  }

  /// Returns the distances of the top and the bottom of a line from its baseline.
  ///
  /// - Parameters:
  ///   - base: the metrics of the styles on the line.
  ///   - extent: the metrics of the fonts on the line.
  ///   - place: the place of the line in the text.
  mutating func line(
    _ base: AndroidFontMetrics, _ extent: AndroidLineExtent, _ place: AndroidLinePlace
  ) -> (above: Float, below: Float) {
    var line = base
    if extent.continuesStyle, let carried {
      line = extent.laterStyles.map { carried.union($0) } ?? carried
    }
    if options.fallbackLineSpacing {
      line.ascent = min(line.ascent, AndroidFontMetrics.rounded(extent.fallback.ascent))
      line.descent = max(line.descent, AndroidFontMetrics.rounded(extent.fallback.descent))
      line.top = min(line.top, line.ascent)
      line.bottom = max(line.bottom, line.descent)
    }
    if let lineHeight {
      if platform == .compose {
        applyCompose(lineHeight, to: &line, place)
      } else {
        Self.apply(lineHeight, to: &line)
      }
      carried = line
    }
    var (above, below) = (line.ascent, line.descent)
    if options.fontPadding && place.isFirst { above = line.top }
    if options.fontPadding && place.isLast { below = line.bottom }
    if !place.isLast { below += extra(for: below - above) }
    if place.isFirst { above -= compose?.topPadding ?? 0 }
    if place.isLastShown { below += compose?.bottomPadding ?? 0 }
    return (-above, below)
  }

  /// Changes the metrics of a line to a line height of Compose. A text on one line keeps its metrics if the space is trimmed
  /// above and below.
  private mutating func applyCompose(_ height: Float, to line: inout AndroidFontMetrics, _ place: AndroidLinePlace) {
    guard line.descent > line.ascent,
      !(place.isFirst && place.endsText && options.lineHeightTrim == .both)
    else { return }
    let heights = compose ?? ComposeLineHeight(height, options, line)
    compose = heights
    (line.ascent, line.descent) = heights.line(isFirst: place.isFirst, isLast: place.endsText)
  }

  /// Returns the distances of the top and the bottom of an empty text's line, or of that after the last newline, from its
  /// baseline. Line-height spans have no effect there, but Compose gives it the height of a text of its own.
  func lastEmptyLine(_ base: AndroidFontMetrics, isFirst: Bool) -> (above: Float, below: Float) {
    if platform == .compose, let lineHeight {
      let trims = options.lineHeightTrim.isOfLastLine
      var own = options
      own.lineHeightTrim = !trims ? .none : isFirst ? .both : .lastLineBottom
      let heights = ComposeLineHeight(lineHeight, own, base)
      var (above, below) =
        own.lineHeightTrim == .both ? (base.ascent, base.descent) : heights.line(isFirst: true, isLast: true)
      if options.fontPadding { (above, below) = (base.top, base.bottom) }
      return (-above, below)
    }
    guard options.fontPadding else { return (-base.ascent, base.descent) }
    return (isFirst ? -base.top : -base.ascent, base.bottom)
  }

  /// Returns the space below a line of a height, in whole pixels.
  private func extra(for height: Float) -> Float {
    let stretched = Double(height) * (multiplier - 1) + Double(spacing)
    let extra = Float((stretched.magnitude + 0.5).rounded(.towardZero))
    return stretched < 0 ? -extra : extra
  }

  /// Changes the metrics of a line to a line height, as the span of React Native does. Source: `CustomLineHeightSpan`.
  private static func apply(_ height: Float, to line: inout AndroidFontMetrics) {
    if line.descent > height {
      (line.ascent, line.top) = (0, 0)
      (line.descent, line.bottom) = (height, height)
    } else if line.descent - line.ascent > height {
      line.bottom = line.descent
      (line.ascent, line.top) = (line.descent - height, line.descent - height)
    } else if line.bottom - line.ascent > height {
      line.top = line.ascent
      line.bottom = line.ascent + height
    } else if line.bottom - line.top > height {
      line.top = line.bottom - height
    } else {
      let rest = height - (line.bottom - line.top)
      line.top -= (rest / 2).rounded(.up)
      line.bottom += (rest / 2).rounded(.down)
      (line.ascent, line.descent) = (line.top, line.bottom)
    }
  }
}

/// The place of a line in a text.
struct AndroidLinePlace: BitwiseCopyable {
  let isFirst: Bool
  /// Whether `StaticLayout` counts it as the last line.
  let isLast: Bool
  /// Whether no line is shown below.
  let isLastShown: Bool
  /// Whether it ends where a span over the text does.
  let endsText: Bool
}
