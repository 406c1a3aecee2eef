import Foundation
import GalleyTestSupport
import Testing

/// Tests of several, compressed and damaged files of rows.
@Suite struct RowsInputTests {
  private let scratch = Scratch()

  private static let cells = """
    version: 1
    cells: {A: {layout: {type: node, calculatedSize: [100, "{height}"]}}}
    """

  private func file(_ name: String, _ text: String, _ compression: Compression) throws -> String {
    try Data(compression(Array(text.utf8))).write(to: URL(fileURLWithPath: scratch.path(name)))
    return scratch.path(name)
  }

  private func layout(_ rows: [String], _ output: String, _ more: String..., input: String = "") throws
    -> Galley.Outcome
  {
    let cells = try scratch.file("cells.yaml", Self.cells)
    return try Galley.run(
      ["layout"] + rows + ["--cells", cells, "--width", "390", "--output", scratch.path(output)] + more, input: input)
  }

  private static func rows(_ heights: ClosedRange<Int>) -> String {
    heights.map { #"{"height":\#($0)}"# }.joined(separator: "\n")
  }

  @Test func severalFilesAreWrittenToOneTable() throws {
    let whole = try scratch.file("whole.jsonl", Self.rows(1...3000))
    #expect(try layout([whole], "whole", "--in-process").code == 0)
    let files = try [
      scratch.file("a.jsonl", "\u{feff}" + Self.rows(1...1000)), file("b.jsonl.gz", Self.rows(1001...2000), .gzip), "-",
      file("c.zst", Self.rows(2501...3000) + "\n\n", .zstd),
    ]
    for more in ["--in-process", "--workers=2"] {
      try layout(files, more, more, input: Self.rows(2001...2500)).expectSuccess()
      #expect(try scratch.tables(more) == scratch.tables("whole"))
    }
  }

  @Test func aBadRowIsReportedWithItsOwnFile() throws {
    let files = try [
      scratch.file("a.jsonl", Self.rows(1...10)), file("b.jsonl.gz", "\n{}\n" + Self.rows(1...10), .gzip),
    ]
    try layout(files, "bad", "--workers=2").expectFailure(
      3, "\(files[1]):2: layout.calculatedSize[1]: field \"height\" is missing")
    let heights = try String(decoding: scratch.tables("bad")["w390/heights.arrow"] ?? Data(), as: UTF8.self)
    #expect(heights.contains("\(files[1]) line 2: layout"))
  }

  @Test func anotherFormatIsRejectedBeforeTablesAreWritten() throws {
    let good = try scratch.file("rows.jsonl", Self.rows(1...10))
    for (name, text) in [
      ("rows.csv", "cell,height\nA,1\n"), ("rows.json", "[{},\n{}]"), ("rows.parquet", "PAR1\u{15}"),
    ] {
      try layout([good, scratch.file(name, text)], "refused").expectFailure(1, ", not JSON Lines; convert it: ")
      #expect(!FileManager.default.fileExists(atPath: scratch.path("refused")))
      #expect(!FileManager.default.fileExists(atPath: scratch.path("refused.journal")))
    }
    let piped = try layout(["-"], "refused", input: "cell,height\nA,1\n")
    #expect(piped.code == 1 && piped.errors.hasPrefix("galley: standard input: is CSV, not JSON Lines"))
  }

  @Test func aRunWithTruncatedCompressedRowsFails() throws {
    let bytes = Compression.zstd(Array(Self.rows(1...200_000).utf8)).dropLast(100)
    try Data(bytes).write(to: URL(fileURLWithPath: scratch.path("rows.zst")))
    let outcome = try layout([scratch.path("rows.zst")], "cut")
    #expect(outcome.code == 1)
    #expect(outcome.errors == "galley: \(scratch.path("rows.zst")): is damaged zstd data: it ends too early\n")
    let left = try FileManager.default.contentsOfDirectory(atPath: scratch.directory)
    #expect(!left.contains { $0.hasPrefix("cut") })
  }

  @Test func checkAndInspectReadCompressedRows() throws {
    let cells = try scratch.file("cells.yaml", Self.cells)
    let files = try [scratch.file("a.jsonl", Self.rows(1...2)), file("b.gz", Self.rows(3...4) + "\n{}", .gzip)]
    let checked = try Galley.run(["check", cells] + files)
    #expect(checked.code == 3 && checked.output.contains("\(files[1]):3: error: "), "\(checked.output)")
    let inspected = try Galley.run(
      ["inspect"] + files + ["--cells", cells, "--width", "390", "--row", "3", "--json"])
    #expect(inspected.code == 0 && inspected.output.contains("4"), "\(inspected.errors)")
    try Galley.run(["inspect"] + files + ["--cells", cells, "--width", "390", "--row", "5"]).expectFailure(
      1, "has no row 5")
  }
}
