import Buffers
import CHarfBuzz

/// Shaping of long pieces in stretches.
///
/// HarfBuzz takes a time that is quadratic in the marks and joined letters that it shapes at once, and 40 bytes a unit.
/// Stretches make the time proportional to the length and bound the memory. They end where the font allows a cut
/// without a change of shapes, which nearly all words that are that long have.
extension Shaper {
  /// The most units that are shaped at once: more than nearly all words and lines have.
  static let maxStretch = 512
  /// The units at the end of a stretch that the units after it can change.
  private static let margin = 64

  /// The glyphs of a stretch of a text.
  struct Stretch {
    let glyphs: ShapedGlyphs
    /// The offset in the text of the first unit that is left to the next stretch, or the end of the range.
    let end: Int
    /// Whether the end is inside of a cluster, as the stretch is a single one.
    let endsInsideCluster: Bool
  }

  /// Shapes a range of a text in stretches.
  ///
  /// - Parameters:
  ///   - length: the number of units of the text.
  ///   - body: receives each stretch in the order of the text. It leaves out the glyphs from the stretch's end on.
  @inline(__always)
  mutating func shapeStretches(
    of range: Range<Int>, in text: UnsafePointer<UInt16>, _ length: Int, _ context: ShapingContext,
    _ body: (Stretch) -> Void
  ) {
    var start = range.lowerBound
    repeat {
      var end = min(start + Self.maxStretch, range.upperBound)
      if end < range.upperBound && text[end] & 0xfc00 == 0xdc00 { end -= 1 }
      shapedUnits &+= end - start
      let glyphs = glyphs(of: start..<end, in: text, length, context)
      let stretchEnd = end
      if end < range.upperBound { end = Self.cut(glyphs, start..<end) }
      body(
        Stretch(glyphs: glyphs, end: end, endsInsideCluster: end == stretchEnd && end < range.upperBound))
      start = end
    } while start < range.upperBound
  }

  /// Returns whether a font allows no cut before any unit of a range of a text without a change of shapes.
  ///
  /// - Parameter item: the range of the item, whose start is no cut.
  mutating func isUncuttable(
    _ range: Range<Int>, in text: UnsafePointer<UInt16>, item: Range<Int>, _ length: Int, _ context: ShapingContext
  ) -> Bool {
    let around =
      max(item.lowerBound, range.lowerBound - Self.margin)..<min(item.upperBound, range.upperBound + Self.margin)
    var isUncuttable = true
    shapeStretches(of: around, in: text, length, context) { stretch in
      for glyph in stretch.glyphs.infos where range.contains(Int(glyph.cluster)) {
        if glyph.mask & HB_GLYPH_FLAG_UNSAFE_TO_BREAK.rawValue == 0 { isUncuttable = false }
      }
    }
    return isUncuttable
  }

  /// Returns the offset at which the units after a stretch are left to the next one: the last one before which the font
  /// allows a cut, otherwise that of the last cluster, and the end of the stretch if it is a single cluster.
  private static func cut(_ glyphs: ShapedGlyphs, _ stretch: Range<Int>) -> Int {
    var safe = stretch.lowerBound
    var lastCluster = stretch.lowerBound
    for glyph in glyphs.infos {
      let cluster = Int(glyph.cluster)
      lastCluster = max(lastCluster, cluster)
      if glyph.mask & HB_GLYPH_FLAG_UNSAFE_TO_BREAK.rawValue == 0 && cluster <= stretch.upperBound - margin {
        safe = max(safe, cluster)
      }
    }
    if safe > stretch.lowerBound { return safe }
    return lastCluster > stretch.lowerBound ? lastCluster : stretch.upperBound
  }
}
