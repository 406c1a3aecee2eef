import Foundation
import GalleyTestSupport
import Testing

/// A batch that takes long but little processor time, because the cell class of its rows sleeps. `custom-worker` has
/// that class.
struct SlowBatch {
  let scratch: Scratch
  let rows: String
  let cells: String
  /// A cells file that describes the same cells without sleep.
  private let quickCells: String

  private static let fonts = """
    version: 1
    fonts:
      body: {family: Roboto, size: 15, lineHeight: 20}
      small: {family: Roboto, size: 12, lineHeight: 16}
    """

  /// The fraction has no effect on the layout. Whether heights hold in other widths is not known of cells in Swift, and not of
  /// fractions.
  private static let layout = """
    cells:
      SlowCell:
        layout: {type: inset, insets: 12, child: {type: stack, direction: vertical, spacing: 4,
          style: {minWidth: 0%}, children: [
          {type: text, id: quote, text: "{quote}", font: body},
          {type: text, id: author, text: "{author}", font: small, style: {alignSelf: end}}]}}
    """

  /// - Parameter count: The number of rows. Each takes 5 ms and has about 1 KiB, so that a job has 32 of them.
  init(_ scratch: Scratch, rows count: Int = 400) throws {
    self.scratch = scratch
    cells = try scratch.file("slow.yaml", Self.fonts)
    quickCells = try scratch.file("quick.yaml", Self.fonts + "\n" + Self.layout)
    let padding = String(repeating: "x", count: 950)
    let lines = (0..<count).map { row in
      #"{"cell":"SlowCell","id":"\#(row)","quote":"\#(row) times \#(row * row)","author":"A","padding":"\#(padding)"}"#
    }
    rows = try scratch.file("slow-\(count).jsonl", lines.joined(separator: "\n") + "\n")
  }

  /// Returns the arguments of a run without the verb.
  func arguments(_ output: String) -> [String] {
    [rows, "--cells", cells, "--width", "390", "--output", scratch.path(output)]
  }

  /// Returns the tables of a run in one process.
  func expected() throws -> [String: Data] {
    try scratch.layOut(rows, quickCells, to: "expected").expectSuccess()
    return try scratch.tables("expected")
  }
}
