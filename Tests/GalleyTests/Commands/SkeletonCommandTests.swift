import Foundation
import GalleyTestSupport
import Testing

/// Tests of `galley skeleton`: its two forms, and what it refuses. `html.test.mjs` compares its images with galley.js.
@Suite struct SkeletonCommandTests {
  private let scratch = Scratch()
  private let variant: String

  init() throws {
    let cells = try scratch.file(
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
              - {type: networkImage, id: photo, url: u, style: {preferredSize: [100, 50]}}
      """)
    let rows = try scratch.file("rows.jsonl", (0..<3).map { #"{"text":"\#($0)"}"# + "\n" }.joined())
    let outcome = try scratch.layOut(rows, cells, width: "200", to: "tables", ["--lines"])
    try #require(outcome.code == 0, "\(outcome.errors)")
    variant = scratch.path("tables/w200")
  }

  private func skeleton(_ options: String...) throws -> Galley.Outcome {
    try Galley.run(["skeleton", variant] + options)
  }

  @Test func anImageShowsRowsBelowEachOther() throws {
    let image = try skeleton("--rows", "1-2").output
    #expect(
      image.hasPrefix(#"<svg style="display:block" xmlns="http://www.w3.org/2000/svg" width="200" height="140" "#))
    #expect(image.components(separatedBy: "<rect ").count == 5)
    #expect(image.contains(#"<rect x="0" y="90" width="100" height="50" rx="4"></rect></svg>"#))
    let whole = try skeleton()
    #expect(whole.output.contains(#"height="210""#) && whole.errors.isEmpty)
    try Galley.run(["arrange", variant, "--columns", "2"]).expectSuccess()
    let arranged = try skeleton()
    #expect(arranged.output == whole.output && arranged.errors.contains("not as galley arrange has arranged them"))
  }

  @Test func anElementHasTheHeightOfTheListAndTheRowsInTheirPlaces() throws {
    let html = try skeleton("--rows", "2", "--format", "html").output
    #expect(html.hasPrefix(#"<div style="position:relative;width:200px;height:210px">"#))
    #expect(html.contains(#"<div data-row="2" style="position:absolute;top:140px;width:100%;height:70px"><svg "#))
    #expect(html.hasSuffix("</svg></div>\n</div>\n"))
  }

  @Test(arguments: [
    ("2-3", Int32(1), "has no row 3: its rows are 0 to 2"),
    ("3-2", 2, "--rows 3-2 is not a range of rows, such as 0-9"),
    ("a", 2, "--rows a is not a range of rows"), ("1-", 2, "--rows 1- is not a range of rows"),
  ])
  func wrongRowsAreRefused(rows: String, code: Int32, message: String) throws {
    let outcome = try skeleton("--rows", rows)
    #expect(outcome.code == code)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }
}
