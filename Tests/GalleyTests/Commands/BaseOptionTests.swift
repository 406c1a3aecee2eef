import Foundation
import GalleyTestSupport
import Glibc
import Testing

/// Tests of `--base`: what is taken from an earlier run, and earlier runs that are not used, which is said.
@Suite struct BaseOptionTests {
  private let scratch = Scratch()
  private let cells: String
  private let old: String
  private let new: String

  init() throws {
    cells = try scratch.file("cells.yaml", textCells)
    let rows = (0..<300).map { #"{"id":"r\#($0)","text":"\#(String(repeating: "word ", count: $0 % 40))"}"# }
    old = try scratch.file("old.jsonl", rows.map { $0 + "\n" }.joined())
    var edited = rows
    edited.insert(#"{"text":"new"}"#, at: 10)
    edited.remove(at: 100)
    edited[200] = #"{"id":"r200","text":"changed"}"#
    edited.append("not JSON")
    new = try scratch.file("new.jsonl", edited.map { $0 + "\n" }.joined())
    #expect(try layout(old, to: "old", ["--in-process"]).code == 0)
    #expect(try layout(new, to: "expected", ["--in-process"]).code == 3)
  }

  private func layout(
    _ rows: String, to output: String, cells: String? = nil, width: String = "320,390", _ more: [String]
  ) throws -> Galley.Outcome {
    try Galley.run(
      ["layout", rows, "--cells", cells ?? self.cells, "--width", width, "--output", scratch.path(output)] + more)
  }

  @Test(arguments: [["--in-process"], ["--workers", "2"]])
  func theTablesAreThoseOfARunWithoutBase(options: [String]) throws {
    let run = try layout(new, to: "new", options + ["--base", scratch.path("old")])
    #expect(run.code == 3)
    #expect(run.output.contains(": 301 rows, 298 of them taken over, "))
    #expect(run.errors.contains("new.jsonl:301: is not JSON"))
    #expect(try scratch.tables("new") == scratch.tables("expected"))
  }

  /// A batch without rows must end, too.
  @Test(arguments: [300, 299, 150, 0])
  func aRunOfWhichAllRowsAreTakenOverEnds(rows: Int) throws {
    let lines = try String(contentsOfFile: old, encoding: .utf8).split(separator: "\n").prefix(rows)
    let same = try scratch.file("same.jsonl", lines.map { $0 + "\n" }.joined())
    let run = try layout(same, to: "new", ["--workers", "1", "--base", scratch.path("old")]).expectSuccess()
    #expect(run.output.contains(": \(rows) rows, \(rows) of them taken over, "))
    #expect(try layout(same, to: "all", ["--in-process"]).code == 0)
    #expect(try scratch.tables("new") == scratch.tables("all"))
  }

  @Test(arguments: [["--in-process"], ["--workers", "2"]])
  func linesAreTakenOverFromARunWithLines(options: [String]) throws {
    #expect(try layout(old, to: "old", ["--in-process", "--lines", "--force"]).code == 0)
    #expect(try layout(new, to: "expected", ["--in-process", "--lines", "--force"]).code == 3)
    let run = try layout(new, to: "new", options + ["--lines", "--base", scratch.path("old")])
    #expect(run.output.contains("298 of them taken over"), "\(run.errors)")
    #expect(try scratch.tables("new") == scratch.tables("expected"))
    #expect(try scratch.tables("new").keys.contains("w320/lines.arrow"))
  }

  @Test func anEarlierRunWithoutLinesIsSaid() throws {
    let run = try layout(new, to: "new", ["--in-process", "--lines", "--base", scratch.path("old")])
    #expect(run.errors.contains("w320: has no lines of texts"), "\(run.errors)")
  }

  @Test func theDirectoryOfTheEarlierRunCanBeReplaced() throws {
    let run = try layout(new, to: "old", ["--base", scratch.path("old"), "--force", "--json"])
    #expect(run.output.contains(#""takenRows" : 298"#))
    #expect(try scratch.tables("old") == scratch.tables("expected"))
  }

  /// A batch whose rows are all taken over ends, too.
  @Test(arguments: [("old", 300, "old"), ("new", 298, "expected")])
  func aSubmittedBatchTakesRowsOver(rows: String, taken: Int, tables: String) throws {
    let pool = try Pool(scratch, ["--workers", "1"])
    let run = try Galley.run([
      "submit", scratch.path("\(rows).jsonl"), "--cells", cells, "--width", "320,390", "--output",
      scratch.path("new"), "--base", scratch.path("old"), "--connect", pool.endpoint,
    ])
    #expect(run.output.contains("\(taken) of them taken over"), "\(run.errors)")
    #expect(try scratch.tables("new") == scratch.tables(tables))
  }

  /// The coordinator keeps such a batch when its client ends, and has only the rows that were sent.
  @Test func theRowsThatWereSentCannotBeFetchedAsTheList() throws {
    let pool = try Pool(scratch, ["--workers", "0", "--spool", scratch.path("spool")])
    let client = try pool.start([
      "submit", new, "--cells", cells, "--width", "320", "--output", scratch.path("new"), "--base", scratch.path("old"),
      "--connect", pool.endpoint,
    ])
    try eventually { try pool.state().batches.first?.rowsReceived == 3 }
    client.end(by: SIGKILL)
    let name = try #require(try pool.state().batches.first?.name)
    try Galley.run(["fetch", name, "--output", scratch.path("fetched"), "--connect", pool.endpoint]).expectFailure(
      1, "batch \(name) can be used by its client only, galley submit --base or a gateway")
    #expect(try pool.state().batches.map(\.name) == [name])
  }

  // MARK: Earlier runs that are not used

  private func expectUnused(_ reason: String, cells: String? = nil, width: String = "320,390") throws {
    let run = try layout(new, to: "new", cells: cells, width: width, ["--in-process", "--base", scratch.path("old")])
      .expectFailure(3, "--base \(scratch.path("old")) is not used, and all rows are laid out: ")
    #expect(run.errors.contains(reason), "\(run.errors)")
    #expect(try layout(new, to: "all", cells: cells, width: width, ["--in-process"]).code == 3)
    #expect(try scratch.tables("new") == scratch.tables("all"))
  }

  @Test func otherCellsAreSaid() throws {
    let other = try scratch.file("other.yaml", textCells.replacingOccurrences(of: "size: 15", with: "size: 16"))
    try expectUnused("its cells file or fonts were others", cells: other)
  }

  @Test func anotherFontIsSaid() throws {
    let other = try scratch.file("other.yaml", textCells.replacingOccurrences(of: "Inter", with: "Roboto"))
    try expectUnused("its cells file or fonts were others", cells: other)
  }

  @Test func aWidthThatTheEarlierRunLacksIsSaid() throws {
    try expectUnused("it has no variant w430, only w320 w390", width: "320,430")
  }

  @Test(arguments: ["w390/frames.arrow", "hashes.arrow"])
  func aDamagedFileIsSaid(file: String) throws {
    let url = URL(fileURLWithPath: scratch.path("old/\(file)"))
    var bytes = try Data(contentsOf: url)
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: url)
    try expectUnused("\(file): does not have the checksum that manifest.json states")
    try FileManager.default.removeItem(at: url)
    try FileManager.default.removeItem(atPath: scratch.path("new"))
    try FileManager.default.removeItem(atPath: scratch.path("all"))
    try expectUnused("\(file): does not exist; copy all files of the directory again")
  }

  @Test func aDamagedManifestIsSaid() throws {
    try Data("{".utf8).write(to: URL(fileURLWithPath: scratch.path("old/manifest.json")))
    try expectUnused("its manifest.json is damaged")
  }

  // MARK: Wrong use

  @Test func aDirectoryThatIsNoRunIsAnError() throws {
    try layout(new, to: "new", ["--base", scratch.path("nothing")]).expectFailure(
      1, "has no manifest.json; give the directory that galley layout")
    try FileManager.default.createDirectory(
      atPath: scratch.path("made/manifest.json"), withIntermediateDirectories: true)
    try layout(new, to: "new", ["--base", scratch.path("made")]).expectFailure(
      1, "made/manifest.json: cannot be read: it is not a file")
  }

  @Test func aDetachedBatchHasNoBase() throws {
    try Galley.run([
      "submit", new, "--cells", cells, "--width", "390", "--detach", "--base", scratch.path("old"), "--connect",
      "ipc:///tmp/none",
    ]).expectFailure(2, "--detach and --base exclude each other")
  }
}
