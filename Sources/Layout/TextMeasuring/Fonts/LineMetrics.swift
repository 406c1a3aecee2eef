/// The distances that a style or face reaches above and below the baseline of its lines, in points at text scale 1.
struct LineMetrics: BitwiseCopyable, Equatable {
  var above: Double
  var below: Double
}

extension LineMetrics {
  /// The metrics of an element in a line whose lower edge is `offset` points above the baseline.
  init(_ attachment: TextAttachment, offset: Double) {
    self.init(above: attachment.height + offset, below: -offset)
  }
}

/// Returns the size of a face's unit in points at a font size, rounded as FreeType rounds that of outlines (text-rules 16).
func pointsPerUnit(_ face: Face, _ size: Double) -> Double {
  if face.strikeAdvance != nil { return size / face.unitsPerEm }
  return (size * 64 * 65536 / face.unitsPerEm).rounded() / (64 * 65536)
}

extension FontBook {
  /// Returns the line metrics of a style in one of its faces: the font's rounded ascent and descent with half of the remaining height
  /// on each side. Without a line height, that is the rounded line gap of the font (text-rules 20 to 22).
  ///
  /// - Parameters:
  ///   - face: the face of the style, or a fallback face of a style without a line height.
  ///   - offset: the distance of the characters above the baseline, in points.
  ///   - text: the text, which states the browser and the space between lines.
  @inline(__always)
  func lineMetrics(
    _ style: borrowing TextStyle, face: Int32, offset: Double, in text: borrowing PreparedText
  ) -> LineMetrics {
    switch text.rules.engine {
    case .chromium:
      chromiumLineMetrics(
        style.lineHeight, size: text.fontSize(style, hasBitmaps: faces[Int(face)].strikeAdvance != nil), face: face,
        offset: offset)
    case .webKit: webKitLineMetrics(style, face: face, offset: offset, lineSpacing: text.options.lineSpacing)
    case .firefox: firefoxLineMetrics(style, face: face, offset: offset)
    }
  }

  @inline(__always)
  private func chromiumLineMetrics(_ lineHeight: Double, size: Double, face: Int32, offset: Double) -> LineMetrics {
    let metrics = faces[Int(face)]
    let scale = size / metrics.unitsPerEm
    let above = (metrics.ascender * scale).rounded()
    let below = (metrics.descender * scale).rounded()
    let natural = above + below + max(0, (metrics.lineGap * scale).rounded())
    let height = lineHeight.isNaN ? natural : lineHeight
    let leading = height - above - below
    // Most line heights are whole points. Adding and subtracting the number rounds to a whole one.
    let isWhole = leading + 0x1.8p52 - 0x1.8p52 == leading
    let halfLeading = isWhole ? (leading / 2).rounded(.down) : Self.halfLeading(height, above + below)
    return LineMetrics(above: above + halfLeading + offset, below: height - above - halfLeading - offset)
  }

  /// Returns the leading above the ascent. Blink (`FontHeight::AddLeading`) rounds the half down after cutting its number of 1/64
  /// points.
  @inline(never)
  private static func halfLeading(_ height: Double, _ natural: Double) -> Double {
    let leading = (BrowserFontSize.lineHeight(height) - natural) * LinePen.fraction
    return ((leading / 2).rounded(.towardZero) / LinePen.fraction).rounded(.down)
  }

  /// Returns the line metrics in WebKit, which cuts the line height of the page in single precision. That contains the space between
  /// lines (text-rules 21).
  @inline(never)
  private func webKitLineMetrics(
    _ style: TextStyle, face: Int32, offset: Double, lineSpacing: Double
  ) -> LineMetrics {
    let lineHeight = Double(Float(style.lineHeight + lineSpacing).rounded(.down)) - lineSpacing
    return chromiumLineMetrics(lineHeight, size: style.size, face: face, offset: offset)
  }

  /// Returns the line metrics in Gecko on FreeType (`gfxFT2FontBase::InitMetrics`, text-rules 22).
  @inline(never)
  private func firefoxLineMetrics(_ style: TextStyle, face: Int32, offset: Double) -> LineMetrics {
    let metrics = faces[Int(face)]
    let scale = pointsPerUnit(metrics, style.size)
    // FreeType rounds to 1/64 pixel and then up; Gecko rounds typographic metrics itself.
    func length(_ units: Double) -> Double {
      metrics.hasTypographicMetrics
        ? (units * scale + 0.5).rounded(.down) : ((units * scale * 64).rounded() / 64).rounded(.up)
    }
    let above = length(metrics.ascender)
    let below = length(metrics.descender)
    var height = style.lineHeight
    if height.isNaN && face != style.face {
      // Fallback fonts have no leading.
      height = above + below
    } else if height.isNaN {
      height = (max(metrics.typographicHeight * scale, above + below) + 0.5).rounded(.down)
      // Gecko adds leading to a font that states none (`NORMAL_LINE_HEIGHT_FACTOR`).
      let em = (style.size + 0.5).rounded(.down)
      if height == em && above + below == em { height = (em * 1.2 * 60).rounded() / 60 }
    }
    // Gecko counts in 1/60 pixel.
    let halfLeading = ((height - above - below) * 30).rounded(.towardZero) / 60
    return LineMetrics(above: above + halfLeading + offset, below: height - above - halfLeading - offset)
  }
}
