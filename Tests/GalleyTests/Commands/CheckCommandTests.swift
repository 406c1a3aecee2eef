import Foundation
import GalleyTestSupport
import Testing

/// Tests of the mistakes that `galley check` finds with rows.
@Suite struct CheckCommandTests {
  private let scratch = Scratch()

  private static let cells = """
    version: 1
    fonts:
      body: {family: Inter, size: 15, lineHeight: 20}
    cells:
      A:
        layout:
          type: stack
          direction: vertical
          children:
            - type: stack
              children:
                - {type: text, id: text, text: "{text}", font: body}
            - {type: networkImage, id: photo, when: photo, url: x, style: {height: "{height?}"}}
    """

  private func check(_ rows: String) throws -> Galley.Outcome {
    let cells = try scratch.file("cells.yaml", Self.cells)
    return try Galley.run(["check", cells, scratch.file("rows.jsonl", rows)])
  }

  private static let long = String(repeating: "long ", count: 40)

  @Test func anElementThatDoesNotFitIsReportedOnceWithItsLineAndRows() throws {
    let outcome = try check(
      """
      {"text":"short","photo":1,"height":9}
      {"text":"\(Self.long)"}

      {"text":"\(Self.long)\(Self.long)"}
      """)
    #expect(outcome.code == 0)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 1)
    let pattern =
      /cells\.yaml:10:11: warning: cells\.A\.layout\.children\[0\]: children are longer than the stack and none may shrink: give "text" flexShrink: 1; 2 rows, row 2 by [.\d]+ pt at most$/
    #expect(outcome.output.split(separator: "\n").first?.contains(pattern) == true, "\(outcome.output)")
  }

  @Test func aLayoutInARowIsReportedWithTheLineOfTheRow() throws {
    let outcome = try check(
      """
      {"text":"short","photo":1,"height":9}
      {"layout":{"type":"stack","children":[{"type":"node","id":"n","style":{"width":400,"height":9}}]}}
      """)
    #expect(outcome.output.contains("rows.jsonl:2: warning: layout: children are longer than the stack"))
    #expect(outcome.output.contains("; 1 row, row 1 by 10 pt at most"))
  }

  @Test func widthsWithoutRowsAreAWarning() throws {
    let cells = try scratch.file("cells.yaml", Self.cells)
    let outcome = try Galley.run(["check", cells, "--width", "320"])
    #expect(outcome.code == 0)
    #expect(outcome.errors == "galley: --width has no effect: there are no rows to lay out\n")
  }

  @Test(arguments: [
    (["0"], "w0 cannot be laid out: a width is above 0"),
    (["1-200", "--text-size", "L,AX1"], "these are 400 variants; a batch has at most 256"),
  ])
  func widthsHaveTheLimitsOfABatch(_ options: [String], expected: String) throws {
    let outcome = try Galley.run(["check", scratch.file("cells.yaml", Self.cells), "--width"] + options)
    #expect(outcome.code == 2 && outcome.errors.contains(expected))
  }

  @Test func aNoteStatesHowManyHeightsHoldInOtherWidths() throws {
    let cells = try scratch.file(
      "cells.yaml",
      """
      version: 1
      cells:
        Fixed: {layout: {type: image, imageSize: [40, 40]}}
        Photo: {layout: {type: stack, direction: vertical, children: [{type: ratio, when: wide, ratio: 1, child: {type: node, id: photo}}]}}
      """)
    let rows = #"{"cell":"Fixed"}"# + "\n" + #"{"cell":"Photo","wide":1}"# + "\n" + #"{"cell":"Photo"}"#
    let outcome = try Galley.run(["check", cells, scratch.file("rows.jsonl", rows)])
    #expect(
      outcome.errors == """
        galley: Fixed: the heights of all of 1 rows hold in other widths within their margins
        galley: Photo: the heights of 1 of 2 rows hold in other widths within their margins

        """)
  }

  @Test func rowsWithoutOverflowHaveNoMistakes() throws {
    let outcome = try check(#"{"text":"short","photo":1,"height":9}"#)
    #expect(outcome.code == 0)
    #expect(outcome.output.hasSuffix("cells.yaml: no mistakes found\n"))
  }

  @Test func anElementOfABadRowIsNotReportedAsUnused() throws {
    let outcome = try check(#"{"text":"short","photo":1}"#)
    #expect(outcome.code == 3)
    #expect(
      outcome.output.contains(#"rows.jsonl:1: error: layout.children[1]: networkImage "photo" ends without a size"#))
    #expect(!outcome.output.contains("appears in none of the rows"))
  }

  @Test func anItalicFontIsThatOfAnAxisOrIsMissed() throws {
    for name in ["slanted.ttf", "variable.ttf"] {
      try FileManager.default.copyItem(at: Fixtures.url(name), to: URL(fileURLWithPath: scratch.path(name)))
    }
    let configuration = try scratch.file(
      "fonts.conf",
      "<fontconfig><dir>\(scratch.directory)</dir><cachedir>\(scratch.path("cache"))</cachedir></fontconfig>")
    func run(_ font: String, _ command: [String]) throws -> Galley.Outcome {
      let cells = try scratch.file(
        "italic.yaml",
        """
        version: 1
        fonts: {a: {\(font), size: 100, lineHeight: 100}}
        cells: {A: {layout: {type: stack, children: [{type: text, text: "ab", font: a}]}}}

        """)
      return try Galley.run(
        command.map { $0 == "CELLS" ? cells : $0 }, input: "{}\n", environment: ["FONTCONFIG_FILE": configuration])
    }
    func inspect(_ font: String) throws -> String {
      let outcome = try run(font, ["inspect", "-", "--cells", "CELLS", "--width", "2000", "--json"])
      #expect(outcome.code == 0, "\(outcome.errors)")
      return outcome.output
    }
    let italic = try inspect("family: Slanted, italic: true")
    #expect(try italic == inspect("file: slanted.ttf, axes: {slnt: -10}") && italic != inspect("family: Slanted"))
    #expect(try inspect("family: Slanted") == inspect("file: slanted.ttf"))
    #expect(try run("family: Slanted, italic: true", ["check", "CELLS"]).output.contains("no mistakes found"))
    let missed = try run("family: Galley Test, italic: true", ["check", "CELLS"])
    #expect(missed.output.contains("is not used: the family \"Galley Test\" has no italic font"), "\(missed.output)")
  }

  /// fontconfig also does this with a damaged cache.
  @Test func aFamilyThatFontconfigListsAndReplacesIsNotSuggestedForItself() throws {
    try FileManager.default.copyItem(
      at: Fixtures.url("variable.ttf"), to: URL(fileURLWithPath: scratch.path("variable.ttf")))
    try FileManager.default.copyItem(
      at: Fixtures.url("slanted.ttf"), to: URL(fileURLWithPath: scratch.path("slanted.ttf")))
    let configuration = try scratch.file(
      "fonts.conf",
      """
      <fontconfig><dir>\(scratch.directory)</dir><cachedir>\(scratch.path("cache"))</cachedir>
      <match target="pattern"><test name="family"><string>Slanted</string></test>
      <edit name="family" mode="assign" binding="strong"><string>Galley Test</string></edit></match></fontconfig>
      """)
    let cells = try scratch.file(
      "replaced.yaml",
      """
      version: 1
      fonts: {a: {family: Slanted, size: 15}}
      cells: {A: {layout: {type: text, text: "ab", font: a}}}

      """)
    let outcome = try Galley.run(["check", cells], environment: ["FONTCONFIG_FILE": configuration])
    #expect(
      outcome.errors.contains(
        "font family \"Slanted\" is listed by fontconfig, which finds another one in its place; "
          + "repair its caches with fc-cache -f, or give a file"), "\(outcome.errors)")
  }
}
