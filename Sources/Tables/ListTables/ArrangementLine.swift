/// A line of cells of unequal widths.
///
/// Cells are added to a line as long as they fit. In a justified line the spaces between the cells are widened. The last line of
/// a section is spaced as if it were filled with cells as wide as its last one, so that cells of equal widths form a grid. These
/// are the rules of `UICollectionViewFlowLayout`, as `PSTCollectionView` reproduces it.
struct ArrangementLine {
  /// The row behind the last one of the line.
  let end: Int
  /// The distance between two cells in points.
  let spacing: Double

  /// Finds the line that begins at a row.
  ///
  /// - Parameters:
  ///   - lineWidth: The width of the line in points.
  ///   - element: A function that returns a row of the list, or nil behind the last one.
  init(
    from row: Int, _ rules: ArrangementRules, lineWidth: Double,
    _ element: (_ row: Int) throws(TableError) -> ArrangementElement?
  ) throws(TableError) {
    var row = row
    var count = 0
    var cellsWidth = 0.0
    var lastWidth = 0.0
    var isLast = true
    while let next = try element(row) {
      // A row of height 0 takes no place, and is in the line of the cells around it.
      if next.height > 0 {
        if next.isHeader { break }
        let gaps = rules.spacing * Double(count)
        let isTooLong = cellsWidth + gaps + Double(next.width) > lineWidth + ArrangementRules.widthTolerance
        if count > 0, isTooLong || count == ArrangementRules.maxColumns {
          isLast = false
          break
        }
        count += 1
        lastWidth = Double(next.width)
        cellsWidth += lastWidth
      }
      row += 1
    }
    end = row
    guard rules.flow == .justifiedWrap else {
      spacing = rules.spacing
      return
    }
    let added = isLast ? Self.addedCells(lineWidth - cellsWidth, after: count, lastWidth, rules) : 0
    let gapCount = Double(max(count - 1, 0)) + added
    let left = lineWidth - cellsWidth - added * lastWidth
    spacing = gapCount > 0 ? max(left / gapCount, 0) : rules.spacing
  }

  /// Returns the number of cells of a width that could follow in the room that is left.
  private static func addedCells(_ room: Double, after count: Int, _ width: Double, _ rules: ArrangementRules) -> Double
  {
    guard count > 0, width > 0 else { return 0 }
    let usedGaps = rules.spacing * Double(count - 1)
    return max(((room - usedGaps + ArrangementRules.widthTolerance) / (width + rules.spacing)).rounded(.down), 0)
  }
}

/// A row of a list that is arranged: its size, and whether it is a header.
struct ArrangementElement {
  let width, height: Float
  let isHeader: Bool
}
