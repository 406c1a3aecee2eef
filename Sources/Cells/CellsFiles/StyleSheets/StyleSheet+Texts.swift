import CellTemplates
import TextMeasuring

/// The texts of a style sheet, and what it cannot express of them.
extension StyleSheet {
  mutating func add(_ stated: TextStatement) {
    let text = stated.text
    guard !text.node.isEmpty else {
      return note(
        stated.path, css: "has no id, so that the style sheet has no class for it; give it an id",
        values: "has no id, so that it has no values; give it an id")
    }
    if let index = texts.firstIndex(where: { $0.cell == text.cell && $0.node == text.node }),
      texts[index].equalsInCSS(text)
    {
      if texts[index] != text {
        note(
          stated.path + ["id"],
          values: "is that of another text with other properties, which the values have; give it another id")
      }
      return noteBound(stated, text: index)
    }
    if let name = text.classNames.first(where: classNames.contains) {
      return note(
        stated.path + ["id"],
        css: "makes the class .\(name), which a font or another text with other properties has; give it another id",
        values: "leaves the text without values, because a font or another text with other properties has its class "
          + ".\(name) in CSS; give it another id")
    }
    texts.append(text)
    noteBound(stated, text: texts.count - 1)
    noteUnexpressed(stated, text: texts.count - 1)
  }

  /// The names of all classes.
  private var classNames: [String] { fonts.map(\.className) + texts.flatMap(\.classNames) }

  /// Returns the height of a line in a font, unless another is stated; nil if it depends on fonts or on the row.
  func lineHeight(_ stated: Double?, _ font: Int?) -> Double? { stated ?? font.flatMap { fonts[$0].lineHeight } }

  /// Returns the spacing between the lines of a text, or 0 if the sheet cannot express it, because the height of a line is not known.
  func lineSpacing(_ text: StatedText) -> Double {
    let heights =
      text.runs.isEmpty
      ? [lineHeight(text.lineHeight, text.font)] : text.runs.map { lineHeight($0.lineHeight, $0.font) }
    return text.hasPartsOfRows || heights.contains(nil) ? 0 : text.lineSpacing
  }

  /// Adds a note about all texts with `hyphens: auto` at the first of them.
  mutating func noteHyphenation(_ statements: [TextStatement]) {
    guard let first = statements.first(where: { $0.text.css.hyphens == .auto }) else { return }
    let condition =
      "; lines are those of the tables only if it divides words as hyphenation of the cells file does, which divides none "
      + "without a dictionary"
    note(
      first.path + ["hyphens"], css: "uses the dictionary of the browser" + condition,
      values: "uses the dictionary of the application" + condition)
  }

  private mutating func noteBound(_ stated: TextStatement, text: Int) {
    for path in stated.boundProperties {
      let remedy = path.last == "font" ? "give the element also the class of its font" : "state it on the element"
      let reason = "depends on the row or the width, so that"
      note(path, css: "\(reason) a page has to \(remedy)", values: "\(reason) an application has to set it", text: text)
    }
  }

  private mutating func noteUnexpressed(_ stated: TextStatement, text: Int) {
    let (own, path) = (stated.text, stated.path)
    let end = "is … in browsers, at the same height"
    if own.application.truncation ?? "…" != "…" {
      note(path + ["truncation"], css: end, text: text)
    } else if !own.application.additionalTruncationMessage.isEmpty {
      note(path + ["additionalTruncationMessage"], css: end, text: text)
    }
    if !own.application.pointSizeScaleFactors.isEmpty {
      note(
        path + ["pointSizeScaleFactors"],
        css: "are not in a style sheet; a page has to multiply the font size by the column pointSizeScaleFactor",
        text: text)
    }
    if !own.application.exclusionPaths.isEmpty {
      note(
        path + ["exclusionPaths"],
        css: "are not in a style sheet; a page has to begin the text with a float for each rectangle", text: text)
    }
    if let language = own.language {
      note(path + ["lang"], css: "is an attribute in HTML: lang=\"\(language)\"", text: text)
    }
    if own.paragraphs.tailIndent > 0 {
      note(path + ["tailIndent"], css: "above 0 is not in a style sheet; give it a minus", text: text)
    }
    if stated.limitsHeight {
      note(
        path,
        css: "is cut by its height; where the column truncated is true, a page has to state the column lines as "
          + "-webkit-line-clamp",
        values: "is cut by its height; where the column truncated is true, an application has to set the column lines "
          + "as the largest number of lines", text: text)
    }
    if let property = own.propertyOfRow {
      note(
        path + [property],
        css: "has fonts of the row; if texts have tabs, a page has to give the element also the class of its first "
          + "run's font",
        values: "has parts of the row, whose fonts an application has to set", text: text)
    }
    guard own.lineSpacing != 0 else { return }
    guard lineSpacing(own) != 0 else {
      return note(
        path + ["lineSpacing"], css: "is in a style sheet only with a lineHeight and without runs of the row",
        text: text)
    }
    // An attachment that reaches above the letters of its line takes the spacing there for itself.
    if own.runs.contains(where: { $0.reaches(above: (lineHeight($0.lineHeight, $0.font) ?? 0) / 2) }) {
      note(
        path + ["lineSpacing"], css: "is in a style sheet only without attachments that are higher than letters",
        text: text)
    }
  }
}

extension StatedText {
  /// The name of its class, in which spaces are hyphens.
  var className: String { CSSRule.className("\(cell)-\(node)") }

  func className(ofRun index: Int) -> String { "\(className)-run-\(index)" }

  /// The names of the classes of the text and of its runs.
  fileprivate var classNames: [String] { [className] + runs.indices.map(className(ofRun:)) }

  /// Returns whether another text has the same properties in CSS.
  fileprivate func equalsInCSS(_ other: StatedText) -> Bool {
    var own = self
    own.application = other.application
    return own == other
  }

  /// Whether it can have parts in other fonts that only the row states.
  var hasPartsOfRows: Bool { propertyOfRow != nil }

  /// Whether its characters are in elements inside its own.
  var hasParts: Bool { hasPartsOfRows || !runs.isEmpty }

  /// Whether some of its lines have the height that a font gives them, because neither the text nor a run states another.
  func hasLinesOfNaturalHeight(inFont index: Int) -> Bool {
    if runs.isEmpty { return font == index && lineHeight == nil }
    return runs.contains { $0.font == index && $0.lineHeight == nil && $0.attachment == nil }
  }

  /// The language that it states.
  var language: String? { css.language.name }
}

extension StatedText.Run {
  /// Whether it is an attachment that reaches above a height over the baseline, in points.
  fileprivate func reaches(above height: Double) -> Bool {
    attachment.map { $0.height + baselineOffset > height } ?? false
  }
}

extension StyleSheet.Font {
  /// The name of its class, in which spaces are hyphens.
  var className: String { CSSRule.className(name) }
}
