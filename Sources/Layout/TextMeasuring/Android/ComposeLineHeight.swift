/// The metrics that a line height of Jetpack Compose gives the lines of a text, in pixels with Android's signs. Source:
/// `LineHeightStyleSpan` and `TextLayout` of `androidx.compose.ui.text.android`.
///
/// They follow from the metrics of the first line. A line whose fallback fonts are higher gets the same metrics.
struct ComposeLineHeight: BitwiseCopyable {
  private let ascent: Float
  private let descent: Float
  private let firstAscent: Float
  private let lastDescent: Float
  /// The space above the first line that a line height below the font's own leaves, so that the line is not cut off.
  let topPadding: Float
  /// The same below the last line.
  let bottomPadding: Float

  /// - Parameters:
  ///   - height: The line height in whole pixels.
  ///   - line: The metrics of the first line.
  init(_ height: Float, _ options: AndroidTextOptions, _ line: AndroidFontMetrics) {
    let own = line.descent - line.ascent
    let difference = height - own
    let ratio = Self.topRatio(options.lineHeightAlignment, line)
    let below = (difference * (difference <= 0 ? ratio : 1 - ratio)).rounded(.up)
    descent = line.descent + below
    ascent = descent - height
    firstAscent = options.lineHeightTrim.isOfFirstLine ? line.ascent : ascent
    lastDescent = options.lineHeightTrim.isOfLastLine ? line.descent : descent
    topPadding = max(0, firstAscent - line.ascent)
    // Compose takes the larger of both at the bottom.
    let cut = max(0, line.descent - lastDescent)
    bottomPadding = cut > 0 ? max(topPadding, cut) : 0
  }

  /// The share of the space that is above the text.
  private static func topRatio(_ alignment: LineHeightAlignment, _ line: AndroidFontMetrics) -> Float {
    switch alignment {
    case .center: 0.5
    case .proportional: line.ascent.magnitude / (line.descent - line.ascent)
    case .top: 0
    case .bottom: 1
    }
  }

  /// Returns the ascent and descent of a line.
  func line(isFirst: Bool, isLast: Bool) -> (ascent: Float, descent: Float) {
    (isFirst ? firstAscent : ascent, isLast ? lastDescent : descent)
  }
}

extension LineHeightTrim {
  var isOfFirstLine: Bool { self == .firstLineTop || self == .both }
  var isOfLastLine: Bool { self == .lastLineBottom || self == .both }
}
