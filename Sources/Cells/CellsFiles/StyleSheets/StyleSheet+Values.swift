import CellTemplates
import LayoutEngine
import TextMeasuring

/// The style sheet as values for applications that have no CSS, such as those of React Native, SwiftUI and Compose. Names are
/// those of the cells file. A calibration is none of them: it states the lines that a device has anyway.
extension StyleSheet {
  /// The values, in the order of the cells file but for their encoding.
  public var values: some Encodable {
    var values = Values()
    values.add("lang", platforms.language.name)
    values.add("fontFiles", faces.map { Self.values(of: $0) })
    values.add("fonts", Dictionary(uniqueKeysWithValues: fonts.map { ($0.name, Self.values(of: $0)) }))
    values.add("texts", texts.reduce(into: [:]) { $0[$1.cell, default: [:]][$1.node] = self.values(of: $1) })
    values.add("platforms", valuesOfPlatforms)
    values.add("notes", valueNotes.map(\.description))
    return values
  }

  /// Values by their names.
  private struct Values: Encodable {
    private var members: [String: Member] = [:]

    private struct Member: Encodable {
      let value: any Encodable

      func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }

    var isEmpty: Bool { members.isEmpty }

    func encode(to encoder: any Encoder) throws { try members.encode(to: encoder) }

    /// Adds a value unless it is nil.
    mutating func add(_ name: String, _ value: (some Encodable)?) { members[name] = value.map { Member(value: $0) } }

    /// Adds a value unless it is the default.
    mutating func add<Value: Encodable & Equatable>(_ name: String, _ value: Value, unless plain: Value) {
      if value != plain { add(name, value) }
    }

    /// Adds the name of a choice unless it is the default.
    mutating func add<Choice: Equatable>(_ name: String, choice: Choice, unless plain: Choice) {
      if choice != plain { add(name, "\(choice)") }
    }
  }

  private static func values(of face: Face) -> Values {
    var values = Values()
    values.add("family", face.family)
    values.add("file", face.fileName)
    values.add("weight", face.weight)
    values.add("unicodeRange", face.characters?.map(CharacterRanges.css))
    return values
  }

  private static func values(of font: Font) -> Values {
    var values = Values()
    values.add("fontFamily", font.families)
    values.add("fontSize", font.size)
    values.add("lineHeight", font.lineHeight)
    values.add("letterSpacing", font.letterSpacing)
    values.add("weight", font.weight)
    let (axes, features) = (font.axes, font.features)
    values.add("axes", Dictionary(axes.map { (FontAxes.name($0.tag), $0.value) }) { $1 }, unless: [:])
    values.add("fontFeatures", Dictionary(features.map { (FontAxes.name($0.tag), $0.value) }) { $1 }, unless: [:])
    // Whether size and line height are multiplied by the text scale.
    values.add("scales", font.scales)
    values.add("scaling", font.scaling.map { "\($0)" })
    values.add("sizes", font.sizes, unless: [:])
    return values
  }

  private func values(of run: StatedText.Run) -> Values {
    let font = run.font.map { fonts[$0] }
    var values = Values()
    values.add("font", font?.name)
    values.add("lineHeight", run.lineHeight ?? font?.lineHeight)
    values.add("letterSpacing", run.letterSpacing ?? font?.letterSpacing)
    values.add("baselineOffset", run.baselineOffset)
    values.add("attachment", run.attachment.map { [$0.width, $0.height] })
    return values
  }

  private func values(of text: StatedText) -> Values {
    let font = text.font.map { fonts[$0] }
    let (insets, paragraphs, css, own) = (text.insets, text.paragraphs, text.css, text.application)
    let (factors, rectangles) = (own.pointSizeScaleFactors, own.exclusionPaths)
    var values = Values()
    values.add("font", font?.name)
    values.add("fontFamily", font?.families)
    values.add("fontSize", font?.size)
    values.add("lineHeight", text.lineHeight ?? font?.lineHeight)
    values.add("letterSpacing", text.letterSpacing ?? font?.letterSpacing)
    values.add("lineSpacing", text.lineSpacing, unless: 0)
    values.add("maximumNumberOfLines", text.maximumNumberOfLines, unless: 0)
    values.add("truncation", own.truncation)
    values.add("additionalTruncationMessage", own.additionalTruncationMessage, unless: "")
    values.add("whiteSpace", choice: text.whiteSpace, unless: .preserve)
    values.add("baseDirection", choice: text.baseDirection, unless: .auto)
    values.add("alignment", choice: text.alignment, unless: .start)
    values.add("textContainerInset", [insets.top, insets.left, insets.bottom, insets.right], unless: [0, 0, 0, 0])
    values.add("firstLineHeadIndent", paragraphs.firstLineHeadIndent, unless: 0)
    values.add("headIndent", paragraphs.headIndent, unless: 0)
    values.add("tailIndent", paragraphs.tailIndent, unless: 0)
    values.add("paragraphSpacing", paragraphs.paragraphSpacing, unless: 0)
    values.add("paragraphSpacingBefore", paragraphs.paragraphSpacingBefore, unless: 0)
    values.add("pointSizeScaleFactors", (0..<factors.count).map { factors[$0] }, unless: [])
    let paths = (0..<rectangles.count).map { Self.values(of: rectangles[$0]) }
    values.add("exclusionPaths", paths.isEmpty ? nil : paths)
    values.add("lang", text.language)
    values.add("overflowWrap", choice: css.overflowWrap, unless: .anywhere)
    values.add("hyphens", choice: css.hyphens, unless: .manual)
    values.add("wordBreak", choice: css.wordBreak, unless: .normal)
    values.add("lineBreak", choice: css.lineBreak, unless: .auto)
    values.add("textWrap", choice: css.textWrap, unless: .wrap)
    values.add("tabSize", css.tabSize, unless: CSSTextOptions.defaultTabSize)
    values.add("breakStrategy", own.breakStrategy.map { "\($0)" })
    values.add("runs", text.runs.isEmpty ? nil : text.runs.map { self.values(of: $0) })
    return values
  }

  private static func values(of rectangle: ExclusionPath) -> Values {
    var values = Values()
    values.add("side", "\(rectangle.side)")
    values.add("y", rectangle.y)
    values.add("width", rectangle.width)
    values.add("height", rectangle.height)
    return values
  }

  // MARK: Platforms

  private var valuesOfPlatforms: Values? {
    let plain = PlatformTexts()
    var values = Values()
    values.add("android", Self.values(of: platforms.android, unless: plain.android))
    values.add("reactNative", Self.values(of: platforms.reactNative, unless: plain.reactNative))
    values.add("compose", Self.values(of: platforms.compose, unless: plain.compose))
    values.add("flutter", Self.values(of: platforms.flutter, unless: plain.flutter))
    return values.isEmpty ? nil : values
  }

  /// Returns the properties of a TextView, or of a Text of another toolkit, that are not the defaults, or nil if all are.
  private static func values(of text: AndroidTextOptions, unless plain: AndroidTextOptions) -> Values? {
    var values = Values()
    values.add("breakStrategy", choice: text.breakStrategy, unless: plain.breakStrategy)
    values.add("linearText", text.linearText, unless: plain.linearText)
    values.add("fontPadding", text.fontPadding, unless: plain.fontPadding)
    values.add("fallbackLineSpacing", text.fallbackLineSpacing, unless: plain.fallbackLineSpacing)
    values.add("elegantTextHeight", text.elegantTextHeight, unless: plain.elegantTextHeight)
    values.add("lineSpacingMultiplier", text.lineSpacingMultiplier, unless: plain.lineSpacingMultiplier)
    values.add("lineHeightAlignment", choice: text.lineHeightAlignment, unless: plain.lineHeightAlignment)
    values.add("lineHeightTrim", choice: text.lineHeightTrim, unless: plain.lineHeightTrim)
    return values.isEmpty ? nil : values
  }

  /// Returns the properties of a Text of Flutter that are not the defaults, or nil if all are.
  private static func values(of text: FlutterTextOptions, unless plain: FlutterTextOptions) -> Values? {
    var values = Values()
    values.add("leadingDistribution", choice: text.leadingDistribution, unless: plain.leadingDistribution)
    let (first, last) = (text.appliesHeightToFirstAscent, text.appliesHeightToLastDescent)
    values.add("applyHeightToFirstAscent", first, unless: plain.appliesHeightToFirstAscent)
    values.add("applyHeightToLastDescent", last, unless: plain.appliesHeightToLastDescent)
    values.add("strut", text.strut.map { Self.values(of: $0, unless: FlutterStrut()) })
    return values.isEmpty ? nil : values
  }

  /// Returns the properties of a strut that are not the defaults. A strut without any has an effect, too.
  private static func values(of strut: FlutterStrut, unless plain: FlutterStrut) -> Values {
    var values = Values()
    values.add("height", strut.height)
    values.add("leading", strut.leading, unless: plain.leading)
    values.add("leadingDistribution", choice: strut.leadingDistribution, unless: plain.leadingDistribution)
    values.add("forceStrutHeight", strut.isForced, unless: plain.isForced)
    return values
  }
}
