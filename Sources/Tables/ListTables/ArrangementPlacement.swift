/// The frame of a row's cell in a list with columns, in points from the upper left corner of the list.
public struct ArrangedFrame: Equatable, Sendable {
  public let x, y: Double
  public let width, height: Float
  /// The index of the column, or of a cell that wraps in its line. It is 0 for a header.
  public let column: Int

  /// Returns the frame at another place.
  func moved(x: Double, y: Double) -> ArrangedFrame {
    ArrangedFrame(x: self.x + x, y: self.y + y, width: width, height: height, column: column)
  }
}

/// The placement of cells and headers by the rules of an arrangement, one after the other.
///
/// The tops of the frames never decrease from one row to the next, so that rows are found by a binary search. A row of
/// height 0 has no effect on other rows: it has no place in a line, and there is no spacing beside it.
struct ArrangementPlacement {
  private let rules: ArrangementRules
  private let columnWidth: Double
  /// The offset at which the section begins, below its header.
  private var sectionTop = 0.0
  /// The number of cells of the section.
  private var cellCount = 0
  /// The top of the last cell of the section, which is that of its line in a grid.
  private var lastTop = 0.0
  /// The bottom of the lowest cell of the section.
  private var cellsBottom = 0.0
  /// The bottom of the last cell of each column of the section.
  private var columnBottoms: [Double]
  /// The line that is being filled if cells wrap.
  private var line = Line()

  /// A line of cells of unequal widths.
  private struct Line {
    var top = 0.0
    /// The distance from the left inset at which the next cell begins.
    var x = 0.0
    var spacing = 0.0
    /// The number of cells so far.
    var count = 0
  }

  init(_ rules: ArrangementRules, columnWidth: Double) {
    self.rules = rules
    self.columnWidth = columnWidth
    columnBottoms = [Double](repeating: 0, count: rules.columns)
  }

  /// The height of the content so far, with the bottom inset of its last section.
  var contentHeight: Double { cellCount == 0 ? sectionTop : cellsBottom + rules.insets.bottom }

  /// Begins a line of cells that wrap.
  mutating func beginLine(spacing: Double) {
    line = Line(top: cellCount == 0 ? firstTop : cellsBottom + rules.lineSpacing, spacing: spacing)
  }

  /// Places the next row, a cell or a header.
  mutating func place(_ row: ArrangementElement) -> ArrangedFrame {
    row.isHeader
      ? placeHeader(width: row.width, height: row.height) : placeCell(width: row.width, height: row.height)
  }

  /// Places the next cell in a column, or in the line that was begun.
  mutating func placeCell(width: Float, height: Float) -> ArrangedFrame {
    let (column, top) = nextPlace()
    let x = rules.insets.left + (rules.flow.isWrapped ? line.x : Double(column) * (columnWidth + rules.spacing))
    guard height > 0 else { return ArrangedFrame(x: x, y: nextTop, width: width, height: 0, column: column) }
    let bottom = top + Double(height)
    cellsBottom = cellCount == 0 ? bottom : max(cellsBottom, bottom)
    if rules.flow.isWrapped {
      line.x += Double(width) + line.spacing
      line.count += 1
    } else {
      columnBottoms[column] = bottom
    }
    lastTop = top
    cellCount += 1
    return ArrangedFrame(x: x, y: top, width: width, height: height, column: column)
  }

  /// Places a header below all columns. The columns begin again below it.
  mutating func placeHeader(width: Float, height: Float) -> ArrangedFrame {
    guard height > 0 else { return ArrangedFrame(x: 0, y: nextTop, width: width, height: 0, column: 0) }
    let top = contentHeight
    sectionTop = top + Double(height)
    cellCount = 0
    return ArrangedFrame(x: 0, y: top, width: width, height: height, column: 0)
  }

  /// The least top that the next row can have: that of a cell, or that of a header at the end of the section.
  private var nextTop: Double { min(nextPlace().top, contentHeight) }

  /// The top of the first cells of a section.
  private var firstTop: Double { sectionTop + rules.insets.top }

  private func nextPlace() -> (column: Int, top: Double) {
    // The first cells of a section fill its first line, whether it is a grid or a waterfall.
    if cellCount < rules.columns, !rules.flow.isWrapped { return (cellCount, firstTop) }
    switch rules.flow {
    case .wrap, .justifiedWrap: return (line.count, line.top)
    case .grid:
      let column = cellCount % rules.columns
      return (column, column == 0 ? cellsBottom + rules.lineSpacing : lastTop)
    case .waterfall:
      var shortest = 0
      for column in 1..<rules.columns where columnBottoms[column] < columnBottoms[shortest] { shortest = column }
      return (shortest, columnBottoms[shortest] + rules.lineSpacing)
    }
  }
}
