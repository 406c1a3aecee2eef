import ArgumentParser
import BatchLayout
import Buffers
import CellModels
import CellsFile
import Foundation
import LayoutPool

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Look for mistakes in a cells file, and in rows laid out by it.",
    discussion: "Example: galley check posts.yaml posts.jsonl")

  @Argument(help: "The cells file, YAML or JSON.")
  var cells: String

  @Argument(help: "Rows as JSON Lines, perhaps compressed by gzip or zstd; - for standard input.")
  var rows: [String] = []

  @Option(help: "Width of the list in points.")
  var width = 390.0

  func run() throws {
    let file = try CellsFile(cells)
    for warning in file.warnings {
      print(place(warning.line, warning.column) + "warning: \(warning.path): \(warning.message)")
    }
    let variant = Variant(width: width)
    guard variant.isValid else { throw ValidationError("--width is above 0 and below \(Int(Variant.widthLimit))") }
    var bad = 0
    if !rows.isEmpty { bad = try check(RowsReader(rows), file, variant) }
    if file.warnings.isEmpty && bad == 0 { print("\(cells): no mistakes found") }
    if bad > 0 { throw ExitCode(ExitStatus.badRows) }
  }

  private func place(_ line: Int?, _ column: Int?) -> String {
    cells + (line.map { ":\($0)" } ?? "") + (column.map { ":\($0)" } ?? "") + ": "
  }

  /// Tells bad rows and elements that no row has; answers how many rows are bad.
  private func check(_ rows: RowsReader, _ file: CellsFile, _ variant: Variant) throws -> Int {
    try file.withProgram { program in
      let layout = try JobLayout(program, variants: [variant])
      var unseen = Dictionary(
        uniqueKeysWithValues: RowBinder.elementPaths(of: program).map { ("\($0.cell) \($0.path)", $0) })
      var bad = 0
      while let chunk = try rows.next(bytes: 256 << 10) {
        chunk.forEachRow { row, line in
          do throws(CellError) {
            let seen = try layout.elementPaths(in: row)
            for path in seen.paths { unseen["\(seen.cell) \(path)"] = nil }
          } catch {
            bad += 1
            print("\(chunk.file.isEmpty ? rows.name : chunk.file):\(line): error: \(error.description)")
          }
        }
      }
      tellUnseen(unseen.values.map { ["cells", $0.cell] + $0.path }, file)
      return bad
    }
  }

  /// Of elements within elements that never appear only the outermost are told.
  private func tellUnseen(_ paths: [[String]], _ file: CellsFile) {
    let known = Set(paths)
    let outermost = paths.filter { path in
      !(1..<path.count).contains { known.contains(Array(path.prefix($0))) }
    }
    for path in outermost.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      let written = file.place(of: path)
      print(place(written?.line, written?.column) + "warning: \(CellError.format(path)): appears in none of the rows")
    }
  }
}
