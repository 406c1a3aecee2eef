import Foundation
import GalleyTestSupport
import Testing

/// Tests of `galley pack`: every verb takes a pack, and gives what the cells file gives.
@Suite struct PackCommandTests {
  private let scratch = Scratch()

  private static let cells = """
    version: 1
    fonts: {body: {family: Inter, size: 15}}
    fallback: [Noto Sans Hebrew]
    cells:
      A: {layout: {type: inset, insets: 4, child: {type: text, text: "{text}", font: body, style: {flexGrow: 1}}}}
    """

  private static let rows = #"""
    {"id":"a","text":"Hello שלום, a text that is wider than the list, so that it has several lines"}
    {"id":"b"}
    """#

  private func pack() throws -> (cells: String, pack: String) {
    let cells = try scratch.file("cells.yaml", Self.cells)
    let outcome = try Galley.run(["pack", cells, "-o", scratch.path("cells.galley")])
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 3 && lines[0].hasSuffix(" with 1 cell class, 1 font, 2 faces of 2 font files"))
    #expect(lines.dropFirst().map { $0.split(separator: "  ")[0] } == ["Inter Regular", "Noto Sans Hebrew Regular"])
    return (cells, scratch.path("cells.galley"))
  }

  /// The environment of a machine without fonts.
  private func noFonts() throws -> [String: String] {
    ["FONTCONFIG_FILE": try scratch.file("empty.conf", "<fontconfig></fontconfig>")]
  }

  private func layout(_ cells: String, _ output: String, _ environment: [String: String]) throws -> [String: Data] {
    let outcome = try Galley.run(
      ["layout", "-", "--cells", cells, "--width", "120,320", "--output", scratch.path(output), "--workers", "1"],
      input: Self.rows, environment: environment)
    #expect(outcome.code == 3, "\(outcome.errors)")
    return try scratch.tables(output)
  }

  /// Returns the hash of the cells in the manifest of a run.
  private func hash(_ output: String) throws -> String? {
    let manifest = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(fileURLWithPath: scratch.path("\(output)/manifest.json"))))
    return ((manifest as? [String: Any])?["cells"] as? [String: Any])?["hash"] as? String
  }

  @Test func aMachineWithoutFontsGivesTheSameTablesAndHash() throws {
    let (cells, pack) = try pack()
    let original = try layout(cells, "original", [:])
    #expect(original.count > 4)
    #expect(try layout(pack, "packed", noFonts()) == original)
    let known = try hash("original")
    #expect(try known != nil && hash("packed") == known)
    let refused = try Galley.run(["check", cells], environment: noFonts())
    #expect(refused.code == 1, "the fonts are hidden")
  }

  @Test func checkReportsTheLinesOfThePackedFile() throws {
    let (cells, pack) = try pack()
    let rows = try scratch.file("rows.jsonl", Self.rows)
    let outcomes = try [(cells, [:]), (pack, noFonts())].map { cells, environment in
      try Galley.run(["check", cells, rows], environment: environment)
    }
    #expect(outcomes.map(\.code) == [3, 3])
    #expect(outcomes[0].output.contains("cells.yaml:5:"))
    #expect(outcomes[1].output == outcomes[0].output.replacingOccurrences(of: "cells.yaml", with: "cells.galley"))
  }

  @Test func inspectShowsTheSameCell() throws {
    let (cells, pack) = try pack()
    let trees = try [cells, pack].map {
      try Galley.run(["inspect", "-", "--cells", $0, "--width", "120", "--tree"], input: Self.rows).output
    }
    #expect(trees[0] == trees[1] && !trees[0].isEmpty)
  }

  @Test func onlyAPackIsReplacedAndOnlyWithForce() throws {
    let (cells, pack) = try pack()
    let packed = try Data(contentsOf: URL(fileURLWithPath: pack))
    let refused = try Galley.run(["pack", cells, "--output", pack])
    #expect(refused.code == 1)
    #expect(refused.errors.hasSuffix("cells.galley: exists already; choose another file, or replace it with --force\n"))
    #expect(try Galley.run(["pack", pack, "--output", pack, "--force"]).code == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: pack)) == packed)
    let source = try Galley.run(["pack", cells, "--output", cells, "--force"])
    #expect(source.code == 1)
    #expect(
      source.errors.hasSuffix("cells.yaml: is not a pack, so that --force does not replace it; choose another file\n"))
    #expect(try String(contentsOfFile: cells, encoding: .utf8) == Self.cells)
    #expect(try Galley.run(["pack", cells, "-o", pack, "--output", pack, "--force"]).code == 2)
  }

  @Test func aPackIsNoRows() throws {
    let (_, pack) = try pack()
    try Galley.run(["inspect", pack, "--cells", pack, "--width", "120"]).expectFailure(
      1, "cells.galley: is a pack of galley pack, not JSON Lines; give it to --cells")
  }

  @Test(arguments: ["check", "inspect", "layout"])
  func aDamagedPackIsAnErrorOfEveryVerb(verb: String) throws {
    let (_, pack) = try pack()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: pack))
    bytes[bytes.count - 1000] ^= 1
    try bytes.write(to: URL(fileURLWithPath: pack))
    let arguments =
      verb == "check"
      ? [verb, pack]
      : [verb, "-", "--cells", pack, "--width", "120"] + (verb == "layout" ? ["--output", scratch.path("t")] : [])
    try Galley.run(arguments, input: Self.rows).expectFailure(
      1, "cells.galley: is a damaged pack: the hash of its fonts and cells is wrong")
  }
}
