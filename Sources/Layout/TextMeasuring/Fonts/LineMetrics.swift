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
  /// on each side. Without a line height, that is the rounded line gap of the font (text-rules 20).
  ///
  /// - Parameter offset: the distance of the characters above the baseline, in points.
  func lineMetrics(_ style: borrowing TextStyle, face: Int32, offset: Double) -> LineMetrics {
    let metrics = faces[Int(face)]
    let scale = style.size / metrics.unitsPerEm
    let above = (metrics.ascender * scale).rounded()
    let below = (metrics.descender * scale).rounded()
    let natural = above + below + max(0, (metrics.lineGap * scale).rounded())
    let height = style.lineHeight.isNaN ? natural : style.lineHeight
    // Blink: `FontHeight::AddLeading` rounds the half above the ascent down.
    let halfLeading = ((height - above - below) / 2).rounded(.down)
    return LineMetrics(above: above + halfLeading + offset, below: height - above - halfLeading - offset)
  }
}
