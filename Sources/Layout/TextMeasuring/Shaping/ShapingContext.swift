import CHarfBuzz

/// The properties with which text is shaped. They are the bits of one number, which is a part of the key of a segment in the
/// cache.
struct ShapingContext: BitwiseCopyable, Equatable {
  /// From the highest bit: whether glyphs are not kerned, the script's tag of four ASCII letters, the rounding of advances, the
  /// face, and two flags. The lowest bit is left to the cache.
  private var bits: UInt64

  private static let scriptShift: UInt64 = 32
  private static let sizeShift: UInt64 = 11
  private static let faceShift: UInt64 = 3
  private static let unkerned: UInt64 = 1 << 63
  private static let rightToLeft: UInt64 = 4
  private static let withLigatures: UInt64 = 2

  /// The largest size in `rounding`, in 1/64 point.
  static let maxRoundedSize64: UInt32 = 1 << 20 - 1
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
      UInt64(script.rawValue) << Self.scriptShift | UInt64(rounding) << Self.sizeShift
      | UInt64(UInt32(bitPattern: face)) << Self.faceShift | (ligatures ? Self.withLigatures : 0)
      | (isRightToLeft ? Self.rightToLeft : 0) | (kerns ? 0 : Self.unkerned)
  }

  /// The index of the face in the font book.
  @inline(__always)
  var face: Int32 { Int32(truncatingIfNeeded: bits >> Self.faceShift & 0xff) }

  /// The script of the text.
  @inline(__always)
  var script: hb_script_t {
    get { hb_script_t(UInt32(truncatingIfNeeded: (bits & ~Self.unkerned) >> Self.scriptShift)) }
    set {
      bits = bits & (Self.unkerned | 0xffff_ffff) | UInt64(newValue.rawValue) << Self.scriptShift
    }
  }

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

  /// The size in 1/64 point for which advances are rounded to 1/60 point, or with `wholePoints` to whole points; 0 for
  /// advances in units of the face.
  @inline(__always)
  var rounding: UInt32 {
    UInt32(truncatingIfNeeded: bits >> Self.sizeShift) & (Self.maxRoundedSize64 | Self.wholePoints)
  }

  /// Returns the properties as a number for the key of a segment in the cache.
  ///
  /// - Parameter wide: whether the key is UTF-16 rather than ASCII.
  @inline(__always)
  func cacheContext(wide: Bool) -> UInt64 { bits | (wide ? 1 : 0) }
}
