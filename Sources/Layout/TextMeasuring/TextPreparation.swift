import Buffers

/// What all texts of a row are cut into. Emptied between rows.
struct PreparedTexts: ~Copyable {
  var texts = FlatBuffer<PreparedText>(capacity: 16)
  var segments = FlatBuffer<Segment>(capacity: 256)
  var items = FlatBuffer<Item>(capacity: 64)
  var metrics = FlatBuffer<LineMetrics>(capacity: 32)
  var units = FlatBuffer<UInt16>(capacity: 1024)
  /// The units that stand for others, in their order.
  var substitutes = FlatBuffer<Substitute>(capacity: 4)
  /// Where each unit stands in the text as written, in UTF-16; kept only with `recordsLines`.
  var origins = FlatBuffer<Int32>(capacity: 16)

  mutating func removeAll() {
    texts.removeAll()
    segments.removeAll()
    items.removeAll()
    metrics.removeAll()
    units.removeAll()
    substitutes.removeAll()
    origins.removeAll()
  }
}

/// A unit that is shaped in place of another, which still tells where lines may break.
struct Substitute: BitwiseCopyable {
  /// Index among the units of all texts.
  var place: Int
  var original: UInt16
}

/// Size of a style's font unit in points, as FreeType rounds it (text-rules 16).
func pointsPerUnit(_ face: Face, _ size: Double) -> Double {
  (size * 64 * 65536 / face.unitsPerEm).rounded() / (64 * 65536)
}

extension FontBook {
  /// What a style brings to its lines: with a line height, the font's ascent and descent with half the rest around
  /// them; without one, rounded ascent and descent (text-rules 20).
  func lineMetrics(_ style: TextStyle, face: Int32) -> LineMetrics {
    let metrics = faces[Int(face)]
    let scale = style.size / metrics.unitsPerEm
    let above = (metrics.ascender * scale).rounded()
    let below = (metrics.descender * scale).rounded()
    if style.lineHeight.isNaN { return LineMetrics(above: above, below: below) }
    let halfLeading = (style.lineHeight - above - below) / 2
    return LineMetrics(above: above + halfLeading, below: style.lineHeight - above - halfLeading)
  }
}

extension PreparedTexts {
  /// The bit of a line metrics within the text whose metrics start at `first`.
  mutating func bit(of wanted: LineMetrics, from first: Int) -> UInt32 {
    for index in first..<metrics.count where metrics[index] == wanted { return 1 << UInt32(index - first) }
    // More than 32 different ones in a paragraph: the rest count as the last.
    if metrics.count - first < 32 { metrics.append(wanted) }
    return 1 << UInt32(metrics.count - 1 - first)
  }
}
