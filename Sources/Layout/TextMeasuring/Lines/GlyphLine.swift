/// A glyph with its position in a line.
public struct PlacedGlyph: Sendable {
  /// The glyph.
  public let key: GlyphKey
  /// The distance of its origin to the right of the line's left end, in points.
  public var x: Double
  /// The distance of its origin below the line's baseline, in points.
  public var y: Double
  /// The size of a unit of the face, in points.
  public let scale: Double
}

/// An attachment with its position in a line, in points.
public struct PlacedAttachment: BitwiseCopyable, Equatable, Sendable {
  /// The distance of its left edge to the right of the line's left end.
  public var x: Double
  /// The distance of its upper edge above the line's baseline.
  public let above: Double
  public let width, height: Double
}

/// A line of a measured text as it is drawn: glyphs in visual order, from left to right.
public struct GlyphLine: Sendable {
  /// The glyphs in visual order.
  public var glyphs: [PlacedGlyph]
  /// The attachments among them.
  public var attachments: [PlacedAttachment] = []
  /// The width that is drawn, in points.
  public var width: Double
  /// The distance of the baseline below the top of the text, in points.
  public var baseline: Double
  /// The distance from the side at which its paragraph begins, in points.
  public var indent = 0.0
  /// What rectangles exclude of the line.
  public var exclusion = LineExclusion()
  /// Whether its paragraph runs from right to left, so that the line is at the right side of its text.
  public var isRightToLeft: Bool
  /// Whether the spaces of the line are wider, so that it fills its text.
  public var isJustified = false
  /// The characters of the text that the line shows, without its hyphen and the truncation string.
  public var text = ""
  /// The characters of the line in logical order, from which a program that shapes text makes the same line. It has to take their
  /// levels: the direction of what is at the ends of a line depends on letters of other lines.
  public var runs: [LineRun] = []

  /// Distributes the glyphs over the width that was measured.
  ///
  /// - Parameter endTrim: the length by which the mark at the end can be narrower.
  mutating func fit(to measured: Double, endTrim: Double) {
    if let factor = Self.factor(from: width, to: measured, endTrim: endTrim) {
      for index in glyphs.indices { glyphs[index].x *= factor }
      width = measured
    } else if endTrim > 0 {
      width = min(width, measured)
    }
  }

  /// Returns the factor by which positions change in a line of another width than was measured, or nil if they do not.
  static func factor(from width: Double, to measured: Double, endTrim: Double) -> Double? {
    let (factor, difference) = (measured / width, width - measured)
    let isEqual = difference.magnitude <= 0.25 || (difference - endTrim).magnitude <= 0.25
    return width > 0 && !isEqual && (0.5...1.5).contains(factor) ? factor : nil
  }
}
