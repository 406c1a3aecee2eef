/// The factors of font sizes that are tried one after the other for a text that does not fit its lines or its height. Texture:
/// `ASTextNode.pointSizeScaleFactors`.
public struct PointSizeScaleFactors: BitwiseCopyable, Equatable, Sendable {
  /// The most factors of a text.
  public static let maxCount = 8

  /// The factors in units of 1/10,000, each in 16 bits, because the properties of texts are copied for each text.
  private var factors = SIMD8<UInt16>()
  private static let unit = 10_000.0
  private var number: UInt8 = 0

  /// Creates no factors.
  public init() {}

  public var isEmpty: Bool { number == 0 }

  public var count: Int { Int(number) }

  public subscript(index: Int) -> Double { Double(factors[index]) / Self.unit }

  /// Adds a factor from 0 to 1, of at most `maxCount`. It is rounded to 1/10,000.
  public mutating func append(_ factor: Double) {
    guard count < Self.maxCount else { return }
    factors[count] = UInt16(max(1, (factor * Self.unit).rounded()))
    number += 1
  }

  /// Returns a style at a factor. The size of the font is multiplied by the factor as a 32-bit number, and then rounded to whole points,
  /// as in `ASTextKitFontSizeAdjuster`: 15 points at 0.9 are 13 points.
  ///
  /// - Parameter textScale: the text scale with which the style is measured.
  public static func style(_ style: TextStyle, at factor: Double, textScale: Double) -> TextStyle {
    var scaled = style
    scaled.size = (style.size * textScale * Double(Float(factor))).rounded() / textScale
    scaled.lineHeight *= factor
    scaled.letterSpacing *= factor
    scaled.scaleOffsetAndAttachment(by: factor)
    return scaled
  }

  /// Returns the options of a text at a factor.
  public static func options(_ options: TextOptions, at factor: Double) -> TextOptions {
    var scaled = options
    scaled.lineSpacing *= factor
    scaled.paragraphs.scale(by: factor)
    return scaled
  }
}
