import Buffers
import LayoutEngine

/// A font at a size, with line height and letter spacing, in which a run of text is set.
public struct TextStyle: BitwiseCopyable, Equatable, Sendable {
  /// The index of the face in the font book.
  public var face: Int32
  /// The number of what the font states in `FontScales`. It has no influence on how a text is measured.
  public var scaling: Int32 = 0
  /// The size of the font in points, before text scaling.
  public var size: Double
  /// The height of a line in points, before text scaling; NaN is `normal`, the height that the fonts of the line have.
  public var lineHeight: Double
  /// The space that is added after each cluster, in points. Text scaling does not change it.
  public var letterSpacing: Double
  /// The distance by which the characters are above the baseline of their line, in points before text scaling; negative
  /// below it. CSS: `vertical-align`; UIKit: `NSBaselineOffset`.
  public var baselineOffset: Double = 0
  /// The size of what is shown instead of the only character of the run, which is U+FFFC; nil for a run of text.
  public var attachment: TextAttachment?

  /// Creates a style from lengths in points.
  public init(face: Int32, size: Double, lineHeight: Double = .nan, letterSpacing: Double = 0) {
    self.face = face
    self.size = size
    self.lineHeight = lineHeight
    self.letterSpacing = letterSpacing
  }

  /// Multiplies the distance from the baseline and the size of the attachment.
  mutating func scaleOffsetAndAttachment(by factor: Double) {
    baselineOffset *= factor
    attachment?.width *= factor
    attachment?.height *= factor
  }

  /// The style of characters on the baseline beside those of this style.
  var onBaseline: TextStyle {
    var style = self
    (style.baselineOffset, style.attachment) = (0, nil)
    return style
  }

  /// Returns whether texts in two styles are shaped together, as browsers shape neighbors of one font.
  func isShaped(like other: TextStyle) -> Bool {
    face == other.face && size == other.size && letterSpacing == other.letterSpacing && baselineOffset == 0
      && other.baselineOffset == 0 && attachment == nil && other.attachment == nil
  }

  /// Returns whether texts in two styles are measured alike.
  public static func == (_ a: TextStyle, _ b: TextStyle) -> Bool {
    a.face == b.face && a.size == b.size && a.lineHeight.bitPattern == b.lineHeight.bitPattern
      && a.letterSpacing == b.letterSpacing && a.baselineOffset == b.baselineOffset && a.attachment == b.attachment
  }
}

/// The size of an element in a line of text, such as an image or a custom emoji, in points before text scaling. Its lower
/// edge is `TextStyle.baselineOffset` above the baseline. CSS: `inline-block`; UIKit: `NSTextAttachment`.
public struct TextAttachment: BitwiseCopyable, Equatable, Sendable {
  public var width: Double
  public var height: Double

  /// Creates a size from lengths in points.
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// The text of the run of an attachment, OBJECT REPLACEMENT CHARACTER.
  public static let character = ByteString("\u{fffc}")
}

/// A run of text in one style.
public struct TextRun: BitwiseCopyable {
  /// The characters as UTF-8. Bytes that are not UTF-8 become U+FFFD. The memory must be valid while the text is prepared.
  public var text: ByteString
  /// The style of the characters.
  public var style: TextStyle
  /// A number of the owner by which it recognizes the font of the run.
  public var font: Int32

  /// Creates a run.
  public init(text: ByteString, style: TextStyle, font: Int32 = 0) {
    self.text = text
    self.style = style
    self.font = font
  }
}

extension UnsafeBufferPointer<TextRun> {
  /// Returns whether the next run has the style of this one, so that engines that know only styles shape both together.
  func hasStyleOfNext(_ index: Int) -> Bool { index + 1 < count && self[index + 1].style == self[index].style }
}

/// The treatment of the white space in a text. CSS: `white-space`.
public enum WhiteSpace: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// Spaces and newlines are preserved (CSS `pre-wrap`); spaces at the end of a line hang.
  case preserve
  /// A sequence of spaces, tabs and newlines becomes one space (CSS `normal`).
  case collapse
}

/// The direction of the paragraphs of a text. CSS: `direction`; UIKit: `baseWritingDirection`.
public enum BaseDirection: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// That of the first strong character of each paragraph.
  case auto
  /// From left to right.
  case ltr
  /// From right to left.
  case rtl
}

/// The options of a text as a whole.
public struct TextOptions: BitwiseCopyable {
  /// The most lines that are shown; 0 is without a limit.
  public var maximumNumberOfLines: Int32 = 0
  /// The string at the end of the last line of a text that is cut. The memory must be valid as long as the text is
  /// measured.
  public var truncation = ByteString("\u{2026}")
  /// The space between two lines, in points. Text scaling does not change it.
  public var lineSpacing = 0.0
  /// The indents and spaces of paragraphs.
  public var paragraphs = ParagraphStyle()
  /// The direction of paragraphs.
  public var baseDirection = BaseDirection.auto
  /// The properties of CSS beside `whiteSpace`.
  public var css = CSSTextOptions()
  /// The treatment of white space.
  public var whiteSpace = WhiteSpace.preserve
  /// The platform whose lines the text has.
  public var platform = Platform.texture
  /// The choice of lines that the text states for Android and React Native.
  public var breakStrategy: BreakStrategy?
  /// The properties of a TextView, for the platforms Android and React Native.
  public var android = AndroidTextOptions()
  /// The properties of a Text of Flutter.
  public var flutter = FlutterTextOptions()
  /// What the text differs in on a device.
  public var calibration = TextCalibration()

  /// Creates the default options.
  public init() {}
}
