import Foundation
import GalleyTestSupport
import Testing

@Suite struct DebuggingCommandTests {
  private let scratch = Scratch()

  private func write() throws -> (cells: String, rows: String) {
    let cells = try scratch.file(
      "cells.yaml",
      """
      version: 1
      fonts: {f: {family: Inter, size: 12, lineHeight: 16}}
      cells:
        A:
          layout:
            type: stack
            direction: vertical
            children:
              - {type: text, id: t, text: "{t}", font: f}
              - {type: text, when: extra, text: "{extra}", font: f, style: {layoutPosition: [1, 1]}}
      """)
    return (cells, try scratch.file("rows.jsonl", "{\"t\":\"one two\"}\n\nnonsense\n"))
  }

  @Test func checkReportsWarningsBadRowsAndUnusedElements() throws {
    let files = try write()
    let outcome = try Galley.run(["check", files.cells, files.rows])
    #expect(outcome.code == 3)
    let lines = outcome.output.replacingOccurrences(of: scratch.directory + "/", with: "").split(separator: "\n")
    // A bad row suppresses warnings about absent fields of its class, but this one has no class.
    #expect(lines.count == 4)
    #expect(lines.first?.hasPrefix("rows.jsonl:3: error: is not JSON") == true)
    #expect(
      lines.dropFirst().prefix(2) == [
        "cells.yaml:10:11: warning: cells.A.layout.children[1]: appears in none of the rows",
        "cells.yaml:10:11: warning: cells.A.layout.children[1]: field \"extra\" is in none of the rows",
      ])
    #expect(lines.last?.hasPrefix("cells.yaml:10:71: warning: cells.A.layout.children[1].style.layoutPosition") == true)
  }

  @Test func aMissingFontWeightIsAWarning() throws {
    let inter = try DebianFonts.path("Inter-Regular.otf")
    let cells = try scratch.file(
      "weight.yaml", "version: 1\nfonts:\n  f: {file: \(inter), weight: bold, size: 12}\ncells: {}\n")
    let outcome = try Galley.run(["check", cells])
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("weight.yaml:3:"))
    #expect(outcome.output.contains("fonts.f.weight: has no effect: the file is not variable in its weight"))
  }

  @Test func checkUsesAllWidthsAndReportsRepeatedNames() throws {
    let cells = try scratch.file(
      "narrow.yaml",
      """
      version: 1
      cells:
        A:
          layout:
            type: stack
            children:
              - {type: image, id: a, imageSize: [150, 10]}
              - {type: image, id: a, imageSize: [150, 10]}
      """)
    let rows = try scratch.file("one.jsonl", "{}\n")
    let outcome = try Galley.run(["check", cells, rows, "--width", "200,400"])
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("at w200 pt") == false)
    #expect(outcome.output.contains("at 200 pt: children are longer than the stack and none may shrink"))
    #expect(!outcome.output.contains("at 400 pt"))
    #expect(outcome.output.contains("a second node of the cell is named \"a\" (row 0); give it another id"))
  }

  @Test func checkReportsAllMistakesAtOnceAndMissingGlyphs() throws {
    let wrong = try scratch.file(
      "wrong.yaml", "version: 1\ncells:\n  A: {layout: {type: stak}}\n  B: {layout: {type: inset, insets: x}}\n")
    let outcome = try Galley.run(["check", wrong])
    #expect(outcome.code == 1)
    let lines = outcome.errors.replacingOccurrences(of: scratch.directory + "/", with: "").split(separator: "\n")
    #expect(lines.first == "galley: wrong.yaml has 3 mistakes:")
    #expect(
      lines.dropFirst().map { String($0.prefix(15)) } == ["wrong.yaml:3:16", "wrong.yaml:4:7:", "wrong.yaml:4:29"])
    let rows = try scratch.file("arabic.jsonl", "{\"t\":\"\u{645}\u{631}\"}\n{\"t\":\"one\",\"extra\":\"\"}\n")
    let glyphs = try Galley.run(["check", write().cells, rows])
    #expect(glyphs.code == 0)
    #expect(
      glyphs.output.contains(
        "warning: 1 row has characters without a glyph: Arabic (row 0: \"\u{631}\u{645}\"); add Noto Sans Arabic to fallback"
      ))
    #expect(!glyphs.output.contains("no mistakes found"))
  }

  @Test func aQuietRunPrintsNoWarnings() throws {
    let rows = try scratch.file("arabic.jsonl", "{\"t\":\"\u{645}\u{631}\"}\n{\"t\":\"one\"}\n")
    for output in [scratch.path("quiet"), "-"] {
      let outcome = try Galley.run([
        "layout", rows, "--cells", write().cells, "--width", "100", "--output", output, "--in-process", "--quiet",
      ])
      #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    }
  }

  @Test func theManifestHasTheRowsWithMissingGlyphs() throws {
    let rows = try scratch.file("arabic.jsonl", "{\"t\":\"\u{645}\u{631}\"}\n{\"t\":\"one\"}\n")
    let outcome = try Galley.run([
      "layout", rows, "--cells", write().cells, "--width", "100", "--output", scratch.path("tables"), "--workers", "1",
    ])
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains("galley: 1 row has characters without a glyph: Arabic (row 0:"))
    let manifest = try JSON(parsing: Data(contentsOf: URL(fileURLWithPath: scratch.path("tables/manifest.json"))))
    #expect(manifest["warnings"]?["missingGlyphs"]?["rows"] == .number(1))
    // The cells file of these tests has one warning.
    #expect(manifest["warnings"]?["cells"] == .number(1))
    #expect(outcome.errors.contains("cells.yaml has 1 warning; galley check "))
  }

  @Test func helpAndSchemaDescribeTheCells() throws {
    #expect(try Galley.run(["help", "cells"]).output.contains("BINDINGS"))
    #expect(try Galley.run(["help", "cells", "stack"]).output.contains("justifyContent"))
    try Galley.run(["help", "cells", "stak"]).expectFailure(2, "did you mean \"stack\"?")
    #expect(try JSON(parsing: Data(Galley.run(["schema"]).output.utf8))["title"] == .string("Galley cells file"))
    try Galley.run(["layot"]).expectFailure(2, "\"layot\" is not a verb (did you mean \"layout\"?)")
  }

  @Test func inspectShowsACellInFourForms() throws {
    let files = try write()
    func inspect(_ form: String) throws -> String {
      try Galley.run(["inspect", files.rows, "--cells", files.cells, "--width", "100", form]).output
    }
    #expect(
      try inspect("--ascii")
        == "-----ASStackLayoutSpec-----\n|      ASTextNode (t)     |\n---------------------------\n")
    #expect(
      try inspect("--tree")
        == "StackLayoutSpec 100x16 at 0,0 in 100x0..100xinf\n  TextNode (t) 100x16 at 0,0 in 100x0..100xinf\n")
    #expect(try inspect("--svg").contains(">one two</text>"))
    #expect(try inspect("--json").contains("\"one two\""))
  }

  @Test func inspectReportsAMissingRow() throws {
    let files = try write()
    try Galley.run(
      ["inspect", files.rows, "--cells", files.cells, "--width", "100", "--row", "7"]).expectFailure(1, "has no row 7")
    try Galley.run(["inspect", files.rows, "--cells", files.cells, "--width", "100", "--row", "1"]).expectFailure(
      3, "rows.jsonl:3: is not JSON")
  }
}
