/// The rounding of a glyph's advance, which browsers do in different ways (text-rules 16 and 22).
struct AdvanceRounding: BitwiseCopyable {
  /// The advance of a face of bitmaps; nil for other faces.
  private let strike: Int32?
  /// The number of rounded units in a unit of the face; 0 if advances are not rounded.
  private let factor: Double

  /// The units in a point to which Firefox rounds.
  static let unitsPerPoint = 60.0

  /// Creates the rounding of a face at a size.
  ///
  /// - Parameter size: the size in points for which advances are rounded to 1/60 point, and those of bitmaps to whole
  ///   points; 0 for advances in units of the face.
  init(_ face: Face, size: Double) {
    factor = size == 0 ? 0 : pointsPerUnit(face, size) * Self.unitsPerPoint
    strike = face.strikeAdvance.map { [factor] advance in
      factor == 0
        ? advance : Int32((Double(advance) * factor / Self.unitsPerPoint).rounded() * Self.unitsPerPoint)
    }
  }

  /// Returns the advance that a glyph has in a text.
  @inline(__always)
  func callAsFunction(_ advance: Int32) -> Int32 {
    if let strike, advance > 0 { return strike }
    return factor == 0 ? advance : Int32((Double(advance) * factor).rounded())
  }
}

extension ShapingContext {
  /// The size for which advances are rounded, in points; 0 if they are in units of the face.
  var roundedSize: Double { Double(roundedSize64) / 64 }

  /// Returns the size of a unit of the advances in points, at text scale 1.
  func pointsPerAdvance(_ face: Face, _ size: Double, _ textScale: Double) -> Double {
    roundedSize64 == 0 ? pointsPerUnit(face, size) : 1 / (AdvanceRounding.unitsPerPoint * textScale)
  }
}
