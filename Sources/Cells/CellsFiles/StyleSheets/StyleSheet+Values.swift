import CellTemplates
import LayoutEngine
import TextMeasuring

/// The style sheet as values for applications that have no CSS, such as those of React Native, SwiftUI and Compose. Names are
/// those of the cells file.
extension StyleSheet {
  /// The values, in the order of the cells file but for their encoding.
  public var values: some Encodable { Values(self) }

  private struct Values: Encodable {
    var fontFiles: [FileValue]
    var fonts: [String: FontValue]
    var texts: [String: [String: TextValue]]
    var notes: [String]

    init(_ sheet: StyleSheet) {
      fontFiles = sheet.faces.map {
        FileValue(
          family: $0.family, file: $0.fileName, weight: $0.weight,
          unicodeRange: $0.characters?.map(CharacterRanges.css))
      }
      fonts = Dictionary(uniqueKeysWithValues: sheet.fonts.map { ($0.name, FontValue($0)) })
      texts = [:]
      for text in sheet.texts { texts[text.cell, default: [:]][text.node] = TextValue(text, sheet) }
      notes = sheet.notes.map(\.description)
    }
  }

  private struct FileValue: Encodable {
    var family: String
    var file: String
    var weight: UInt32?
    var unicodeRange: [String]?
  }

  private struct FontValue: Encodable {
    var fontFamily: [String]
    var fontSize: Double
    var lineHeight: Double?
    var letterSpacing: Double
    var weight: UInt32?
    var axes: [String: Float]?
    var fontFeatures: [String: UInt32]?
    /// Whether size and line height are multiplied by the text scale.
    var scales: Bool

    init(_ font: Font) {
      (fontFamily, fontSize, lineHeight) = (font.families, font.size, font.lineHeight)
      (letterSpacing, weight, scales) = (font.letterSpacing, font.weight, font.scales)
      let (axes, features) = (font.axes, font.features)
      self.axes = axes.isEmpty ? nil : Dictionary(axes.map { (FontAxes.name($0.tag), $0.value) }) { $1 }
      fontFeatures = features.isEmpty ? nil : Dictionary(features.map { (FontAxes.name($0.tag), $0.value) }) { $1 }
    }
  }

  private struct RunValue: Encodable {
    var font: String?
    var lineHeight: Double?
    var letterSpacing: Double?
    var baselineOffset: Float
    /// Width and height.
    var attachment: [Float]?

    init(_ run: StatedText.Run, _ sheet: StyleSheet) {
      let own = run.font.map { sheet.fonts[$0] }
      font = own?.name
      (lineHeight, letterSpacing) = (run.lineHeight ?? own?.lineHeight, run.letterSpacing ?? own?.letterSpacing)
      baselineOffset = run.baselineOffset
      attachment = run.attachment.map { [$0.width, $0.height] }
    }
  }

  private struct TextValue: Encodable {
    var font: String?
    var fontFamily: [String]?
    var fontSize: Double?
    var lineHeight: Double?
    var letterSpacing: Double?
    var lineSpacing: Double?
    var maximumNumberOfLines: Int?
    var whiteSpace: String?
    var baseDirection: String?
    var alignment: String?
    /// Top, left, bottom and right.
    var textContainerInset: [Double]?
    var firstLineHeadIndent, headIndent, tailIndent, paragraphSpacing, paragraphSpacingBefore: Float?
    var lang, hyphens, overflowWrap, wordBreak, lineBreak, textWrap: String?
    var tabSize: Float?
    var runs: [RunValue]?

    init(_ text: StatedText, _ sheet: StyleSheet) {
      let own = text.font.map { sheet.fonts[$0] }
      (font, fontFamily, fontSize) = (own?.name, own?.families, own?.size)
      (lineHeight, letterSpacing) = (text.lineHeight ?? own?.lineHeight, text.letterSpacing ?? own?.letterSpacing)
      lineSpacing = Self.stated(text.lineSpacing, unless: 0)
      maximumNumberOfLines = Self.stated(text.maximumNumberOfLines, unless: 0)
      whiteSpace = Self.stated(text.whiteSpace, unless: .preserve).map { "\($0)" }
      baseDirection = Self.stated(text.baseDirection, unless: .auto).map { "\($0)" }
      alignment = Self.stated(text.alignment, unless: .start).map { "\($0)" }
      textContainerInset = Self.stated(text.insets, unless: EdgeInsets()).map {
        [$0.top, $0.left, $0.bottom, $0.right]
      }
      runs = text.runs.isEmpty ? nil : text.runs.map { RunValue($0, sheet) }
      lang = text.language
      read(text.paragraphs)
      read(text.css)
    }

    private mutating func read(_ paragraphs: ParagraphStyle) {
      firstLineHeadIndent = Self.stated(paragraphs.firstLineHeadIndent, unless: 0)
      headIndent = Self.stated(paragraphs.headIndent, unless: 0)
      tailIndent = Self.stated(paragraphs.tailIndent, unless: 0)
      paragraphSpacing = Self.stated(paragraphs.paragraphSpacing, unless: 0)
      paragraphSpacingBefore = Self.stated(paragraphs.paragraphSpacingBefore, unless: 0)
    }

    private mutating func read(_ css: CSSTextOptions) {
      overflowWrap = Self.stated(css.overflowWrap, unless: .anywhere).map { "\($0)" }
      hyphens = Self.stated(css.hyphens, unless: .manual).map { "\($0)" }
      wordBreak = Self.stated(css.wordBreak, unless: .normal).map { "\($0)" }
      lineBreak = Self.stated(css.lineBreak, unless: .auto).map { "\($0)" }
      textWrap = Self.stated(css.textWrap, unless: .wrap).map { "\($0)" }
      tabSize = Self.stated(css.tabSize, unless: CSSTextOptions.defaultTabSize)
    }

    /// Returns a value, or nil for the default.
    private static func stated<Value: Equatable>(_ value: Value, unless plain: Value) -> Value? {
      value == plain ? nil : value
    }
  }
}
