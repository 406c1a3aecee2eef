import BatchLayout
import Glibc

/// Laid out cells as text for terminals: a section for each width, with what is wrong in red.
enum InspectionText {
  /// A line, and whether it says what is wrong.
  typealias Line = (text: String, isWrong: Bool)

  static func show(_ cells: [CellInspection], _ lines: (CellInspection) -> [Line]) {
    let isColored = isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == nil
    for (index, cell) in cells.enumerated() {
      if cells.count > 1 { print((index > 0 ? "\n" : "") + InspectionSVG.heading(cell)) }
      for line in lines(cell) { print(line.isWrong && isColored ? "\u{1b}[31m\(line.text)\u{1b}[0m" : line.text) }
    }
  }

  static func ascii(_ cell: CellInspection) -> [Line] {
    let art = cell.asciiArt.isEmpty ? [] : [(cell.asciiArt, false)]
    return art + InspectionSVG.problems(of: cell).map { ("! \($0)", true) }
  }

  static func tree(_ cell: CellInspection) -> [Line] { cell.tree.map { ($0.text, $0.isProblem) } }
}
