import Foundation
import GalleyTestSupport
import Testing

/// Tests of text scales and text sizes with the program.
@Suite struct TextScalesTests {
  private let scratch = Scratch()

  private static let cells = """
    version: 1
    fonts:
      body: {family: Inter, size: 17, lineHeight: 22, sizes: {L: 17, xL: 19, AX1: 28}}
      label: {family: Inter, size: 12, lineHeight: 16, scaling: none}
    cells:
      A:
        layout:
          type: stack
          direction: vertical
          children:
            - {type: text, id: text, text: "{text}", font: body}
            - {type: text, id: label, text: "{text}", font: label}
    """

  private static let row = #"{"id":"a","text":"Hello"}"#

  private func run(_ verb: String, _ more: String...) throws -> Galley.Outcome {
    let cells = try scratch.file("cells.yaml", Self.cells)
    let rows = try scratch.file("rows.jsonl", Self.row)
    let files = verb == "check" ? [cells, rows] : [rows, "--cells", cells]
    return try Galley.run([verb] + files + more)
  }

  private func manifest(_ output: String) throws -> [[String: Any]] {
    let data = try Data(contentsOf: URL(fileURLWithPath: scratch.path(output) + "/manifest.json"))
    let manifest = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    return try #require(manifest?["variants"] as? [[String: Any]])
  }

  @Test func textSizesAreVariantsBesideTextScales() throws {
    try run(
      "layout", "--width", "320", "--text-size", "L,AX1", "--text-scale", "1,2", "--in-process", "--output",
      scratch.path("tables")
    ).expectSuccess()
    let variants = try manifest("tables")
    #expect(variants.map { $0["name"] as? String } == ["w320-tL", "w320-t2-tL", "w320-tAX1", "w320-t2-tAX1"])
    #expect(variants.map { $0["textSize"] as? String } == ["L", "L", "AX1", "AX1"])
    // 22 · 28 / 17 = 36.2 points are rounded up to half a point. The label stays as it is.
    #expect(variants.map { $0["height"] as? Double } == [38, 60, 52.5, 88.5])
  }

  @Test func workersLayOutTextSizesAsTheProgramDoes() throws {
    let options = ["--width", "320,390", "--text-size", "AX1", "--text-scale", "1.3"]
    for (output, more) in [("workers", "--workers=2"), ("process", "--in-process")] {
      let cells = try scratch.file("cells.yaml", Self.cells)
      let rows = try scratch.file("rows.jsonl", Self.row)
      try Galley.run(
        ["layout", rows, "--cells", cells] + options + [more, "--output", scratch.path(output)]
      ).expectSuccess()
    }
    #expect(try scratch.tables("workers") == scratch.tables("process"))
  }

  @Test func fontsGrowOnAndroidByItsTable() throws {
    func frames(_ size: String, _ textScale: String) throws -> [[Double]?] {
      let cells = try scratch.file(
        "\(size).yaml",
        Self.cells.replacingOccurrences(of: "{family: Inter, size: 17", with: "{family: Inter, size: \(size)"))
      let rows = try scratch.file("rows.jsonl", Self.row)
      let outcome = try Galley.run([
        "inspect", rows, "--cells", cells, "--width", "320", "--platform", "android", "--scale", "2", "--text-scale",
        textScale, "--json",
      ])
      let document = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
      let nodes = try #require(document?["nodes"] as? [[String: Any]])
      return nodes.map { $0["frame"] as? [Double] }
    }
    // 17 sp are 23.5 dp at 1.5, and the label stays as it is.
    #expect(try frames("17", "1.5") == frames("23.5", "1"))
    #expect(try frames("17", "1.5") != frames("25.5", "1"))
  }

  @Test func theInspectionNamesTheTextSize() throws {
    let outcome = try run("inspect", "--width", "320", "--text-size", "AX1", "--json")
    #expect(outcome.output.contains(#""textSize" : "AX1""#), "\(outcome.output)")
    #expect(try run("inspect", "--width", "320", "--text-size", "xL,AX1", "--svg").output.contains("text size xL"))
  }

  @Test func checkReportsFontsWithoutASize() throws {
    let outcome = try run("check", "--text-size", "AX1,AX2")
    #expect(
      outcome.output.contains(
        "cells.yaml:3:3: warning: fonts.body: has no size at AX2 (28 points); state it in sizes: {AX2: …}"))
    #expect(outcome.output.contains("warning: fonts.label: has no size at AX1 (12 points), AX2 (12 points)"))
  }

  @Test(arguments: [
    ("XL", #""XL" is not a text size of iOS (did you mean "xL"?); there are XS, S, M, L, xL"#),
    ("1.35", #""1.35" is not a text size of iOS; a factor of all sizes is a text scale; there are"#),
  ])
  func anUnknownTextSizeIsAnErrorWithTheRemedy(name: String, message: String) throws {
    try run("inspect", "--width", "320", "--text-size", name).expectFailure(2, message)
  }
}
