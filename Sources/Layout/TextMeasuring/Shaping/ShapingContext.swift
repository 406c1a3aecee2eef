import CHarfBuzz

/// The properties with which text is shaped. They are the bits of one number.
struct ShapingContext: BitwiseCopyable, Equatable {
  /// From the highest bit: whether glyphs are not kerned, the script's tag of four ASCII letters, the rounding of advances, the
  /// face, and two flags. The lowest bit is 0. The three highest bits of each letter of the tag are known, as
  /// the first one is a capital. In their place are the numbers of the font's features and of the language.
  private var bits: UInt64

  private static let scriptShift: UInt64 = 32
  private static let scriptMask: UInt64 = 0x1f1f_1f1f << scriptShift
  /// The bits that the tags of all scripts have.
  private static let letterBits: UInt32 = 0x4060_6060
  private static let languageShifts: (UInt64, UInt64) = (37, 45)
  private static let featureShifts: (UInt64, UInt64) = (53, 61)
  /// The largest number of a language.
  static let maxLanguage = 63
  /// The largest number of the features of a font.
  static let maxFeatures = 31
  private static let sizeShift: UInt64 = 11
  private static let faceShift: UInt64 = 3
  private static let unkerned: UInt64 = 1 << 63
  private static let rightToLeft: UInt64 = 4
  private static let withLigatures: UInt64 = 2

  /// The largest size in `rounding`.
  static let maxRoundedSize: UInt32 = 1 << 20 - 1
  /// The bit of `rounding` that is set if advances are rounded to whole points.
  static let wholePoints: UInt32 = 1 << 20

  /// Creates the properties.
  ///
  /// - Parameters:
  ///   - face: the index of the face in the font book, which has at most `FontBook.maxFaces`.
  ///   - rounding: see `rounding`.
  @inline(__always)
  init(
    face: Int32, script: hb_script_t, ligatures: Bool, isRightToLeft: Bool = false, kerns: Bool = true,
    rounding: UInt32 = 0
  ) {
    bits =
      UInt64(script.rawValue) << Self.scriptShift & Self.scriptMask | UInt64(rounding) << Self.sizeShift
      | UInt64(UInt32(bitPattern: face)) << Self.faceShift | (ligatures ? Self.withLigatures : 0)
      | (isRightToLeft ? Self.rightToLeft : 0) | (kerns ? 0 : Self.unkerned)
  }

  /// The index of the face in the font book.
  @inline(__always)
  var face: Int32 { Int32(truncatingIfNeeded: bits >> Self.faceShift & 0xff) }

  /// The script of the text.
  @inline(__always)
  var script: hb_script_t {
    get { hb_script_t(UInt32(truncatingIfNeeded: (bits & Self.scriptMask) >> Self.scriptShift) | Self.letterBits) }
    set { bits = bits & ~Self.scriptMask | UInt64(newValue.rawValue) << Self.scriptShift & Self.scriptMask }
  }

  /// The context in which plain ASCII pieces of a text in this context are shaped, which is that of plain ASCII texts. Hangul has its
  /// own: there HarfBuzz turns contextual alternates off. Nil in scripts that run from right to left: there HarfBuzz reverses pieces
  /// without digits, and kerns only with the Hebrew features of a font.
  var ofAsciiPieces: ShapingContext? {
    guard !isRightToLeft else { return nil }
    if script == HB_SCRIPT_LATIN || script == HB_SCRIPT_HANGUL { return self }
    guard hb_script_get_horizontal_direction(script) != HB_DIRECTION_RTL else { return nil }
    var context = self
    context.script = HB_SCRIPT_LATIN
    return context
  }

  /// The number of the language in `Languages`; 0 is English.
  var language: Int {
    get {
      let high: UInt64 = (bits >> Self.languageShifts.1 & 7) << 3
      return Int(bits >> Self.languageShifts.0 & 7 | high)
    }
    set {
      bits &= ~(7 << Self.languageShifts.0 | 7 << Self.languageShifts.1)
      bits |= (UInt64(newValue) & 7) << Self.languageShifts.0 | (UInt64(newValue) >> 3) << Self.languageShifts.1
    }
  }

  /// The number of the font's features in the font book; 0 for none.
  var features: Int {
    get {
      let high: UInt64 = (bits >> Self.featureShifts.1 & 3) << 3
      return Int(bits >> Self.featureShifts.0 & 7 | high)
    }
    set {
      bits &= ~(7 << Self.featureShifts.0 | 3 << Self.featureShifts.1)
      bits |= (UInt64(newValue) & 7) << Self.featureShifts.0 | (UInt64(newValue) >> 3) << Self.featureShifts.1
    }
  }

  /// Whether the text is shaped with features of its font or in another language than English.
  @inline(__always)
  var isSpecial: Bool { bits & Self.special != 0 }

  private static let special: UInt64 =
    7 << languageShifts.0 | 7 << languageShifts.1 | 7 << featureShifts.0 | 3 << featureShifts.1

  /// Whether ligatures and contextual alternates are used, which letter spacing excludes.
  @inline(__always)
  var ligatures: Bool { bits & Self.withLigatures != 0 }

  @inline(__always)
  var isRightToLeft: Bool {
    get { bits & Self.rightToLeft != 0 }
    set { bits = newValue ? bits | Self.rightToLeft : bits & ~Self.rightToLeft }
  }

  /// Whether glyphs are kerned.
  @inline(__always)
  var kerns: Bool { bits & Self.unkerned == 0 }

  /// The size in 1/60 point for which advances are rounded to 1/60 point, or with `wholePoints` the size in 1/64 point for which they
  /// are rounded to whole points; 0 for advances in units of the face.
  @inline(__always)
  var rounding: UInt32 {
    UInt32(truncatingIfNeeded: bits >> Self.sizeShift) & (Self.maxRoundedSize | Self.wholePoints)
  }

  /// Whether advances are rounded to 1/60 point, which only Firefox does.
  @inline(__always)
  var isOfFirefox: Bool { rounding != 0 && rounding & Self.wholePoints == 0 }

  /// The context in which advances are those of the face.
  var unrounded: ShapingContext {
    var context = self
    context.bits &= ~(UInt64(Self.maxRoundedSize | Self.wholePoints) << Self.sizeShift)
    return context
  }

  /// The properties as a number, which is a part of the key of a segment in the cache.
  @inline(__always)
  var number: UInt64 { bits }

  /// The number that is in its place in the key of the kerning of two pieces.
  @inline(__always)
  var numberOfKerning: UInt64 { bits | 1 }

  /// The number that is in its place in the key of whether a face shows .notdef: that of no script.
  static func numberOfNotdef(_ face: Int32) -> UInt64 {
    ShapingContext(face: face, script: HB_SCRIPT_INVALID, ligatures: false).number
  }
}
