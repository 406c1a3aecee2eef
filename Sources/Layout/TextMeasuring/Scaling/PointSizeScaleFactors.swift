/// The factors of font sizes that are tried one after the other for a text that does not fit its lines or its height. Texture:
/// `ASTextNode.pointSizeScaleFactors`.
public struct PointSizeScaleFactors: BitwiseCopyable, Equatable, Sendable {
  /// The most factors of a text.
  public static let maxCount = 8

  private var values = SIMD8<Float>(repeating: 0)
  public private(set) var count = 0

  /// Creates no factors.
  public init() {}

  public var isEmpty: Bool { count == 0 }

  public subscript(index: Int) -> Double { Double(values[index]) }

  /// Adds a factor from 0 to 1, of at most `maxCount`.
  public mutating func append(_ factor: Double) {
    guard count < Self.maxCount else { return }
    values[count] = Float(factor)
    count += 1
  }

  /// Returns a style at a factor. The size of the font is a whole number of points, as in `ASTextKitFontSizeAdjuster`.
  ///
  /// - Parameter textScale: the text scale with which the style is measured.
  public static func style(_ style: TextStyle, at factor: Double, textScale: Double) -> TextStyle {
    var scaled = style
    scaled.size = (style.size * textScale * factor).rounded() / textScale
    scaled.lineHeight *= factor
    scaled.letterSpacing *= factor
    scaled.baselineOffset *= Float(factor)
    if let attachment = style.attachment {
      scaled.attachment = TextAttachment(
        width: attachment.width * Float(factor), height: attachment.height * Float(factor))
    }
    return scaled
  }

  /// Returns the options of a text at a factor.
  public static func options(_ options: TextOptions, at factor: Double) -> TextOptions {
    var scaled = options
    scaled.lineSpacing *= factor
    scaled.paragraphs.scale(by: Float(factor))
    return scaled
  }
}
