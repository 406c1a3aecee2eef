import Buffers
import Foundation
import GalleyTestSupport
import TableFormats
import Testing

/// Tests of `galley diff`: the tables and the summary that it writes, the offset of an anchor, and its errors.
@Suite struct DiffCommandTests {
  private let scratch = Scratch()

  private static let cells = """
    version: 1
    cells:
      A:
        layout:
          type: stack
          direction: vertical
          children:
            - {type: node, id: badge, when: "{badge}", calculatedSize: [20, 10]}
            - {type: node, id: photo, calculatedSize: [100, "{height}"]}
    """

  @discardableResult
  private func layout(
    _ name: String, _ rows: [String], cells: String = Self.cells, width: String = "390", _ options: [String] = []
  ) throws -> String {
    let cells = try scratch.file("cells.yaml", cells)
    let input = rows.joined(separator: "\n") + "\n"
    let outcome = try scratch.layOut("-", cells, width: width, to: name, ["--quiet"] + options, input: input)
    try #require(outcome.code == 0, "\(outcome.errors)")
    return scratch.path(name)
  }

  private func row(_ id: String, _ height: Int, badge: Bool = false) -> String {
    #"{"id": "\#(id)", "height": \#(height), "badge": \#(badge)}"#
  }

  private func layOutBoth(width: String = "390") throws -> (old: String, new: String) {
    (
      try layout("old", [row("a", 10), row("b", 20), row("c", 30), row("d", 40)], width: width),
      try layout(
        "new", [row("n", 5), row("a", 10), row("d", 40), row("c", 30, badge: true), row("e", 1)], width: width)
    )
  }

  private func column(_ name: String, _ table: String) throws -> [String] {
    let file = try Data(contentsOf: URL(fileURLWithPath: scratch.path("changes/w390/\(table).arrow")))
    return try file.withUnsafeBytes { bytes in
      let file = try ArrowFileReader(size: bytes.count) { OwnedBytes(copying: Array(bytes[$0])) }
      let index = try #require(file.schema.fields.firstIndex { $0.name == name })
      let column = ArrowColumnView(file.batches[0].columns[index], in: bytes)
      return try (0..<column.rowCount).map { row in
        if column.isNull(at: row) { return "-" }
        switch file.schema.fields[index].type {
        case .utf8: return String(decoding: try #require(column.string(at: row)), as: UTF8.self)
        case .uint64: return "\(column.number(at: row, as: UInt64.self))"
        case .uint32: return "\(column.number(at: row, as: UInt32.self))"
        case .float32: return "\(column.number(at: row, as: Float.self))"
        case .float64: return "\(column.number(at: row, as: Double.self))"
        case .dictionary(let id, 8): return try file.dictionary(id)[Int(column.number(at: row, as: Int8.self))]
        case .dictionary(let id, _): return try file.dictionary(id)[Int(column.number(at: row, as: Int32.self))]
        default: return column.bit(at: row) ? "yes" : "no"
        }
      }
    }
  }

  // MARK: Tables

  /// Of four rows of equal frames, one has another text, one other fonts, and one the same text in other lines.
  @Test func rowsWhoseTextsAreDrawnInAnotherWayAreRedrawn() throws {
    let cells = """
      version: 1
      fonts:
        body: {family: Inter, size: 15, lineHeight: 20}
        name: {family: Inter, size: 15, lineHeight: 20}
      cells:
        A:
          layout:
            type: text
            id: text
            style: {width: 200, height: 40}
            runs: [{text: "{t} ", font: {if: bold, then: name, else: body}}, {text: "end", font: body}]
      """
    func layout(_ name: String, _ rows: [String], _ options: [String] = ["--lines"]) throws -> String {
      let rows = rows.enumerated().map { #"{"cell":"A","id":"r\#($0)",\#($1)}"# }
      return try self.layout(name, rows, cells: cells, options)
    }
    // The last text has the same characters in another composition.
    let old = [
      #""t":"same""#, #""t":"some words""#, #""t":"font""#, #""t":"one two\nthree""#, #""t":"5 \u03a9""#,
    ]
    let new = [
      #""t":"same""#, #""t":"same words""#, #""t":"font","bold":true"#, #""t":"one\ntwo three""#, #""t":"5 \u2126""#,
    ]
    let outcome = try Galley.run(["diff", layout("o", old), layout("n", new), "--output", scratch.path("changes")])
    #expect(outcome.output.hasSuffix("0 inserted, 0 removed, 0 moved, 0 changed, 0 resized, 4 redrawn\n"))
    #expect(try column("id", "rows") == ["r1", "r2", "r3", "r4"])
    #expect(try column("redrawn", "rows") == ["yes", "yes", "yes", "yes"])
    #expect(try column("changed", "rows") == ["no", "no", "no", "no"])
    #expect(try column("change", "nodes") == ["redrawn", "redrawn", "redrawn", "redrawn"])
    let without = try Galley.run(["diff", layout("w", new, []), scratch.path("n"), "--output", scratch.path("none")])
    #expect(without.output.hasSuffix("0 changed, 0 resized\n"))
  }

  @Test func theTablesHaveTheRowsAndNodesThatChanged() throws {
    let (old, new) = try layOutBoth()
    let outcome = try Galley.run(["diff", old, new, "--output", scratch.path("changes")])
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(
      outcome.output
        == "w390: 4 rows before, 5 after; 2 inserted, 1 removed, 1 moved, 1 changed, 1 resized\n")
    #expect(try column("id", "rows") == ["b", "n", "c", "e"])
    #expect(try column("old_row", "rows") == ["1", "-", "2", "-"])
    #expect(try column("new_row", "rows") == ["-", "0", "3", "4"])
    #expect(try column("moved", "rows") == ["no", "no", "yes", "no"])
    #expect(try column("resized", "rows") == ["no", "no", "yes", "no"])
    #expect(try column("changed", "rows") == ["no", "no", "yes", "no"])
    #expect(try column("old_y", "rows") == ["10.0", "-", "30.0", "-"])
    #expect(try column("new_y", "rows") == ["-", "0.0", "55.0", "95.0"])
    #expect(try column("old_height", "rows") == ["20.0", "-", "30.0", "-"])
    #expect(try column("new_height", "rows") == ["-", "5.0", "40.0", "1.0"])
    #expect(try column("id", "nodes") == ["c", "c"])
    #expect(try column("node", "nodes") == ["badge", "photo"])
    #expect(try column("change", "nodes") == ["inserted", "moved"])
    #expect(try column("old_index", "nodes") == ["-", "0"])
    #expect(try column("new_index", "nodes") == ["0", "1"])
    #expect(try column("old_y", "nodes") == ["-", "0.0"])
    #expect(try column("new_y", "nodes") == ["0.0", "10.0"])
  }

  @Test func aSummaryOfAllVariantsIsPrintedAsJSON() throws {
    let (old, new) = try layOutBoth(width: "320,390")
    let outcome = try Galley.run(["diff", old + "/", new, "--output", scratch.path("changes"), "--json"])
      .expectSuccess()
    let variant = { (name: String) in
      #"{"changed":1,"inserted":2,"moved":1,"name":"\#(name)","newRows":5,"oldRows":4,"removed":1,"resized":1}"#
    }
    #expect(outcome.output == "{\"variants\":[\(variant("w320")),\(variant("w390"))]}\n")
    for name in ["w320", "w390"] {
      let files = try FileManager.default.contentsOfDirectory(atPath: scratch.path("changes/\(name)"))
      #expect(files.sorted() == ["nodes.arrow", "rows.arrow"])
    }
  }

  // MARK: Anchors

  @Test func theOffsetOfAnAnchorIsPrintedAlone() throws {
    let (old, new) = try layOutBoth()
    let expected = ["c": "85", "d": "15.5", "b": "35.5"]
    for (anchor, offset) in [("c", "60"), ("d", "60.5"), ("b", "30.5")] {
      let outcome = try Galley.run(["diff", old, new, "--anchor", anchor, "--offset", offset])
      #expect(outcome.output == "\(expected[anchor] ?? "")\n", "\(anchor): \(outcome.errors)")
    }
    let above = try Galley.run(["diff", old, new, "--anchor", "a", "--offset", "-5"])
    #expect(above.output == "0\n", "\(above.errors)")
    let both = try Galley.run(
      ["diff", old, new, "--anchor", "a", "--offset", "1", "--json", "--output", scratch.path("changes")])
    #expect(both.output == "{\"variants\":[{\"name\":\"w390\",\"offset\":6}]}\n")
    #expect(try column("id", "rows") == ["b", "n", "c", "e"])
  }

  @Test func anOffsetNeedsAnAnchor() throws {
    try Galley.run(["diff", "old", "new", "--offset", "5"]).expectFailure(2, "--anchor and --offset belong together")
  }

  @Test func anchorsOfSeveralVariantsHaveALineEach() throws {
    let (old, new) = try layOutBoth(width: "320,390")
    let outcome = try Galley.run(["diff", old, new, "--anchor", "a", "--offset", "1"])
    #expect(outcome.output == "w320 6\nw390 6\n")
  }

  @Test func anAnchorThatIsInNoListIsAnErrorWithASuggestion() throws {
    let (old, new) = try layOutBoth()
    let unknown = try Galley.run(["diff", old, new, "--anchor", "bb", "--offset", "0"])
    #expect(unknown.code == 1 && unknown.output.isEmpty)
    #expect(
      unknown.errors.contains("no row of \(old)/w390 or \(new)/w390 has the id \"bb\" (did you mean \"b\"?)"),
      "\(unknown.errors)")
    let inserted = try Galley.run(["diff", old, new, "--anchor", "n", "--offset", "0"])
    #expect(inserted.errors.contains("row \"n\" is only in \(new)/w390; name a row of \(old)/w390, the earlier list"))
  }

  @Test func aListWithoutAnyOfTheRowsBeginsAtItsTop() throws {
    let old = try layout("old", [row("a", 10)])
    let new = try layout("new", [row("b", 10)])
    let outcome = try Galley.run(["diff", old, new, "--anchor", "a", "--offset", "5"])
    #expect(outcome.code == 0 && outcome.output == "0\n")
    #expect(outcome.errors.contains("no row of \(old)/w390 is left; the list begins at offset 0"))
  }

  // MARK: Mistakes

  @Test(arguments: [
    ([], "Missing expected argument '--output <output>'"),
    (["--anchor", "a"], "--anchor and --offset belong together"),
    (["--output", "x", "--offset", "5"], "--anchor and --offset belong together"),
    (["--anchor", "a", "--offset", "inf"], "--offset is a number of points"),
  ])
  func invalidOptionsAreUsageErrors(options: [String], message: String) throws {
    try Galley.run(["diff", "old", "new"] + options).expectFailure(2, message)
  }

  /// Returns the errors of a comparison that fails and writes nothing.
  private func errors(_ old: String, _ new: String, output: String? = nil) throws -> String {
    let outcome = try Galley.run(["diff", old, new, "--output", output ?? scratch.path("changes")])
    #expect(outcome.code == 1 && outcome.output.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: scratch.path("changes")))
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.directory)
    #expect(!names.contains { $0.contains("partial") })
    return outcome.errors
  }

  @Test func runsOfOtherVariantsNameThem() throws {
    let old = try layout("old", [row("a", 10)], width: "320,390")
    let new = try layout("new", [row("a", 10)], width: "390,430")
    #expect(
      try errors(old, new) == "galley: \(old) has w320, which \(new) lacks, and \(new) has w430, which \(old) lacks; "
        + "only the same variants can be compared: lay out both with the same --width, --text-scale and --scale\n")
  }

  @Test func aDirectoryThatIsNotThatOfARunNamesWhatToGive() throws {
    let old = try layout("old", [row("a", 10)])
    #expect(
      try errors(old, scratch.path("none")).contains("none: does not exist; give the directory of a run, which galley"))
    #expect(
      try errors(old + "/w390", old)
        == "galley: \(old)/w390: is the directory of one variant; give that of the run, \(old)\n")
    #expect(try errors(old, scratch.directory).contains("has no manifest.json; give the directory of a run"))
    let new = try layout("new", [row("a", 10)])
    try FileManager.default.removeItem(atPath: new + "/w390")
    #expect(try errors(old, new).contains("\(new)/w390: does not exist"))
  }

  @Test func aManifestOfAnotherVersionOrOfAnotherProgramIsAnError() throws {
    let old = try layout("old", [row("a", 10)])
    let new = try layout("new", [row("a", 10)])
    _ = try scratch.file("new/manifest.json", #"{"format": 9, "version": "7.0.0"}"#)
    #expect(
      try errors(old, new).contains("was written by Galley 7.0.0 in format 9, and this version reads format 1; use"))
    _ = try scratch.file("new/manifest.json", #"{"format": 1, "#)
    #expect(try errors(old, new).contains("manifest.json: is not a manifest of Galley, or was copied only in part"))
  }

  @Test func aFileThatWasCopiedInPartIsAnError() throws {
    let (old, new) = try layOutBoth()
    for file in ["heights", "frames", "resources"] {
      let url = URL(fileURLWithPath: "\(new)/w390/\(file).arrow")
      let whole = try Data(contentsOf: url)
      try whole.prefix(whole.count / 2).write(to: url)
      #expect(
        try errors(old, new).contains("\(file).arrow: its end is missing; the file is damaged or was copied only"))
      try whole.write(to: url)
    }
  }

  @Test func theOutputIsNeverOneOfTheRuns() throws {
    let (old, new) = try layOutBoth()
    #expect(try errors(old, new, output: new) == "galley: \(new): exists already; choose another directory\n")
    #expect(try errors(old, new, output: new + "/changes").contains("is inside of \(new)"))
    #expect(try Galley.run(["diff", old, new, "--output", scratch.path("after")]).code == 0)
  }
}
