import TableFormats

/// A line of a text as it is drawn.
public struct TextLine: Equatable, Sendable {
  /// The name of the text.
  public let node: String
  /// The number of the line within the text, from 0.
  public let line: Int
  /// The offsets in the text of the first unit and after the last one that is drawn, in UTF-16.
  public let start, end: Int
  /// The line in points, in the coordinates of the text's frame.
  public let x, y, width, height: Float
  /// The distance of the baseline from the top of the text's frame, in points.
  public let baseline: Float
  /// Whether the text is cut at `end` and the truncation string follows.
  public let hasEllipsis: Bool
  /// Whether a hyphen is drawn after `end`.
  public let hasHyphen: Bool
  /// Whether the paragraph of the line runs from right to left.
  public let isRightToLeft: Bool
}

/// The lines of a list's texts: the lines.arrow of a variant, which is read where it is needed.
struct TextLines: Sendable {
  private let table: StoredTable
  private let rows: RecordRows
  private let nodes: [String]

  /// The number of lines that a cursor reads at once.
  private static let linesAhead = 1024

  package typealias Columns = LineColumns<ArrowColumnView>

  /// - Parameter path: The path of lines.arrow.
  /// - Throws: `TableError` for a file that cannot be read, is damaged, or is of another version.
  init(_ path: String) throws(TableError) {
    table = try StoredTable(path, columnFormats(LineColumns.init))
    rows = try RecordRows(table, column: 0)
    nodes = table.dictionaries[0]
  }

  var file: TableFile { table.file }

  func cursor() -> TableCursor<Columns> { TableCursor(table, recordsAhead: Self.linesAhead, Columns.init) }

  /// Returns the indices of the lines that some rows have.
  func records(of rows: Range<Int>) -> Range<Int> { self.rows.records(of: rows) }

  func lines(of row: Int, _ cursor: TableCursor<Columns>) throws(TableError) -> [TextLine] {
    var lines: [TextLine] = []
    try cursor.forEachRun(records(of: row..<row + 1)) { (columns, indices) throws(TableError) in
      for index in indices {
        let node = Int(columns.node[index])
        guard nodes.indices.contains(node) else { throw TableError.damaged(file.path, "a line has no node") }
        lines.append(
          TextLine(
            node: nodes[node], line: Int(columns.line[index]), start: Int(columns.start[index]),
            end: Int(columns.end[index]), x: columns.x[index], y: columns.y[index], width: columns.width[index],
            height: columns.height[index], baseline: columns.baseline[index], hasEllipsis: columns.ellipsis[index],
            hasHyphen: columns.hyphen[index], isRightToLeft: columns.rightToLeft[index]))
      }
    }
    return lines
  }
}
