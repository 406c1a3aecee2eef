import BatchLayout
import Processes

/// Functions that print laid out cells to a terminal, with a section for each width and problems in red.
enum InspectionText {
  /// A line, and whether it describes a problem.
  typealias Line = (text: String, isProblem: Bool)

  /// Prints the lines that `lines` returns for each cell.
  static func show(_ cells: [CellInspection], _ lines: (CellInspection) -> [Line]) throws {
    for (index, cell) in cells.enumerated() {
      if cells.count > 1 { try Results.print((index > 0 ? "\n" : "") + InspectionSVG.heading(cell)) }
      for line in lines(cell) { try Results.print(line.text, style: line.isProblem ? .red : nil) }
    }
  }

  /// Returns a box drawing of the layout spec, and the problems.
  static func ascii(_ cell: CellInspection) -> [Line] {
    let art = cell.asciiArt.isEmpty ? [] : [(cell.asciiArt, false)]
    return art + InspectionSVG.problems(of: cell).map { ("! \($0)", true) }
  }

  /// Returns a line for each element, with its size range and result.
  static func tree(_ cell: CellInspection) -> [Line] { cell.tree.map { ($0.text, $0.isProblem) } }
}
