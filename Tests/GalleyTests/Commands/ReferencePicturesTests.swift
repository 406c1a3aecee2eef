import CellTemplates
import Foundation
import GalleyTestSupport
import Testing

/// Tests that the pictures of the cells reference are those that `galley inspect --svg` draws for its examples.
@Suite struct ReferencePicturesTests {
  private static let resources = Fixtures.url("../../Sources/Documentation.docc/Resources").standardized

  @Test(arguments: CellFormat.elements.map(\.name))
  func thePictureShowsTheExample(name: String) throws {
    let scratch = Scratch()
    let example = try #require(CellFormat.element(named: name)).example
    let cells = try scratch.file(
      "cells.yaml",
      """
      version: 1
      fonts:
        body: {family: Inter, size: 15, lineHeight: 20}
        bold: {family: Inter, weight: bold, size: 15, lineHeight: 20}
      cells:
        Example:
          layout:
      \(example.split(separator: "\n").map { "      \($0)" }.joined(separator: "\n"))
      """)
    let rows = try scratch.file("rows.jsonl", "{}\n")
    let drawn = try Galley.run(["inspect", rows, "--cells", cells, "--width", "240", "--svg"]).expectSuccess()
    let picture = Self.resources.appendingPathComponent("cells-\(name).svg")
    if ProcessInfo.processInfo.environment["GALLEY_UPDATE_REFERENCE"] != nil {
      try drawn.output.write(to: picture, atomically: true, encoding: .utf8)
    }
    let kept = try String(contentsOf: picture, encoding: .utf8)
    #expect(
      kept == drawn.output,
      "draw it again with GALLEY_UPDATE_REFERENCE=1 swift test --filter ReferencePicturesTests")
  }
}
