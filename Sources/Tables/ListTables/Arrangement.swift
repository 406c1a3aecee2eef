import Foundation
import TableFormats

/// Where the rows of a list lie: a copy of the arrangement.arrow of a variant in memory.
///
/// Offsets and lengths are points from the upper left corner of the list.
public struct Arrangement: Sendable {
  /// The size of the content, and the number of rows.
  public let summary: ArrangementSummary
  /// The path of the file.
  public let path: String
  /// The rows of the headers that are pinned, and those of the footers if there are any, in ascending order.
  let pinnedHeaders, footers: [Int]
  /// The resources of the headers, if these are of another variant than the cells.
  let headerResources: HeaderResources?
  private let table: Table

  typealias Table = LoadedTable<ArrangementColumns<ArrowColumnView>>

  /// The name of the file in a variant's directory.
  public static let fileName = "arrangement.arrow"

  /// Reads the arrangement in the directory of a variant, and compares all rows. Returns nil if the variant has none.
  ///
  /// - Parameter heights: The heights of the variant.
  /// - Throws: `TableError` for a file that cannot be read, is damaged, or is of other rows than `heights`.
  public init?(in directory: String, of heights: Heights) throws(TableError) {
    let path = "\(directory)/\(Self.fileName)"
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let stored = try StoredTable(path, columnFormats(ArrangementColumns.init), remedy: Self.remedy)
    guard let summary = ArrangementSummary(rowCount: stored.index.recordCount, stored.schema.metadata) else {
      throw TableError(path, "has no size of its content; \(Self.remedy)")
    }
    guard summary.rowCount == heights.rowCount else {
      throw TableError(
        path,
        "has \(summary.rowCount) rows, but heights.arrow has \(heights.rowCount), as it is of another run; "
          + Self.remedy)
    }
    self.summary = summary
    self.path = path
    let table: Table = try LoadedTable(stored, ArrangementColumns.init)
    self.table = table
    let headers = ArrangementSummary.headers(stored.schema.metadata).classes
    guard summary.tableHeight == heights.contentHeight,
      try Self.hasHeights(of: heights, except: headers, table)
    else {
      throw TableError(path, "is of other heights than those in heights.arrow, as it is of another run; \(Self.remedy)")
    }
    let pinned = ArrangementSummary.pinnedClasses(stored.schema.metadata)
    pinnedHeaders = try Self.rows(of: pinned.headers, heights, table)
    footers = try Self.rows(of: pinned.footers, heights, table)
    headerResources = try HeaderResources(stored.schema.metadata, beside: directory, heights) { row in
      let (batch, index) = table.index.position(of: row)
      return table.batches[batch].height[index]
    }
  }

  /// Returns whether the cells have the heights of a variant.
  ///
  /// - Parameter headers: The classes of headers and footers, which can have the heights of another variant.
  private static func hasHeights(
    of heights: Heights, except headers: [Substring], _ table: Table
  ) throws(TableError) -> Bool {
    let isHeader = heights.cells.map { headers.contains(Substring($0)) }
    for row in 0..<heights.rowCount {
      let (batch, index) = table.index.position(of: row)
      guard table.batches[batch].height[index] != heights.height(of: row) else { continue }
      // A header can be bad at the width of a column, and its class is not always known then.
      guard try isHeader[heights.cellIndex(of: row)] || !headers.isEmpty && heights.isBad(row) else { return false }
    }
    return true
  }

  private static let remedy = "arrange the list again (galley arrange)"

  /// Returns the frame of a row. A row of height 0, such as a bad row, has the position of the next cell, or the end of
  /// its section.
  public func frame(of row: Int) -> ArrangedFrame {
    let (batch, index) = table.index.position(of: row)
    let columns = table.batches[batch]
    return ArrangedFrame(
      x: columns.x[index], y: columns.y[index],
      width: columns.width[index], height: columns.height[index],
      column: Int(columns.column[index]))
  }

  /// Returns the rows that overlap an interval of offsets, as ranges in the order of the rows, of which no two touch. An
  /// interval and a row that only touch do not overlap, and a row of height 0 overlaps nothing.
  ///
  /// The cost is the logarithm of the number of rows, and the number of rows that begin in the interval or at most the
  /// height of the highest row above it.
  public func rows(overlapping lower: Double, _ upper: Double) -> [Range<Int>] {
    guard lower < upper else { return [] }
    // The tops of rows never decrease, but their bottoms do. One point more covers the rounding of the difference.
    let highest = lower - Double(summary.maxHeight) - 1
    var row = table.index.partition { table.batches[$0].y[$1] <= highest }
    var ranges: [Range<Int>] = []
    while row < table.index.recordCount {
      let (batch, start) = table.index.position(of: row)
      let columns = table.batches[batch]
      for position in start..<columns.y.rowCount {
        let top = columns.y[position]
        guard top < upper else { return ranges }
        let height = columns.height[position]
        if height > 0, top + Double(height) > lower { ranges.join(row..<row + 1) }
        row += 1
      }
    }
    return ranges
  }

  /// Returns the empty range at the first row that does not begin above an offset.
  func emptyRange(at offset: Double) -> Range<Int> {
    let row = table.index.partition { table.batches[$0].y[$1] < offset }
    return row..<row
  }
}

extension MappedTables {
  /// Whether the variant has an arrangement.
  package var isArranged: Bool { FileManager.default.fileExists(atPath: "\(path)/\(Arrangement.fileName)") }

  /// Returns the arrangement of the variant, or nil if there is none.
  ///
  /// - Throws: `TableError` for a file that cannot be read, is damaged, or is of other rows than the tables.
  public func arrangement() throws(TableError) -> Arrangement? { try Arrangement(in: path, of: heights) }
}
