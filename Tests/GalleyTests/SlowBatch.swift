import Foundation
import GalleyTestSupport
import Testing

/// A batch that lasts, at hardly any cost: the cells of its rows sleep, which those of `custom-worker` can.
struct SlowBatch {
  let scratch: Scratch
  let rows: String
  let cells: String
  /// The same cells without sleep, for a run that is not disturbed.
  private let calmCells: String

  private static let fonts = """
    version: 1
    fonts:
      body: {family: Roboto, size: 15, lineHeight: 20}
      small: {family: Roboto, size: 12, lineHeight: 16}
    """

  private static let layout = """
    cells:
      SlowCell:
        layout: {type: inset, insets: 12, child: {type: stack, direction: vertical, spacing: 4, children: [
          {type: text, id: quote, text: "{quote}", font: body},
          {type: text, id: author, text: "{author}", font: small, style: {alignSelf: end}}]}}
    """

  /// - Parameter count: rows, of 5 ms and about a KiB each: a job has 32 of them.
  init(_ scratch: Scratch, rows count: Int = 400) throws {
    self.scratch = scratch
    cells = try scratch.file("slow.yaml", Self.fonts)
    calmCells = try scratch.file("calm.yaml", Self.fonts + "\n" + Self.layout)
    let padding = String(repeating: "x", count: 950)
    let lines = (0..<count).map { row in
      #"{"cell":"SlowCell","id":"\#(row)","quote":"\#(row) times \#(row * row)","author":"A","padding":"\#(padding)"}"#
    }
    rows = try scratch.file("slow-\(count).jsonl", lines.joined(separator: "\n") + "\n")
  }

  func arguments(_ output: String) -> [String] {
    [rows, "--cells", cells, "--width", "390", "--output", scratch.path(output)]
  }

  /// The tables of an undisturbed run.
  func expected() throws -> [String: Data] {
    let outcome = try Galley.run([
      "layout", rows, "--cells", calmCells, "--width", "390", "--output", scratch.path("calm"), "--in-process",
    ])
    #expect(outcome.code == 0, "\(outcome.errors)")
    return try scratch.tables("calm")
  }
}
