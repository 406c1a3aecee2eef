import Buffers
import CellTemplates
import LayoutEngine
import TextMeasuring

/// The way in which lengths of a style sheet grow with the text scale.
public enum TextScaleUnit: String, Sendable, CaseIterable {
  /// By the variable `--text-scale`.
  case px
  /// With the font size of the page, which is that of the reader.
  case rem

  /// The pixels of a rem at text scale 1: the font size `medium` of CSS.
  private static let pixelsOfRem = 16.0

  /// Returns the sum of a length that is multiplied by the text scale and one that is not.
  func scaled(_ length: Double, plus other: Double) -> String {
    let scaled =
      switch self {
      case .px: "\(CSSRule.pixels(length)) * var(--text-scale)"
      case .rem: length == 0 ? "0" : "\(shortText(length / Self.pixelsOfRem))rem"
      }
    if other != 0 { return "calc(\(scaled) + \(CSSRule.pixels(other)))" }
    if length == 0 { return "0" }
    return self == .px ? "calc(\(scaled))" : scaled
  }
}

/// The style sheet as CSS.
extension StyleSheet {
  /// Returns the text of the style sheet.
  ///
  /// - Parameters:
  ///   - name: The name of the cells file, for a comment.
  ///   - url: The address of the directory with the fonts, with a slash at its end, or empty.
  public func css(name: String, fontURL url: String, unit: TextScaleUnit) -> String {
    let head = "Made by galley css from \(name), for the heights of the platform web."
    var rules = [CSSRule(selectors: [], declarations: [], comments: [head])]
    rules += faces.map { faceRule($0, url) }
    rules.append(CSSRule(selectors: [], declarations: [], comments: comments(ofText: nil)))
    if unit == .px { rules.append(CSSRule(selectors: [":root"], declarations: [("--text-scale", "1")])) }
    rules.append(CSSRule(selectors: texts.map(\.selector), declarations: Self.ofEveryText))
    rules += fonts.indices.map { fontRule($0, selectorsOfTextsWithPartsOfRows(inFont: $0), unit) }
    rules += fonts.indices.map { fontRule($0, selectors(ofFont: $0), unit) }
    for (index, text) in texts.enumerated() { rules += textRules(text, comments(ofText: index), unit) }
    return rules.map(\.text).filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func comments(ofText text: Int?) -> [String] {
    notes.filter { $0.text == text }.map(\.description)
  }

  private func faceRule(_ face: Face, _ url: String) -> CSSRule {
    let source = "url(\(CSSRule.string(url + face.fileName))) format(\"woff2\")"
    var declarations = [("font-family", CSSRule.string(face.family)), ("src", source)]
    if let weight = face.weight { declarations.append(("font-weight", "\(weight)")) }
    if let characters = face.characters {
      declarations.append(("unicode-range", characters.map(CharacterRanges.css).joined(separator: ", ")))
    }
    return CSSRule(selectors: ["@font-face"], declarations: declarations)
  }

  /// The properties of every text. Most of them are initial values that a page may have changed.
  private static let ofEveryText = [
    ("display", "block"), ("box-sizing", "border-box"), ("margin", "0"), ("padding", "0"), ("border", "0"),
    ("white-space", "pre-wrap"), ("overflow-wrap", "anywhere"), ("word-break", "normal"), ("line-break", "auto"),
    ("text-wrap", "wrap"), ("tab-size", "8"), ("hyphens", "manual"), ("text-align", "start"), ("text-indent", "0"),
    ("text-transform", "none"), ("text-autospace", "no-autospace"), ("text-spacing-trim", "normal"),
    ("word-spacing", "0"), ("font-kerning", "auto"), ("font-synthesis", "none"), ("font-size-adjust", "none"),
    ("font-optical-sizing", "none"), ("font-variant", "normal"), ("text-rendering", "auto"),
    ("-webkit-text-size-adjust", "none"), ("text-size-adjust", "none"), ("direction", "ltr"),
    ("unicode-bidi", "plaintext"),
  ]

  /// Returns the selectors of the texts in a font whose elements can also have the class of another font, which the row states. The
  /// rules of classes stand behind theirs, because the last one applies.
  private func selectorsOfTextsWithPartsOfRows(inFont index: Int) -> [String] {
    texts.filter { $0.hasPartsOfRows && $0.fontOfBlock == index }.map(\.selector)
  }

  /// Returns the selectors of the class of a font, of the other texts in it, and of runs in it.
  private func selectors(ofFont index: Int) -> [String] {
    // A class is that of the first font that has it.
    let isFirst = fonts.firstIndex { $0.className == fonts[index].className } == index
    var selectors = isFirst ? [CSSRule.selector(ofClass: fonts[index].className)] : []
    for text in texts {
      if !text.hasPartsOfRows && text.fontOfBlock == index { selectors.append(text.selector) }
      selectors += text.runs.indices.filter { text.runs[$0].font == index }.map { text.selector(ofRun: $0) }
    }
    return selectors
  }

  private func fontRule(_ index: Int, _ selectors: [String], _ unit: TextScaleUnit) -> CSSRule {
    let font = fonts[index]
    return CSSRule(
      selectors: selectors,
      declarations: [
        ("font-family", font.families.map(CSSRule.string).joined(separator: ", ")),
        ("font-weight", "\(font.weight ?? 400)"), ("font-style", "normal"),
        ("font-size", scaled(font.size, of: font, unit)),
        ("line-height", font.lineHeight.map { scaled($0, of: font, unit) } ?? "normal"),
        ("letter-spacing", CSSRule.pixels(font.letterSpacing)),
        ("font-feature-settings", settings(font.features.map { ($0.tag, "\($0.value)") })),
        ("font-variation-settings", settings(font.axes.map { ($0.tag, shortText($0.value)) })),
      ])
  }

  /// Returns a length of texts in a font, which may be bound to the row, and of one that no text scale multiplies.
  private func scaled(_ length: Double, plus other: Double = 0, of font: Font?, _ unit: TextScaleUnit) -> String {
    font?.scales == false ? CSSRule.pixels(length + other) : unit.scaled(length, plus: other)
  }

  private func settings(_ values: [(tag: UInt32, value: String)]) -> String {
    values.isEmpty
      ? "normal" : values.map { "\(CSSRule.string(FontAxes.name($0.tag))) \($0.value)" }.joined(separator: ", ")
  }

  // MARK: Texts

  private func textRules(_ text: StatedText, _ comments: [String], _ unit: TextScaleUnit) -> [CSSRule] {
    let declarations = lineDeclarations(text, unit) + boxDeclarations(text)
    var rules = [CSSRule(selectors: [text.selector], declarations: declarations, comments: comments)]
    if !text.paragraphs.isPlain {
      let block = "\(text.selector) > div"
      rules.append(CSSRule(selectors: [block], declarations: paragraphDeclarations(text)))
      let gap = text.paragraphs.paragraphSpacing + text.paragraphs.paragraphSpacingBefore
      let declarations = gap == 0 ? [] : [("margin-top", CSSRule.pixels(gap))]
      rules.append(CSSRule(selectors: ["\(block) + div"], declarations: declarations))
    }
    if text.hasPartsOfRows {
      rules.append(
        CSSRule(
          selectors: ["\(text.selector) span"],
          declarations: own(text.lineHeight, text.letterSpacing, spacing: 0, text.font, unit)))
    }
    for index in text.runs.indices { rules += runRules(text, index, unit) }
    return rules
  }

  /// Returns what a text or a run states beside its font.
  private func own(
    _ height: Double?, _ letterSpacing: Double?, spacing: Double, _ font: Int?, _ unit: TextScaleUnit
  ) -> [(String, String)] {
    var declarations: [(String, String)] = []
    let whole = spacing == 0 ? height : lineHeight(height, font)
    if let whole {
      declarations.append(("line-height", scaled(whole, plus: spacing, of: font.map { fonts[$0] }, unit)))
    }
    if let letterSpacing { declarations.append(("letter-spacing", CSSRule.pixels(letterSpacing))) }
    return declarations
  }

  private func lineDeclarations(_ text: StatedText, _ unit: TextScaleUnit) -> [(String, String)] {
    let (spacing, shrinking) = (lineSpacing(text), text.hasParts ? shrinking(ofBlock: text) : nil)
    var declarations =
      text.hasParts
      ? blockDeclarations(text, shrinking, unit)
      : own(text.lineHeight, text.letterSpacing, spacing: spacing, text.font, unit)
    if spacing != 0 { declarations.append(("margin-block", CSSRule.pixels(-spacing / 2))) }
    if text.whiteSpace == .collapse { declarations.append(("white-space", "normal")) }
    let (css, plain) = (text.css, CSSTextOptions())
    if css.overflowWrap != plain.overflowWrap { declarations.append(("overflow-wrap", "normal")) }
    if css.hyphens != plain.hyphens { declarations.append(("hyphens", "\(css.hyphens)")) }
    if css.wordBreak != plain.wordBreak {
      declarations.append(("word-break", css.wordBreak == .breakAll ? "break-all" : "keep-all"))
    }
    if css.lineBreak != plain.lineBreak { declarations.append(("line-break", "\(css.lineBreak)")) }
    if css.textWrap != plain.textWrap { declarations.append(("text-wrap", "\(css.textWrap)")) }
    let tabSize = css.tabSize * Float(shrinking ?? 1)
    if tabSize != plain.tabSize { declarations.append(("tab-size", shortText(tabSize))) }
    return declarations
  }

  // MARK: Blocks of runs

  /// Returns the declarations of the block of a text with parts. A line is not higher than its parts: the block's own font has no
  /// height.
  private func blockDeclarations(
    _ text: StatedText, _ shrinking: Double?, _ unit: TextScaleUnit
  ) -> [(String, String)] {
    var declarations = [("line-height", "0")]
    let font = text.fontOfBlock.map { fonts[$0] }
    if let font, let shrinking {
      declarations.append(("font-size", scaled(font.size / shrinking, of: font, unit)))
    }
    // The tab stops are those of the first run.
    let stated = text.runs.isEmpty ? text.letterSpacing : text.runs[0].letterSpacing
    let spacing = (stated ?? font?.letterSpacing ?? 0) / (shrinking ?? 1)
    // The class of another font has the spacing of that font.
    if spacing != font?.letterSpacing ?? 0 || stated != nil && text.hasPartsOfRows {
      declarations.append(("letter-spacing", CSSRule.pixels(spacing)))
    }
    return declarations
  }

  /// Returns the factor by which the font of a text's block is smaller than that of its first run, or nil if it is that font.
  ///
  /// The line of the block, of height 0, is in the middle of its letters, at most half their size above the baseline. Where a much
  /// smaller part ends below that, every line would be higher than its parts.
  private func shrinking(ofBlock text: StatedText) -> Double? {
    guard let block = text.fontOfBlock.map({ fonts[$0].size }) else { return nil }
    // A row can give the block the class of any font.
    let largest = text.hasPartsOfRows ? fonts.reduce(block) { max($0, $1.size) } : block
    let parts =
      text.hasPartsOfRows || text.runs.contains { $0.font == nil }
      ? fonts.map { (size: $0.size, height: text.lineHeight ?? $0.lineHeight ?? $0.size) }
      : text.runs.compactMap { run in
        run.font.map { (size: fonts[$0].size, height: lineHeight(run.lineHeight, $0) ?? fonts[$0].size) }
      }
    guard parts.contains(where: { largest - $0.size > $0.height }) else { return nil }
    return block / (parts.map(\.size).min() ?? block)
  }

  private func boxDeclarations(_ text: StatedText) -> [(String, String)] {
    var declarations: [(String, String)] = []
    if text.baseDirection != .auto {
      declarations += [("direction", text.baseDirection == .rtl ? "rtl" : "ltr"), ("unicode-bidi", "isolate")]
    }
    if text.alignment != .start {
      declarations.append(("text-align", text.alignment == .justified ? "justify" : "\(text.alignment)"))
      if text.alignment == .justified { declarations.append(("text-justify", "inter-word")) }
    }
    let insets = text.insets
    if insets != EdgeInsets() {
      let sides = [insets.top, insets.right, insets.bottom, insets.left].map { CSSRule.pixels($0) }
      declarations.append(("padding", sides.joined(separator: " ")))
    }
    if text.maximumNumberOfLines > 0 && insets.bottom > 0 {
      // What follows the last line is cut at the edge of the padding, so that no line shows below the text.
      let edge = "\(CSSRule.pixels(insets.bottom)) solid transparent"
      declarations += [("padding-bottom", "0"), ("border-bottom", edge)]
    }
    if text.maximumNumberOfLines > 0 {
      declarations += [
        ("display", "-webkit-box"), ("-webkit-box-orient", "vertical"),
        ("-webkit-line-clamp", "\(text.maximumNumberOfLines)"), ("overflow", "hidden"),
      ]
    }
    return declarations
  }

  /// Returns the declarations of the block of a paragraph. Its lines start at the indent, and the first one apart from it.
  private func paragraphDeclarations(_ text: StatedText) -> [(String, String)] {
    let paragraphs = text.paragraphs
    var declarations: [(String, String)] = []
    if text.baseDirection == .auto { declarations.append(("unicode-bidi", "plaintext")) }
    if paragraphs.headIndent != 0 || paragraphs.tailIndent < 0 {
      let end = CSSRule.pixels(max(0, -paragraphs.tailIndent))
      declarations.append(("padding-inline", "\(CSSRule.pixels(paragraphs.headIndent)) \(end)"))
    }
    let first = paragraphs.firstLineHeadIndent - paragraphs.headIndent
    if first != 0 { declarations.append(("text-indent", CSSRule.pixels(first))) }
    return declarations
  }

  private func runRules(_ text: StatedText, _ index: Int, _ unit: TextScaleUnit) -> [CSSRule] {
    let (run, selector) = (text.runs[index], text.selector(ofRun: index))
    var declarations = own(run.lineHeight, run.letterSpacing, spacing: lineSpacing(text), run.font, unit)
    let font = run.font.map { fonts[$0] }
    let offset = scaled(run.baselineOffset, of: font, unit)
    if run.attachment == nil && run.baselineOffset != 0 { declarations.append(("vertical-align", offset)) }
    let rule = CSSRule(selectors: ["\(text.selector) \(selector)"], declarations: declarations)
    guard let attachment = run.attachment else { return [rule] }
    let box = [
      ("display", "inline-block"), ("width", scaled(attachment.width, of: font, unit)),
      ("height", scaled(attachment.height, of: font, unit)), ("vertical-align", offset),
    ]
    return [rule, CSSRule(selectors: ["\(selector) > *"], declarations: box)]
  }
}

extension StatedText {
  fileprivate var selector: String { CSSRule.selector(ofClass: className) }

  /// The font of the element itself. That of the first run decides about tab stops.
  fileprivate var fontOfBlock: Int? { runs.first.map(\.font) ?? font }

  fileprivate func selector(ofRun index: Int) -> String { CSSRule.selector(ofClass: className(ofRun: index)) }
}
