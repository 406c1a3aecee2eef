import CellTemplates
import Foundation
import GalleyTestSupport
import Testing

@testable import CellsFiles

/// Tests of the reference and the schema of the cells format.
@Suite struct CellReferenceTests {
  private static let article = Fixtures.url("../../Sources/Documentation.docc/CellsReference.md").standardized

  @Test func theReferenceArticleIsUpToDate() throws {
    if ProcessInfo.processInfo.environment["GALLEY_UPDATE_REFERENCE"] != nil {
      try CellReference.article.write(to: Self.article, atomically: true, encoding: .utf8)
    }
    let written = try String(contentsOf: Self.article, encoding: .utf8)
    #expect(
      written == CellReference.article,
      "write it anew with GALLEY_UPDATE_REFERENCE=1 swift test --filter CellReferenceTests")
  }

  @Test func theExamplesOfTheReferenceCompile() throws {
    for element in CellFormat.elements {
      let text = """
        version: 1
        fonts:
          body: {family: Inter, size: 15, lineHeight: 20}
          bold: {family: Inter, weight: bold, size: 15}
        cells:
          Example:
            layout:
        \(element.example.split(separator: "\n").map { "      \($0)" }.joined(separator: "\n"))
        """
      #expect(throws: Never.self, "\(element.name)") { try CellsFile(text: text, path: "/example.yaml") }
    }
  }

  @Test func theExampleOfTheIntroductionCompiles() throws {
    let lines = CellReference.introduction.split(separator: "\n", omittingEmptySubsequences: false)
    let yaml = lines.drop { !$0.hasPrefix("  version") }.prefix { !$0.hasPrefix("A row") }.joined(separator: "\n")
    let file = try CellsFile(text: yaml, path: "/introduction.yaml")
    #expect(file.warnings == [])
  }

  @Test func theHelpNamesEveryElementAndProperty() {
    for element in CellFormat.elements {
      #expect(CellReference.help.contains("  \(element.name) "))
      let help = CellReference.help(of: element.name) ?? ""
      for property in element.properties { #expect(help.contains("  \(property.name) "), "\(property.name)") }
    }
    #expect(CellReference.help(of: "stak") == nil)
    #expect(CellReference.unknownElement("stak").contains("did you mean \"stack\"?"))
  }

  @Test func theSchemaNamesEveryElementAndProperty() throws {
    let schema = try JSON(parsing: CellSchema.encoded())
    for element in CellFormat.elements {
      let properties = schema["$defs"]?["element-\(element.name)"]?["properties"]?.object
      let expected = (CellFormat.everyElement + element.properties).map(\.name)
      #expect(Set(properties?.keys.map { $0 } ?? []) == Set(expected))
    }
    #expect(schema["$defs"]?["element-spec"]?["properties"]?["limit"]?["type"]?.string == "integer")
    let parameter = schema["$defs"]?["template-element-spec"]?["properties"]?["limit"]
    #expect(parameter?["anyOf"]?.array?.first?["type"]?.string == "integer")
    #expect(
      Set(schema["$defs"]?["style"]?["properties"]?.object?.keys.map { $0 } ?? []) == Set(CellFormat.style.map(\.name)))
  }
}
