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
  /// on each side. Without a line height, that is the height of the font (text-rules 20 to 22).
  ///
  /// - Parameter offset: the distance of the characters above the baseline, in points.
  func lineMetrics(
    _ style: borrowing TextStyle, face: Int32, offset: Double, _ engine: BrowserRules.Engine
  ) -> LineMetrics {
    let font =
      engine == .firefox
      ? FontHeight(ofFirefox: faces[Int(face)], style.size) : FontHeight(faces[Int(face)], style.size)
    var height = style.lineHeight.isNaN ? font.height : style.lineHeight
    if engine == .webKit { height = height.rounded(.down) }
    let leading = height - font.above - font.below
    // Blink: `FontHeight::AddLeading` rounds the half above the ascent down. Gecko counts in 1/60 pixel.
    let above = engine == .firefox ? (leading * 30).rounded(.towardZero) / 60 : (leading / 2).rounded(.down)
    return LineMetrics(above: font.above + above + offset, below: height - font.above - above - offset)
  }
}

/// The height of a font in a browser, in points.
private struct FontHeight {
  /// The distances that the font reaches above and below the baseline.
  let above, below: Double
  /// The height of a line without a line height.
  let height: Double

  @inline(__always)
  init(_ face: Face, _ size: Double) {
    let scale = size / face.unitsPerEm
    above = (face.ascender * scale).rounded()
    below = (face.descender * scale).rounded()
    height = above + below + max(0, (face.lineGap * scale).rounded())
  }

  /// The height in Gecko on FreeType (`gfxFT2FontBase::InitMetrics`). FreeType rounds ascent and descent up, after it has rounded
  /// them to 1/64 pixel.
  init(ofFirefox face: Face, _ size: Double) {
    let scale = pointsPerUnit(face, size)
    func length(_ units: Double) -> Double {
      face.hasTypographicMetrics
        ? (units * scale + 0.5).rounded(.down) : ((units * scale * 64).rounded() / 64).rounded(.up)
    }
    above = length(face.ascender)
    below = length(face.descender)
    let natural = (max(face.typographicHeight * scale, above + below) + 0.5).rounded(.down)
    let em = (size + 0.5).rounded(.down)
    // Gecko adds leading to a font that states none (`nsLayoutUtils`, `NORMAL_LINE_HEIGHT_FACTOR`).
    height = natural == em && above + below == em ? (em * 1.2 * 60).rounded() / 60 : natural
  }
}
