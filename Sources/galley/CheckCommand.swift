import ArgumentParser
import BatchLayout
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

  @Argument(help: "Rows as JSON Lines; - for standard input.")
  var rows: String?

  @Option(help: "Width of the list in points.")
  var width = 390.0

  func run() throws {
    let file = try CellsFile(cells)
    for warning in file.warnings {
      print(place(warning.line, warning.column) + "warning: \(warning.path): \(warning.message)")
    }
    let variant = Variant(width: width)
    guard variant.isValid else { throw ValidationError("--width is above 0") }
    var (bad, overflow) = (0, 0)
    if let rows { (bad, overflow) = try check(RowsReader(rows), file, variant) }
    if file.warnings.isEmpty && bad == 0 && overflow == 0 { print("\(cells): no mistakes found") }
    if bad > 0 { throw ExitCode(ExitStatus.badRows) }
  }

  private func place(_ line: Int?, _ column: Int?) -> String {
    cells + (line.map { ":\($0)" } ?? "") + (column.map { ":\($0)" } ?? "") + ": "
  }

  /// Reports bad rows, what does not fit and elements that no row has.
  private func check(_ rows: RowsReader, _ file: CellsFile, _ variant: Variant) throws -> (bad: Int, overflow: Int) {
    try file.withProgram { program in
      let layout = try JobLayout(program, variants: [variant])
      var unseen = Dictionary(
        uniqueKeysWithValues: RowBinder.elementPaths(of: program).map { ("\($0.cell) \($0.path)", $0) })
      var overflow = OverflowSummary()
      var bad = 0
      try rows.forEachRow { row, number, line in
        do throws(CellError) {
          let seen = try layout.examine(row)
          for path in seen.paths { unseen["\(seen.cell) \(path)"] = nil }
          if let error = seen.error { throw error }
          overflow.add(seen.overflow, cell: seen.cell, row: number, line: line)
        } catch {
          bad += 1
          print("\(rows.name):\(line): error: \(error.description)")
        }
        return true
      }
      report(overflow.all, rows.name, file)
      tellUnseen(unseen.values.map { ["cells", $0.cell] + $0.path }, file)
      return (bad, overflow.all.count)
    }
  }

  /// Reports each element that does not fit in some rows: at its place in the cells file, or for a layout that rows
  /// bring along at the worst row.
  private func report(_ overflow: [OverflowSummary.Entry], _ rows: String, _ file: CellsFile) {
    for entry in overflow {
      let written = file.place(of: entry.path)
      let place = entry.cell.isEmpty ? "\(rows):\(entry.worstLine): " : place(written?.line, written?.column)
      print(place + "warning: \(CellError.format(entry.path)): \(entry.message)")
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
