import CellTemplates
import Foundation
import Testing

@testable import CellsFiles

/// Tests of the style sheets of cells files as values for applications.
@Suite struct StyleSheetValuesTests {
  private typealias Object = [String: Any]

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

  private func values(_ texts: String, file: String = "") throws -> Object {
    let json = try JSONEncoder().encode(try sheet(texts, file: file).values)
    return try #require(try JSONSerialization.jsonObject(with: json) as? Object)
  }

  private func texts(_ texts: String) throws -> [String: Object] {
    try #require((try values(texts)["texts"] as? [String: [String: Object]])?["Post"])
  }

  @Test func valuesHaveWhatTheSheetHas() throws {
    let values = try values(
      "{type: text, id: text, text: A, maximumNumberOfLines: 2}\n{type: text, id: runs, runs: [{text: A, font: bold}]}")
    let texts = try #require((values["texts"] as? [String: [String: Object]])?["Post"])
    #expect(texts["text"]?["font"] as? String == "body" && texts["text"]?["lineHeight"] as? Double == 20)
    #expect(texts["text"]?["maximumNumberOfLines"] as? Int == 2 && texts["text"]?["whiteSpace"] == nil)
    let run = (texts["runs"]?["runs"] as? [Object])?.first
    #expect(run?["font"] as? String == "bold" && run?["letterSpacing"] as? Double == 0.5)
    let fonts = try #require(values["fonts"] as? [String: Object])
    #expect((fonts["bold"]?["fontFamily"] as? [String])?.first == "Inter Bold")
    #expect(fonts["bold"]?["scales"] as? Bool == true)
    #expect((values["fontFiles"] as? [Object])?.count == 2)
    #expect(values["lang"] == nil && values["platforms"] == nil)
  }

  @Test func textsHaveThePropertiesThatCSSLacks() throws {
    let texts = try texts(
      """
      {type: text, id: cut, text: A, truncation: "[…]", additionalTruncationMessage: more, breakStrategy: simple}
      {type: text, id: more, text: A, truncation: …, additionalTruncationMessage: more}
      {type: text, id: beside, text: A, exclusionPaths: [{side: right, y: 4, width: 20.5, height: 12}]}
      {type: text, id: smaller, text: A, pointSizeScaleFactors: [0.9, 0.75]}
      {type: text, id: plain, text: A}
      """)
    #expect(texts["cut"]?["truncation"] as? String == "[…]" && texts["cut"]?["breakStrategy"] as? String == "simple")
    #expect(texts["cut"]?["additionalTruncationMessage"] as? String == "more")
    // Without a stated truncation string, the message stands alone.
    #expect(texts["more"]?["truncation"] as? String == "…")
    let rectangle = try #require((texts["beside"]?["exclusionPaths"] as? [Object])?.first)
    #expect(rectangle["side"] as? String == "right" && rectangle["y"] as? Double == 4)
    #expect(rectangle["width"] as? Double == 20.5 && rectangle["height"] as? Double == 12)
    #expect(texts["smaller"]?["pointSizeScaleFactors"] as? [Double] == [0.9, 0.75])
    let plain = try #require(texts["plain"])
    #expect(Set(plain.keys) == ["font", "fontFamily", "fontSize", "lineHeight", "letterSpacing"])
  }

  @Test func fontsHaveTheirSizesAtAllTextSizes() throws {
    let fonts = try #require(try values("{type: text, id: text, text: A}")["fonts"] as? [String: Object])
    let sizes = try #require(fonts["bold"]?["sizes"] as? [String: Double])
    #expect(fonts["bold"]?["scaling"] as? String == "android" && sizes.count == 12)
    #expect(sizes["S"] == 16 && sizes["L"] == 16 && sizes["xxL"] == 18 && sizes["AX5"] == 28)
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
    #expect(values["lang"] as? String == "ja")
    let platforms = try #require(values["platforms"] as? [String: Object])
    #expect(platforms["reactNative"] == nil)
    let (android, compose) = (try #require(platforms["android"]), try #require(platforms["compose"]))
    #expect(Set(android.keys) == Set(CellFormat.android.map(\.name)))
    #expect(android["breakStrategy"] as? String == "simple" && android["lineSpacingMultiplier"] as? Double == 1.25)
    #expect(Set(compose.keys) == Set(CellFormat.compose.map(\.name)))
    #expect(compose["fontPadding"] as? Bool == true && compose["lineHeightTrim"] as? String == "both")
    let flutter = try #require(platforms["flutter"])
    #expect(Set(flutter.keys) == Set(CellFormat.flutter.map(\.name)))
    let strut = try #require(flutter["strut"] as? Object)
    #expect(Set(strut.keys) == Set(CellFormat.strut.map(\.name)) && strut["leadingDistribution"] as? String == "even")
  }

  /// A strut of Flutter has an effect without any property.
  @Test func aStrutWithoutPropertiesIsAValue() throws {
    let values = try values("{type: text, id: text, text: A}", file: "platforms: {flutter: {strut: {}}}")
    let platforms = try #require(values["platforms"] as? [String: Object])
    #expect((platforms["flutter"]?["strut"] as? Object)?.isEmpty == true)
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
    let written = try #require(try values(text)["notes"] as? [String])
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
