import CellTemplates
import Foundation
import GalleyTestSupport
import Testing

@testable import CellsFiles

/// Tests of the style sheets of cells files as values for applications.
@Suite struct StyleSheetValuesTests {
  private func sheet(_ texts: String, file: String = "") throws -> StyleSheet {
    let source = """
      version: 1
      fonts:
        body: {family: Inter, size: 15, lineHeight: 20}
        bold: {family: Inter, weight: bold, size: 16, letterSpacing: 0.5, scaling: android, sizes: {xL: 18, AX1: 28}}
      \(file)
      cells:
        Post:
          layout:
            type: stack
            children:
      \(texts.split(separator: "\n").map { "        - \($0)" }.joined(separator: "\n"))
      """
    return try CellsFile(text: source, path: "/cells.yaml").withProgram { StyleSheet($0) }
  }

  private func values(_ texts: String, file: String = "") throws -> JSON {
    try JSON(parsing: JSONEncoder().encode(sheet(texts, file: file).values))
  }

  private func keys(_ value: JSON?) -> Set<String> { Set((value?.object ?? [:]).keys) }

  @Test func valuesHaveWhatTheSheetHas() throws {
    let values = try values(
      "{type: text, id: text, text: A, maximumNumberOfLines: 2}\n{type: text, id: runs, runs: [{text: A, font: bold}]}")
    let texts = try #require(values["texts"]?["Post"])
    #expect(texts["text"]?["font"]?.string == "body" && texts["text"]?["lineHeight"]?.text == "20")
    #expect(texts["text"]?["maximumNumberOfLines"]?.text == "2" && texts["text"]?["whiteSpace"] == nil)
    let run = texts["runs"]?["runs"]?.array?.first
    #expect(run?["font"]?.string == "bold" && run?["letterSpacing"]?.text == "0.5")
    let bold = values["fonts"]?["bold"]
    #expect(bold?["fontFamily"]?.array?.first?.string == "Inter Bold" && bold?["scales"]?.text == "true")
    #expect(values["fontFiles"]?.array?.count == 2)
    #expect(values["lang"] == nil && values["platforms"] == nil)
  }

  @Test func textsHaveThePropertiesThatCSSLacks() throws {
    let values = try values(
      """
      {type: text, id: cut, text: A, truncation: "[…]", additionalTruncationMessage: more, breakStrategy: simple}
      {type: text, id: more, text: A, truncation: …, additionalTruncationMessage: more}
      {type: text, id: beside, text: A, exclusionPaths: [{side: right, y: 4, width: 20.5, height: 12}]}
      {type: text, id: smaller, text: A, pointSizeScaleFactors: [0.9, 0.75]}
      {type: text, id: plain, text: A}
      """)
    let texts = try #require(values["texts"]?["Post"])
    #expect(texts["cut"]?["truncation"]?.string == "[…]" && texts["cut"]?["breakStrategy"]?.string == "simple")
    #expect(texts["cut"]?["additionalTruncationMessage"]?.string == "more")
    // Without a stated truncation string, the message stands alone.
    #expect(texts["more"]?["truncation"]?.string == "…")
    #expect(texts["beside"]?["exclusionPaths"]?.text == #"[{"height":12,"side":"right","width":20.5,"y":4}]"#)
    #expect(texts["smaller"]?["pointSizeScaleFactors"]?.text == "[0.9,0.75]")
    #expect(keys(texts["plain"]) == ["font", "fontFamily", "fontSize", "lineHeight", "letterSpacing"])
  }

  @Test func fontsHaveTheirSizesAtAllTextSizes() throws {
    let fonts = try #require(try values("{type: text, id: text, text: A}")["fonts"])
    let sizes = try #require(fonts["bold"]?["sizes"])
    #expect(fonts["bold"]?["scaling"]?.string == "android" && keys(sizes).count == 12)
    #expect(["S", "L", "xxL", "AX5"].compactMap { sizes[$0]?.text } == ["16", "16", "18", "28"])
    #expect(fonts["body"]?["scaling"] == nil && fonts["body"]?["sizes"] == nil)
  }

  @Test func thePropertiesOfPlatformsHaveTheNamesOfTheFile() throws {
    let values = try values(
      "{type: text, id: text, text: A}",
      file: """
        lang: ja
        platforms:
          android:
            breakStrategy: simple
            linearText: true
            fontPadding: false
            fallbackLineSpacing: false
            elegantTextHeight: true
            lineSpacingMultiplier: 1.25
          compose:
            breakStrategy: balanced
            linearText: true
            fontPadding: true
            lineHeightAlignment: top
            lineHeightTrim: both
          flutter:
            leadingDistribution: even
            applyHeightToFirstAscent: false
            applyHeightToLastDescent: false
            strut: {height: 1.5, leading: 0.25, leadingDistribution: even, forceStrutHeight: true}
        """)
    #expect(values["lang"]?.string == "ja")
    let platforms = try #require(values["platforms"])
    #expect(platforms["reactNative"] == nil)
    let (android, compose, flutter) = (platforms["android"], platforms["compose"], platforms["flutter"])
    #expect(keys(android) == Set(CellFormat.android.map(\.name)))
    #expect(android?["breakStrategy"]?.string == "simple" && android?["lineSpacingMultiplier"]?.text == "1.25")
    #expect(keys(compose) == Set(CellFormat.compose.map(\.name)))
    #expect(compose?["fontPadding"]?.text == "true" && compose?["lineHeightTrim"]?.string == "both")
    #expect(keys(flutter) == Set(CellFormat.flutter.map(\.name)))
    let strut = flutter?["strut"]
    #expect(keys(strut) == Set(CellFormat.strut.map(\.name)) && strut?["leadingDistribution"]?.string == "even")
  }

  /// A strut of Flutter has an effect without any property.
  @Test func aStrutWithoutPropertiesIsAValue() throws {
    let values = try values("{type: text, id: text, text: A}", file: "platforms: {flutter: {strut: {}}}")
    #expect(values["platforms"]?["flutter"]?["strut"]?.text == "{}")
  }

  // MARK: What they cannot express

  @Test(arguments: [
    ("{type: text, text: A}", "so that it has no values; give it an id"),
    (#"{type: text, id: text, text: A, font: "{font}"}"#, "an application has to set it"),
    (#"{type: text, id: text, runs: "{spans}"}"#, "whose fonts an application has to set"),
    ("{type: text, id: text, text: A, hyphens: auto}", "the dictionary of the application"),
    ("{type: text, id: text, text: A, style: {maxHeight: 40}}", "an application has to set the column lines"),
    (
      "{type: text, id: a, text: A}\n{type: text, id: a, text: A, breakStrategy: simple}",
      "is that of another text with other properties"
    ),
    ("{type: text, id: a, text: A}\n{type: text, id: a, text: A, lineHeight: 30}", "leaves the text without values"),
  ])
  func whatTheyCannotExpressIsNotedForApplications(text: String, remedy: String) throws {
    let notes = try sheet(text).valueNotes
    #expect(notes.count == 1 && notes.allSatisfy { $0.message.contains(remedy) }, "\(notes)")
    let written = try values(text)["notes"]?.array?.compactMap(\.string)
    #expect(written == notes.map(\.description))
  }

  @Test func whatCSSAloneCannotExpressIsNotNotedForApplications() throws {
    let sheet = try sheet(
      """
      {type: text, id: a, text: A, font: bold, truncation: more, lang: fr, pointSizeScaleFactors: [0.9], tailIndent: 100}
      {type: text, id: b, text: A, lineHeight: 20, exclusionPaths: [{side: left, width: 9, height: 9}]}
      {type: text, id: c, runs: [{text: A}, {attachment: [40, 40]}], lineSpacing: 2}
      """, file: "lang: de\ncalibration: {web: {widthTolerance: 0.5}}")
    #expect(sheet.valueNotes.isEmpty && sheet.notes.count == 11, "\(sheet.notes)")
  }

  /// A class of CSS serves both texts.
  @Test func textsThatOnlyAnApplicationTellsApartShareAClass() throws {
    let texts = "{type: text, id: a, text: A}\n{type: text, id: a, text: A, breakStrategy: simple}"
    let sheet = try sheet(texts)
    #expect(sheet.texts.count == 1 && !sheet.notes.contains { $0.path.last == "id" })
  }
}
