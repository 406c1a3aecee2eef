/// The frames of all rows of a list that is arranged, in the order of the rows.
public struct ArrangementRows {
  private let source: ArrangementSource
  private var placement: ArrangementPlacement
  private var row = 0
  /// The row behind the last one of the line that is being filled if cells wrap.
  private var lineEnd = 0

  init(_ source: ArrangementSource) {
    self.source = source
    placement = ArrangementPlacement(source.rules, columnWidth: source.columnWidth)
  }

  /// The height of the content so far.
  var contentHeight: Double {
    source.rules.contentMargins.top + placement.contentHeight + source.rules.contentMargins.bottom
  }

  /// Returns the frame of the next row, or nil after the last one.
  ///
  /// - Throws: `TableError` for a row that does not fit, and for damaged tables.
  public mutating func next() throws(TableError) -> ArrangedFrame? {
    guard row < source.heights.rowCount else { return nil }
    if source.rules.flow.isWrapped, row >= lineEnd {
      let line = try ArrangementLine(from: row, source.rules, lineWidth: source.columnWidth) {
        (row) throws(TableError) in row < source.heights.rowCount ? try source.element(row) : nil
      }
      placement.beginLine(spacing: line.spacing)
      lineEnd = line.end
    }
    defer { row += 1 }
    let margins = source.rules.contentMargins
    return placement.place(try source.element(row)).moved(x: margins.left, y: margins.top)
  }
}

extension ArrangementSource {
  /// The frames of the rows.
  public var rows: ArrangementRows { ArrangementRows(self) }

  /// Returns the properties of the whole arrangement. The cost is that of all rows.
  ///
  /// - Throws: `TableError` for a row that does not fit, and for damaged tables.
  public func summary() throws(TableError) -> ArrangementSummary {
    var rows = rows
    var maxHeight: Float = 0
    while let frame = try rows.next() { maxHeight = max(maxHeight, frame.height) }
    return ArrangementSummary(
      rowCount: heights.rowCount, contentWidth: listWidth, contentHeight: rows.contentHeight, maxHeight: maxHeight,
      tableHeight: heights.contentHeight)
  }
}
