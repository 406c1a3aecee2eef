import Foundation
import GalleyTestSupport
import Testing

/// Tests of `--columns heights` for directories: what is written, and what verbs say that need the frames.
@Suite struct TablesWithoutFramesTests {
  private let scratch = Scratch()
  private let cells: String
  private let rows: String
  private let tables: String

  init() throws {
    cells = try scratch.file(
      "cells.yaml",
      """
      version: 1
      fonts: {body: {family: Inter, size: 15, lineHeight: 20}}
      cells:
        A:
          layout:
            type: stack
            direction: vertical
            children:
              - {type: text, id: text, text: "{text}", font: body}
              - {type: networkImage, id: photo, url: "{url}", style: {preferredSize: [100, 50]}}
      """)
    let lines = (0..<50).map { row in
      #"{"id":"r\#(row)","text":"\#(String(repeating: "word ", count: row))","url":"u\#(row)"}"# + "\n"
    }
    rows = try scratch.file("rows.jsonl", lines.joined())
    tables = scratch.path("heights")
    try layout(to: "all", [])
    try layout(to: "heights", ["--columns", "heights"])
  }

  @discardableResult
  private func layout(
    to output: String, _ more: [String], environment: [String: String] = [:], code: Int32 = 0
  ) throws -> Galley.Outcome {
    let outcome = try Galley.run(
      ["layout", rows, "--cells", cells, "--width", "200", "--output", scratch.path(output), "--in-process"] + more,
      environment: environment)
    try #require(outcome.code == code, "\(outcome.errors)")
    return outcome
  }

  private func file(_ name: String, _ output: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: scratch.path("\(output)/w200/\(name)")))
  }

  private func export(_ output: String) throws -> String {
    try Galley.run(["export", scratch.path("\(output)/w200"), "--format", "json"]).output
  }

  @Test func heightsAndResourcesAreThoseOfAllTables() throws {
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: tables + "/w200").sorted() == [
        "heights.arrow", "resources.arrow",
      ])
    #expect(try file("resources.arrow", "heights") == file("resources.arrow", "all"))
    #expect(try export("heights") == export("all"))
    let query = ["prefetch", tables + "/w200", "--offset", "300", "--viewport", "200", "--velocity", "500"]
    let all = ["prefetch", scratch.path("all/w200")] + query.dropFirst(2)
    #expect(try Galley.run(query).output == Galley.run(all).output)
  }

  @Test func workersWriteTheSameBytes() throws {
    let outcome = try Galley.run([
      "layout", rows, "--cells", cells, "--width", "200", "--output", scratch.path("pool"), "--workers", "2",
      "--columns", "heights",
    ])
    #expect(outcome.output.contains("50 rows, no frames, w200 in"), "\(outcome.errors)")
    #expect(try scratch.tables("pool") == scratch.tables("heights"))
  }

  @Test func theVariableIsNotThatOfArrange() throws {
    try layout(to: "variable", [], environment: ["GALLEY_COLUMNS": "2", "GALLEY_TABLE_COLUMNS": "heights"])
    #expect(try scratch.tables("variable") == scratch.tables("heights"))
    try Galley.run(
      ["arrange", tables + "/w200", "--columns", "1"], environment: ["GALLEY_TABLE_COLUMNS": "heights"]
    ).expectSuccess()
  }

  @Test func linesNeedFrames() throws {
    let outcome = try layout(to: "lines", ["--columns", "heights", "--lines"], code: 2)
    #expect(
      outcome.errors.contains(
        "lines (--lines) refer to frames, which --columns heights leaves out; leave out --columns heights"))
  }

  @Test func aRunBasedOnThemSaysThatAllRowsAreLaidOut() throws {
    let outcome = try layout(to: "based", ["--base", tables])
    #expect(outcome.errors.contains("is not used, and all rows are laid out: \(tables)/w200: has no frames"))
    #expect(try scratch.tables("based") == scratch.tables("all"))
    try layout(to: "reduced", ["--base", scratch.path("all"), "--columns", "heights"])
    #expect(try scratch.tables("reduced") == scratch.tables("heights"))
  }

  @Test func aComparisonSaysThatOnlySizesAreCompared() throws {
    let outcome = try Galley.run(["diff", tables, scratch.path("all"), "--output", scratch.path("changes")])
    #expect(outcome.output.contains("0 changed, 0 resized"))
    #expect(outcome.errors.contains("w200: only widths and heights are compared, because a run has no frames"))
  }

  @Test func anExportOfFramesIsRefused() throws {
    try Galley.run(["export", tables + "/w200", "--format", "jsonl"]).expectFailure(
      1, "\(tables)/w200: has no frames to export")
  }

  @Test func imagesCanHaveAnotherScale() throws {
    func pixels(_ output: String) throws -> [[Int]] {
      let answer = try Galley.run(["prefetch", scratch.path("\(output)/w200"), "--offset", "0", "--viewport", "100"])
      let resources = try #require(try JSON(parsing: Data(answer.output.utf8))["resources"]?.array)
      return resources.map { resource in
        ["pixel_width", "pixel_height"].map { if case .number(let n)? = resource[$0] { Int(n) } else { -1 } }
      }
    }
    try layout(to: "images", ["--image-scale", "3"])
    #expect(try file("heights.arrow", "images") == file("heights.arrow", "all"))
    #expect(try file("frames.arrow", "images") == file("frames.arrow", "all"))
    #expect(try Set(pixels("all")) == [[200, 100]])
    #expect(try Set(pixels("images")) == [[300, 150]])
    let based = try layout(to: "based", ["--base", scratch.path("all"), "--image-scale", "3"])
    #expect(based.errors.contains("its images have another scale; give both runs the same --image-scale"))
    #expect(try scratch.tables("based") == scratch.tables("images"))
    let wrong = try layout(to: "wrong", ["--image-scale", "0"], code: 2)
    #expect(wrong.errors.contains("--image-scale 0.0 is not a number of pixels above 0 and up to 100.0"))
  }

  @Test func aMissingFileIsFoundWhereRowsHaveFrames() throws {
    try FileManager.default.removeItem(atPath: scratch.path("all/w200/frames.arrow"))
    try Galley.run(["export", scratch.path("all/w200"), "--format", "jsonl"]).expectFailure(1, "all/w200/frames.arrow")
  }
}
