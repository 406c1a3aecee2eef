import CHarfBuzz

/// The rounding of a glyph's advance, which browsers do in different ways (text-rules 16 and 22).
struct AdvanceRounding: BitwiseCopyable {
  /// The advance of a face of bitmaps; nil for other faces.
  private let strike: Int32?
  /// The number of 1/65536 points in a unit of the face; 0 if advances are not rounded.
  private let fixedPointScale: Double
  /// The font whose glyphs have advances of whole points before they are kerned; nil if only the kerned advance is rounded.
  private let wholePointFont: OpaquePointer?

  /// The units in a point in which rounded advances are counted, and to which Firefox rounds.
  static let unitsPerPoint = 60.0

  /// Creates the rounding that a context states for a face.
  init(_ face: Face, _ context: ShapingContext) {
    let rounding = context.rounding
    guard rounding != 0 else {
      (fixedPointScale, wholePointFont, strike) = (0, nil, face.strikeAdvance)
      return
    }
    let roundsToPoints = rounding & ShapingContext.wholePoints != 0
    let size = Double(rounding & ShapingContext.maxRoundedSize) / (roundsToPoints ? 64 : Self.unitsPerPoint)
    let scale = (roundsToPoints ? pointsPerUnit(face, size) : Self.pointsPerUnitInFirefox(face, size)) * Self.fixedPoint
    fixedPointScale = scale
    wholePointFont = roundsToPoints ? face.font : nil
    strike = face.strikeAdvance.map { Self.wholePoints(Self.units($0, scale)) }
  }

  /// Returns the size of a face's unit in points in Firefox, which sets outlines of TrueType in a size of whole 1/64 points
  /// (`gfxFT2FontBase::LockFTFace`), and does not take FreeType's rounded scale.
  private static func pointsPerUnitInFirefox(_ face: Face, _ size: Double) -> Double {
    (face.hasTrueTypeOutlines ? (size * 64).rounded() / 64 : size) / face.unitsPerEm
  }

  /// Returns the advance that a glyph has in a text.
  ///
  /// - Parameter glyph: the number of the glyph; nil for an advance without kerning.
  @inline(__always)
  func callAsFunction(_ advance: Int32, of glyph: hb_codepoint_t? = nil) -> Int32 {
    if let strike, advance > 0 { return strike }
    return fixedPointScale == 0 ? advance : rounded(advance, glyph)
  }

  private func rounded(_ advance: Int32, _ glyph: hb_codepoint_t?) -> Int32 {
    guard let wholePointFont, advance != 0 else { return Int32(Self.units(advance, fixedPointScale).rounded()) }
    let own = glyph.map { hb_font_get_glyph_h_advance(wholePointFont, $0) } ?? advance
    return Self.wholePoints(Self.units(own, fixedPointScale))
      + Int32(Self.units(advance - own, fixedPointScale).rounded())
  }

  /// Returns an advance in units of a face in the units that are counted. It is first rounded to 1/65536 point, the unit of HarfBuzz
  /// in Firefox (`gfxHarfBuzzShaper`) and of FreeType's linear advances.
  private static func units(_ advance: Int32, _ fixedPointScale: Double) -> Double {
    (Double(advance) * fixedPointScale).rounded() * unitsPerPoint / fixedPoint
  }

  /// The units in a point of the advances before they are rounded to those that are counted.
  private static let fixedPoint = 65536.0

  /// Returns a number of units rounded to whole points.
  private static func wholePoints(_ units: Double) -> Int32 { Int32((units / unitsPerPoint).rounded() * unitsPerPoint) }
}

extension PreparedText {
  /// Returns the rounding of the advances of a style, as `ShapingContext.rounding` has it.
  func rounding(_ style: borrowing TextStyle) -> UInt32 {
    guard !rules.traits.isDisjoint(with: [.roundsAdvances, .roundsAdvancesToPoints]) else { return 0 }
    let roundsToPoints = rules.traits.contains(.roundsAdvancesToPoints)
    // Firefox rounds sizes to 1/60 pixel (`nsStyleFont::mSize`).
    let size = fontSize(style) * textScale
    let units = roundsToPoints ? size * 64 : (size * AdvanceRounding.unitsPerPoint).rounded()
    let rounding = UInt32(min(max(units, 1), Double(ShapingContext.maxRoundedSize)))
    return roundsToPoints ? rounding | ShapingContext.wholePoints : rounding
  }

  /// Returns the size of a unit of the advances in a context in points, at text scale 1.
  func pointsPerAdvance(_ face: Face, _ style: borrowing TextStyle, _ context: ShapingContext) -> Double {
    context.rounding == 0 ? pointsPerUnit(face, style) : 1 / (AdvanceRounding.unitsPerPoint * textScale)
  }

  /// Returns the size of a face's unit in a style in points, at text scale 1.
  func pointsPerUnit(_ face: Face, _ style: borrowing TextStyle) -> Double {
    TextMeasuring.pointsPerUnit(face, fontSize(style, hasBitmaps: face.strikeAdvance != nil))
  }

  /// Returns the size of a style's font in points for which its glyphs have their advances (text-rules 16).
  func fontSize(_ style: borrowing TextStyle, hasBitmaps: Bool = false) -> Double {
    rules.traits.contains(.cutsFontSizes)
      ? BrowserFontSize.size(style.size, in: rules.engine, hasBitmaps: hasBitmaps) : style.size
  }
}
