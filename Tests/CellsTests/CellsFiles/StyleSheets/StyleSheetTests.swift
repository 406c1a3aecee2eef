import CellTemplates
import Foundation
import GalleyTestSupport
import Testing

@testable import CellsFiles

/// Tests of the style sheets of cells files as CSS.
@Suite struct StyleSheetTests {
  private func file(_ texts: String, fonts: String = "", more: String = "") throws -> CellsFile {
    try CellsFile(
      text: """
        version: 1
        fonts:
          body: {family: Inter, size: 15, lineHeight: 20}
          bold: {family: Inter, weight: bold, size: 16, letterSpacing: 0.5}
        \(fonts)
        fallback: [Noto Sans, Noto Sans Hebrew]
        \(more)
        cells:
          Post:
            layout:
              type: stack
              children:
        \(texts.split(separator: "\n").map { "        - \($0)" }.joined(separator: "\n"))
        """, path: "/cells.yaml")
  }

  private func sheet(
    _ texts: String, fonts: String = "", more: String = "", characters: Set<UInt32>? = nil
  ) throws -> StyleSheet {
    try file(texts, fonts: fonts, more: more).withProgram { StyleSheet($0, characters: characters) }
  }

  private func css(_ texts: String, fonts: String = "", unit: TextScaleUnit = .px) throws -> String {
    try sheet(texts, fonts: fonts).css(name: "cells.yaml", fontURL: "fonts/", unit: unit)
  }

  /// Returns the declarations of the rules whose only selector is this one, but for those of every text and of fonts.
  private func declarations(_ selector: String, _ css: String) -> [String] {
    css.components(separatedBy: "\n\n").flatMap { rule -> [String] in
      let lines = rule.split(separator: "\n").drop { $0.hasPrefix("/*") }
      guard lines.first == "\(selector) {", !lines.contains("  display: block;"),
        !lines.contains(where: { $0.hasPrefix("  font-family: ") })
      else { return [] }
      return lines.dropFirst().dropLast().map { String($0.dropFirst(2).dropLast()) }
    }
  }

  // MARK: Fonts

  @Test func eachFaceIsAFamilyOfItsOwn() throws {
    let sheet = try sheet("{type: text, id: text, text: A}")
    let families = ["Inter Bold", "Inter Regular", "Noto Sans Hebrew Regular", "Noto Sans Regular"]
    #expect(sheet.faces.map(\.family).sorted() == families)
    #expect(sheet.fonts[1].families == ["Inter Bold", "Noto Sans Regular", "Noto Sans Hebrew Regular"])
    let css = sheet.css(name: "cells.yaml", fontURL: "fonts/", unit: .px)
    #expect(css.contains(#"src: url("fonts/Noto-Sans-Hebrew-Regular.woff2") format("woff2");"#))
    // A text's own font is loaded in any case.
    let ranges = sheet.faces.filter { $0.characters != nil }.map(\.family)
    #expect(Set(ranges) == ["Noto Sans Regular", "Noto Sans Hebrew Regular"])
  }

  @Test func aFontIsTheRuleOfItsClassAndOfItsTexts() throws {
    let css = try css("{type: text, id: name, text: A, font: bold}\n{type: text, id: text, text: A}")
    #expect(css.contains("\n.body, .Post-text {\n"))
    #expect(css.contains("\n.bold, .Post-name {\n"))
    #expect(css.contains("font-size: calc(15px * var(--text-scale));\n  line-height: calc(20px * var(--text-scale));"))
    #expect(css.contains("  line-height: normal;\n  letter-spacing: 0.5px;\n"))
  }

  @Test func sizesGrowWithTheFontOfThePage() throws {
    let css = try css("{type: text, id: text, text: A, lineHeight: 24, lineSpacing: 3}", unit: .rem)
    #expect(css.contains("font-size: 0.9375rem;\n  line-height: 1.25rem;") && !css.contains("--text-scale"))
    #expect(declarations(".Post-text", css).first == "line-height: calc(1.5rem + 3px)")
  }

  @Test func aFontThatDoesNotScaleHasPlainSizes() throws {
    let css = try css("{type: text, id: text, text: A}", fonts: "  fixed: {family: Inter, size: 11, scaling: none}")
    #expect(css.contains("font-size: 11px;"))
  }

  /// Attachments are as large as the text scale makes the text around them.
  @Test func theAttachmentsOfAFontThatDoesNotScaleHavePlainSizes() throws {
    let css = try css(
      "{type: text, id: text, font: fixed, runs: [{text: A, baselineOffset: 3}, {attachment: [18, 9]}]}",
      fonts: "  fixed: {family: Inter, size: 11, lineHeight: 14, scaling: none}")
    #expect(declarations(".Post-text .Post-text-run-0", css) == ["vertical-align: 3px"])
    #expect(
      declarations(".Post-text-run-1 > *", css) == [
        "display: inline-block", "width: 18px", "height: 9px", "vertical-align: 0",
      ])
  }

  @Test func noLineShowsBelowATextThatIsCut() throws {
    let css = try css("{type: text, id: text, text: A, maximumNumberOfLines: 2, textContainerInset: [3, 10, 15, 20]}")
    #expect(
      declarations(".Post-text", css).prefix(3) == [
        "padding: 3px 20px 15px 10px", "padding-bottom: 0", "border-bottom: 15px solid transparent",
      ])
  }

  @Test func theWeightsOfAVariableFontShareItsFile() throws {
    let path = Fixtures.url("variable.ttf").path
    let fonts = [200, 800].map { "  w\($0): {file: \(path), weight: \($0), size: 15}" }.joined(separator: "\n")
    let faces = try sheet("{type: text, id: text, text: A}", fonts: fonts).faces.filter { $0.weight != nil }
    #expect(faces.map(\.weight) == [200, 800] && Set(faces.map(\.family)).count == 2)
    #expect(Set(faces.map(\.fileName)).count == 1)
  }

  @Test func facesThatShowNoCharacterAreLeftOut() throws {
    func families(_ text: String) throws -> [String] {
      let characters = Set(text.unicodeScalars.map(\.value))
      return try sheet("{type: text, id: text, text: A}", characters: characters).fonts[0].families
    }
    #expect(try families("Hello") == ["Inter Regular"])
    #expect(try families("Hello שלום") == ["Inter Regular", "Noto Sans Hebrew Regular"])
    // The mark may belong to a letter that only a later font has.
    #expect(try families("He\u{301}llo") == ["Inter Regular", "Noto Sans Regular"])
  }

  @Test func rangesHaveAllCharactersAndAreFew() {
    let characters = (0..<3000).map { UInt32($0 * $0 % 65_521) }.sorted()
    let ranges = CharacterRanges.merged(characters)
    #expect(ranges.count == CharacterRanges.maxCount)
    #expect(characters.allSatisfy { character in ranges.contains { $0.contains(character) } })
    #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound + 1 < $1.lowerBound })
    let few = CharacterRanges.merged([65, 66, 67, 0x1f600])
    #expect(few.map(CharacterRanges.css) == ["U+41-43", "U+1F600"])
  }

  // MARK: Texts

  @Test func aTextHasTheRulesOfItsProperties() throws {
    let css = try css(
      """
      {type: text, id: cut, text: A, maximumNumberOfLines: 2, whiteSpace: collapse, baseDirection: rtl}
      {type: text, id: inset, text: A, textContainerInset: [1, 2, 3, 4], alignment: justified, letterSpacing: 1}
      {type: text, id: words, text: A, wordBreak: breakAll, overflowWrap: normal, hyphens: auto, tabSize: 3, textWrap: balance}
      {type: text, id: indented, text: A, headIndent: 10, firstLineHeadIndent: 4, tailIndent: -5, paragraphSpacing: 6}
      """)
    #expect(
      declarations(".Post-cut", css) == [
        "white-space: normal", "direction: rtl", "unicode-bidi: isolate", "display: -webkit-box",
        "-webkit-box-orient: vertical", "-webkit-line-clamp: 2", "overflow: hidden",
      ])
    #expect(
      declarations(".Post-inset", css) == [
        "letter-spacing: 1px", "text-align: justify", "text-justify: inter-word", "padding: 1px 4px 3px 2px",
      ])
    #expect(
      declarations(".Post-words", css) == [
        "overflow-wrap: normal", "hyphens: auto", "word-break: break-all", "text-wrap: balance", "tab-size: 3",
      ])
    #expect(
      declarations(".Post-indented > div", css) == [
        "unicode-bidi: plaintext", "padding-inline: 10px 5px", "text-indent: -6px",
      ])
    #expect(declarations(".Post-indented > div + div", css) == ["margin-top: 6px"])
  }

  @Test func eachRunHasAClass() throws {
    let runs = "[{text: A, font: bold}, {text: B}, {attachment: [18, 9], baselineOffset: -4}]"
    let css = try css("{type: text, id: text, lineHeight: 22, runs: \(runs)}")
    #expect(css.contains("\n.body, .Post-text-run-1, .Post-text-run-2 {\n"))
    #expect(css.contains("\n.bold, .Post-text, .Post-text-run-0 {\n"))
    #expect(declarations(".Post-text", css) == ["line-height: 0"])
    #expect(declarations(".Post-text .Post-text-run-0", css) == ["line-height: calc(22px * var(--text-scale))"])
    #expect(
      declarations(".Post-text-run-2 > *", css) == [
        "display: inline-block", "width: calc(18px * var(--text-scale))", "height: calc(9px * var(--text-scale))",
        "vertical-align: calc(-4px * var(--text-scale))",
      ])
  }

  /// The line of the block, in the middle of its letters, must not be above that of a much smaller run. With the font of 36 px,
  /// Chromium makes the lines of small letters 1 px higher.
  @Test func aBlockIsNotMuchLargerThanItsParts() throws {
    let fonts =
      "  price: {family: Inter, size: 36, letterSpacing: 1.5}\n  small: {family: Inter, size: 12, lineHeight: 16}"
    let shrunk = [
      "line-height: 0", "font-size: calc(12px * var(--text-scale))", "letter-spacing: 0.5px", "tab-size: 24",
    ]
    for runs in ["[{text: A, font: price}, {text: B, font: small}]", #""{spans}", font: price"#] {
      let css = try css("{type: text, id: text, runs: \(runs)}", fonts: fonts)
      #expect(declarations(".Post-text", css) == shrunk, "\(runs)")
    }
    for runs in ["[{text: A, font: small}, {text: B, font: price}]", "[{text: A, font: bold}, {text: B, font: small}]"]
    {
      let css = try css("{type: text, id: text, runs: \(runs)}", fonts: fonts)
      #expect(declarations(".Post-text", css) == ["line-height: 0"], "\(runs)")
    }
    // The row can give the block the class of the largest font.
    let css = try css(#"{type: text, id: text, runs: "{spans}", font: small}"#, fonts: fonts)
    #expect(declarations(".Post-text", css) == ["line-height: 0", "font-size: calc(12px * var(--text-scale))"])
  }

  @Test func spacingBetweenLinesOfUnknownHeightMovesNoLine() throws {
    let css = try css(
      """
      {type: text, id: row, runs: "{spans}", lineSpacing: 2}
      {type: text, id: bold, text: A, font: bold, lineSpacing: 2}
      """)
    #expect(declarations(".Post-row", css) == ["line-height: 0"])
    #expect(declarations(".Post-bold", css).isEmpty)
  }

  /// The distance of tab stops has the letter spacing of the first run.
  @Test(arguments: [
    ("letterSpacing: 1, runs: [{text: A}, {text: B}]", ["letter-spacing: 1px"]),
    ("letterSpacing: 1, runs: [{text: A, font: bold, letterSpacing: 0}, {text: B}]", ["letter-spacing: 0"]),
    ("runs: [{text: A, font: bold}, {text: B, letterSpacing: 1}]", []),
    (#"letterSpacing: 1, runs: "{spans}""#, ["letter-spacing: 1px"]),
    (#"letterSpacing: 0, runs: "{spans}""#, ["letter-spacing: 0"]),
  ])
  func aBlockHasTheLetterSpacingOfItsFirstRun(text: String, expected: [String]) throws {
    let css = try css("{type: text, id: text, \(text)}")
    #expect(declarations(".Post-text", css) == ["line-height: 0"] + expected)
  }

  @Test func partsThatOnlyRowsStateHaveTheLineHeightOfTheText() throws {
    let css = try css(#"{type: text, id: text, lineHeight: 22, runs: "{spans}"}"#)
    #expect(declarations(".Post-text", css) == ["line-height: 0"])
    #expect(declarations(".Post-text span", css) == ["line-height: calc(22px * var(--text-scale))"])
  }

  /// Its element has the class of its first run's font for tab stops, wherever that font stands in the file.
  @Test(arguments: [#"runs: "{spans}""#, "text: A, marks: marks"])
  func theClassOfAFontAppliesInATextWithPartsOfRows(parts: String) throws {
    let css = try css("{type: text, id: text, font: bold, \(parts)}")
    let rules = ["\n.Post-text {\n  font-family", "\n.body {\n", "\n.bold {\n"]
    let places = try rules.map { rule in try #require(css.range(of: rule), "\(rule)").lowerBound }
    #expect(places == places.sorted())
  }

  @Test func theTitleOfAButtonHasTheClassOfTheButton() throws {
    let css = try css("{type: button, id: like, title: Like, font: bold, maximumNumberOfLines: 1}")
    #expect(css.contains("\n.bold, .Post-like {\n") && css.contains("-webkit-line-clamp: 1;"))
  }

  @Test func namesAreEscaped() {
    #expect(CSSRule.className("Post Cell") == "Post-Cell")
    #expect(CSSRule.selector(ofClass: "Post Cell.1-é") == #".Post\20 Cell\2e 1-é"#)
    #expect(CSSRule.selector(ofClass: "1a") == #".\31 a"#)
    #expect(CSSRule.string("a\"\\\n") == #""a\"\\ ""#)
    #expect(CSSRule(selectors: [], declarations: [], comments: ["a */ b"]).text == "/* a * / b */\n")
  }

  // MARK: What it cannot express

  @Test func theLanguageOfTheFileIsNotedOnce() throws {
    let file = try CellsFile(
      text: "version: 1\nlang: ja\nfonts: {body: {family: Inter, size: 15, lineHeight: 20}}\n"
        + "cells: {A: {layout: {type: text, id: text, text: A, font: body}}}", path: "cells.yaml")
    let notes = try file.withProgram { StyleSheet($0) }.notes
    #expect(notes.map(\.path) == [["lang"]] && notes[0].message.contains(#"<html lang="ja">"#))
  }

  @Test(arguments: [
    (#"{type: text, id: text, text: A, font: {if: mine, then: bold, else: body}}"#, "font", "class of its font"),
    (#"{type: text, id: text, text: A, maximumNumberOfLines: "{lines}"}"#, "maximumNumberOfLines", "on the element"),
    (#"{type: text, id: text, text: A, pointSizeScaleFactors: [0.9]}"#, "pointSizeScaleFactors", "multiply the font"),
    (#"{type: text, id: text, text: A, truncation: more}"#, "truncation", "is … in browsers"),
    (
      #"{type: text, id: text, text: A, additionalTruncationMessage: more}"#, "additionalTruncationMessage",
      "is … in browsers"
    ),
    (#"{type: text, id: text, text: A, lang: ja}"#, "lang", #"lang="ja""#),
    (#"{type: text, id: text, text: A, tailIndent: 100}"#, "tailIndent", "give it a minus"),
    (#"{type: text, id: text, runs: "{spans}"}"#, "runs", "the class of its first run's font"),
    (#"{type: text, id: text, text: A, marks: marks}"#, "marks", "the class of its first run's font"),
    (
      #"{type: text, id: text, runs: [{text: A}, {attachment: [40, 40]}], lineSpacing: 2}"#, "lineSpacing",
      "higher than"
    ),
  ])
  func aPropertyIsNoted(text: String, property: String, remedy: String) throws {
    let file = try file(text)
    let sheet = try file.withProgram { StyleSheet($0) }
    try #require(sheet.notes.count == 1)
    let note = sheet.notes[0]
    #expect(note.path == ["cells", "Post", "layout", "children", "0", property] && note.message.contains(remedy))
    #expect(file.warning(note.path, note.message).line == 13)
    #expect(sheet.css(name: "", fontURL: "", unit: .px).contains("/* \(note.description) */"))
  }

  @Test func hyphenationByTheBrowserIsNotedOnce() throws {
    let notes = try sheet(
      """
      {type: text, id: a, text: A}
      {type: text, id: b, text: A, hyphens: auto}
      {type: text, id: c, text: A, hyphens: auto}
      """
    ).notes
    #expect(notes.map(\.path) == [["cells", "Post", "layout", "children", "1", "hyphens"]])
    #expect(notes.allSatisfy { $0.message.hasPrefix("uses the dictionary of the browser; ") })
  }

  /// Chromium rounds the ascent and the descent of a font in device pixels: nine lines of Inter in 15 px are 171 px high, and 162 on a
  /// screen with two device pixels a pixel.
  @Test(arguments: [
    ("text: A, font: bold", true), ("text: A, font: bold, lineHeight: 22", false), ("text: A, font: body", false),
    ("runs: [{text: A}, {text: B, font: bold}]", true), ("runs: [{text: A, font: bold, lineHeight: 22}]", false),
  ])
  func aFontWithoutALineHeightIsNoted(text: String, isNoted: Bool) throws {
    let notes = try sheet("{type: text, id: text, \(text)}").notes
    #expect(notes.map(\.path) == (isNoted ? [["fonts", "bold"]] : []))
    #expect(notes.allSatisfy { $0.message.contains("state a lineHeight") })
  }

  @Test func aTextWithoutAClassIsNoted() throws {
    let notes = try sheet("{type: text, text: A}").notes.map(\.message)
    #expect(notes == ["has no id, so that the style sheet has no class for it; give it an id"])
    let texts = "{type: text, id: a, text: A}\n{type: text, id: a, text: A, font: bold}\n{type: text, id: a, text: B}"
    let other = try sheet(texts)
    #expect(other.texts.count == 1)
    #expect(other.notes.map(\.path) == [["cells", "Post", "layout", "children", "1", "id"]])
  }

  @Test func fontsWithTheSameClassAreNoted() throws {
    let file = try CellsFile(
      text: "version: 1\nfonts: {big text: {family: Inter, size: 15, lineHeight: 20}, "
        + "big-text: {family: Inter, size: 20, lineHeight: 24}}\n"
        + "cells: {A: {layout: {type: text, id: text, text: A, font: big-text}}}", path: "cells.yaml")
    let sheet = try file.withProgram { StyleSheet($0) }
    #expect(
      sheet.notes.map(\.description)
        == [#"fonts.big-text: makes the class .big-text of the font "big text"; give it another name"#])
    let css = sheet.css(name: "", fontURL: "", unit: .px)
    #expect(css.contains("\n.big-text {\n") && css.contains("\n.A-text {\n"))
  }

  @Test func aTextWithTheClassOfARunIsNoted() throws {
    let notes = try sheet("{type: text, id: a, runs: [{text: A}]}\n{type: text, id: a-run-0, text: B}").notes
    #expect(notes.map(\.path) == [["cells", "Post", "layout", "children", "1", "id"]])
  }

  @Test func heightsAndFontsThatDifferAreNoted() throws {
    let sheet = try sheet(
      "{type: text, id: a, text: A, style: {maxHeight: 40}}",
      fonts: "  big: {family: Inter, size: 20, scaling: android, sizes: {AX1: 28}}",
      more: "calibration: {web: {widthTolerance: 0.5}}")
    #expect(
      sheet.notes.map { $0.path.last } == ["scaling", "sizes", "web", "0"]
        && sheet.notes.last?.message.hasPrefix("is cut by its height") == true)
  }
}
