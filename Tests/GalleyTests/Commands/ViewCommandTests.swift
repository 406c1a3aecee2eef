import Foundation
import GalleyTestSupport
import Glibc
import Testing

/// Tests of `galley view` as a program.
@Suite struct ViewCommandTests {
  private static let cells = #"""
    version: 1
    fonts: {body: {file: FONT, size: 15, lineHeight: 20}}
    cells:
      Post:
        layout: {type: inset, insets: 8, child: {type: text, id: text, text: "{text}", font: body}}
    """#
  private static let rows = (0..<20).map { #"{"cell":"Post","id":"post-\#($0)","text":"words"}"# + "\n" }.joined()

  private let scratch = Scratch()
  /// The files of a list.
  private let rows: String
  private let cells: String

  init() throws {
    rows = try scratch.file("rows.jsonl", Self.rows)
    cells = try scratch.file(
      "cells.yaml", Self.cells.replacing("FONT", with: DebianFonts.path("Inter-Regular.otf")))
  }

  /// A program that serves a list, which is ended with the value.
  private final class Server {
    let running: Galley.Running
    let port: Int
    /// The revision of the list that is shown first.
    private(set) var first = 0

    init(_ arguments: [String]) throws {
      let running = try Galley.start(["view"] + arguments)
      self.running = running
      try eventually { running.outputSoFar.hasSuffix("\n") || !running.process.isRunning }
      let address = running.outputSoFar.trimmingCharacters(in: .whitespacesAndNewlines)
      port = try #require(address.split(separator: ":").last.flatMap { Int($0) }, "\(running.errorsSoFar)")
      if case .number(let revision)? = try json("/list.json")["revision"] { first = Int(revision) }
    }

    deinit { running.process.terminate() }

    func get(_ target: String) throws -> HTTPClient.Response {
      let client = try HTTPClient(port: port)
      client.request("GET", target)
      return try client.response()
    }

    func json(_ target: String) throws -> JSON { try JSON(parsing: Data(try get(target).body)) }

    /// Waits until the list was laid out again a number of times, and returns its description.
    func list(after changes: Int) throws -> JSON {
      try eventually { try json("/list.json")["revision"] == .number(Double(first + changes)) }
      return try json("/list.json")
    }
  }

  private func height(_ list: JSON) -> JSON? { list["variants"]?.array?.first?["height"] }

  @Test func aCellsFileWithMistakesIsMendedAfterTheStart() throws {
    let good = try String(contentsOfFile: cells, encoding: .utf8)
    try good.replacing("type: text", with: "type: txt").write(toFile: cells, atomically: true, encoding: .utf8)
    let arguments = ["--rows", rows, "--cells", cells, "--width", "390"]
    #expect(try Galley.run(["view"] + arguments).code == 1)
    let running = try Galley.start(["view"] + arguments + ["--watch", "--log-format", "json"])
    defer { running.process.terminate() }
    try eventually { running.errorsSoFar.contains("waiting until \(cells) is mended") }
    #expect(running.errorsSoFar.contains(#""level":"warning""#))
    #expect(running.outputSoFar == "")
    try good.write(toFile: cells, atomically: true, encoding: .utf8)
    try eventually { running.outputSoFar.hasSuffix("\n") }
  }

  @Test func anEarlierRunOfOtherVariantsIsAWarning() throws {
    for width in ["320", "390"] { try scratch.layOut(rows, cells, width: width, to: width).expectSuccess() }
    let earlier = scratch.path("320")
    let server = try Server([scratch.path("390"), "--base", earlier])
    #expect(
      server.running.errorsSoFar == "galley: --base has no effect: \(earlier) has no w390 to compare with\n")
  }

  @Test func tablesThatAreTruncatedAreAnErrorThatNamesTheFile() throws {
    let tables = scratch.path("tables")
    try scratch.layOut(rows, cells, to: "tables", ["--quiet"]).expectSuccess()
    let server = try Server([tables])
    let heights = try server.get("/heights/w390").body
    for name in ["heights", "frames", "resources"] { truncate("\(tables)/w390/\(name).arrow", 100) }
    let cell = try server.get("/cells/w390?first=0&end=1")
    #expect(cell.status == 500)
    #expect(cell.text.contains("\(tables)/w390/frames.arrow: was changed while it was open"), "\(cell.text)")
    #expect(try server.get("/heights/w390").body == heights)
  }

  @Test func aListIsLaidOutAgainWhenItsCellsFileIsSaved() throws {
    let server = try Server(["--rows", rows, "--cells", cells, "--width", "390", "--watch"])
    #expect(try height(server.list(after: 0)) == .number(20 * 36))
    let page = try HTTPClient(port: server.port)
    page.request("GET", "/events")
    _ = try page.response(atLeast: 1)

    let good = try String(contentsOfFile: cells, encoding: .utf8)
    // Written in place.
    try Data(good.replacing("insets: 8", with: "insets: 10").utf8).write(to: URL(fileURLWithPath: cells))
    #expect(try height(server.list(after: 1)) == .number(20 * 40))
    #expect(try page.more(atLeast: 1).text.contains("event: list\ndata: {\"revision\":\(server.first + 1)}"))
    #expect(try server.get("/heights/w390?revision=\(server.first)").status == 409)
    let cell = try server.json("/cells/w390?first=19&end=20&revision=\(server.first + 1)").array?.first
    #expect(cell?["nodes"]?.array?.first?["lines"]?.array?.first?["text"] == .string("words"))

    // A mistake: the list stays as it is.
    try Data(good.replacing("insets: 8", with: "inset: 8").utf8).write(to: URL(fileURLWithPath: cells))
    #expect(try page.more(atLeast: 1).text.contains("event: error\n"))
    let wrong = try server.list(after: 1)
    #expect(wrong["error"]?["line"] == .number(5))
    #expect(height(wrong) == .number(20 * 40))

    // Mended, by renaming another file.
    let other = try scratch.file("other.yaml", good)
    #expect(rename(other, cells) == 0)
    let mended = try server.list(after: 2)
    #expect(mended["error"] == .null)
    #expect(height(mended) == .number(20 * 36))

    // The rows change, too.
    _ = try scratch.file("rows.jsonl", Self.rows + Self.rows.replacing("post-", with: "other-"))
    #expect(try server.list(after: 3)["rows"] == .number(40))
  }

  @Test func rowsThatChangeWhileTheCellsFileHasAMistakeAreLaidOutWhenItIsMended() throws {
    let server = try Server(["--rows", rows, "--cells", cells, "--width", "390", "--watch"])
    let page = try HTTPClient(port: server.port)
    page.request("GET", "/events")
    _ = try page.response(atLeast: 1)
    let good = try String(contentsOfFile: cells, encoding: .utf8)
    try Data(good.replacing("insets: 8", with: "inset: 8").utf8).write(to: URL(fileURLWithPath: cells))
    #expect(try page.more(atLeast: 1).text.contains("event: error\n"))
    _ = try scratch.file("rows.jsonl", Self.rows + Self.rows.replacing("post-", with: "other-"))
    #expect(try page.more(atLeast: 1).text.contains("event: error\n"))
    try Data(good.utf8).write(to: URL(fileURLWithPath: cells))
    #expect(try server.list(after: 1)["rows"] == .number(40))
  }

  @Test func tablesOfOtherCellsAreShownWithoutTextsOrLaidOutAgain() throws {
    let tables = scratch.path("tables")
    try scratch.layOut(rows, cells, width: "320,390", to: "tables").expectSuccess()
    let same = try Server([tables, "--rows", rows, "--cells", cells])
    #expect(try same.json("/list.json")["has_texts"] == .bool(true))

    let text = try String(contentsOfFile: cells, encoding: .utf8)
    try Data(text.replacing("insets: 8", with: "insets: 9").utf8).write(to: URL(fileURLWithPath: cells))
    let shown = try Server([tables, "--rows", rows, "--cells", cells])
    let list = try shown.json("/list.json")
    #expect(list["has_texts"] == .bool(false))
    #expect(list["error"]?["message"]?.string?.contains("is not the cells file of") == true)
    #expect(shown.running.errorsSoFar.contains("is not the cells file of"))

    let watching = try Server([tables, "--rows", rows, "--cells", cells, "--watch"])
    let again = try watching.json("/list.json")
    #expect(again["has_texts"] == .bool(true))
    #expect(again["variants"]?.array?.map { $0["name"]?.string } == ["w320", "w390"])
    #expect(height(again) == .number(20 * 38))
  }

  @Test func theProgramEndsThoughAPageIsOpen() throws {
    let server = try Server(["--rows", rows, "--cells", cells, "--width", "390"])
    let page = try HTTPClient(port: server.port)
    page.request("GET", "/events")
    _ = try page.response(atLeast: 1)
    #expect(server.running.end().code == 0)
    #expect(page.hasEnded)
  }

  @Test(arguments: [
    (["tables", "--listen", "0.0.0.0:8080"], "ssh -L 8080:127.0.0.1:8080"), (["--watch"], "--watch needs --rows"),
    ([], "give the directory of a run"), (["--rows", "a.jsonl", "--width", "390"], "--rows needs the cells file"),
    (["--rows", "a.jsonl", "--cells", "a.yaml"], "--width"),
    (["tables", "--rows", "a.jsonl", "--cells", "a.yaml", "--width", "390"], "--width is for rows without"),
    (["tables", "--latency", "1"], "--latency is for --replay"),
    (["--watch", "--rows", "-", "--cells", "a.yaml", "--width", "390"], "standard input cannot be read twice"),
    (["--rows", "/dev/null", "--cells", "a.yaml", "--width", "390"], "/dev/null cannot be read twice"),
  ])
  func wrongOptionsAreExplained(arguments: [String], message: String) throws {
    try Galley.run(["view"] + arguments).expectFailure(2, message)
  }

  @Test func missingTablesAreAnError() throws {
    try Galley.run(["view", Scratch().path("none")]).expectFailure(1, "none")
  }
}
