import ArrowFormat
import Foundation

/// Where the rows of a list lie: a copy of the arrangement.arrow of a variant in memory.
///
/// Offsets and lengths are points from the upper left corner of the list.
public struct Arrangement: Sendable {
  /// The size of the content, and the number of rows.
  public let summary: ArrangementSummary
  /// The path of the file.
  public let path: String
  private let memory: CopiedBytes
  private let index: BatchIndex
  private let batches: [Batch]

  /// The name of the file in a variant's directory.
  public static let fileName = "arrangement.arrow"

  private static let columns = [
    ArrowField(name: "x", type: .float64), ArrowField(name: "y", type: .float64),
    ArrowField(name: "width", type: .float32), ArrowField(name: "height", type: .float32),
    ArrowField(name: "column", type: .uint16),
  ]

  /// The columns of one batch.
  ///
  /// It only reads memory that never changes and that `memory` keeps, so that it can be used from all threads.
  private struct Batch: @unchecked Sendable {
    let x, y, width, height, column: ArrowColumnView

    init(_ columns: [ArrowColumnView]) {
      (x, y, width, height, column) = (columns[0], columns[1], columns[2], columns[3], columns[4])
    }

    @inline(__always) func top(_ index: Int) -> Double { y.number(at: index, as: Double.self) }

    @inline(__always) func height(_ index: Int) -> Float { height.number(at: index, as: Float.self) }
  }

  /// Reads the arrangement in the directory of a variant. Returns nil if the variant has none.
  ///
  /// - Parameter heights: The heights of the variant.
  /// - Throws: `TableError` for a file that cannot be read, is damaged, or is of other rows than `heights`.
  public init?(in directory: String, of heights: Heights) throws(TableError) {
    let path = "\(directory)/\(Self.fileName)"
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let table = try StoredTable(path, columns: Self.columns, remedy: Self.remedy)
    guard let summary = ArrangementSummary(rowCount: table.index.recordCount, table.schema.metadata) else {
      throw TableError(path, "has no size of its content; \(Self.remedy)")
    }
    guard summary.rowCount == heights.rowCount else {
      throw TableError(
        path,
        "has \(summary.rowCount) rows, but heights.arrow has \(heights.rowCount), as it is of another run; "
          + Self.remedy)
    }
    guard summary.tableHeight == heights.contentHeight else {
      throw TableError(path, "is of other heights than those in heights.arrow, as it is of another run; \(Self.remedy)")
    }
    self.summary = summary
    self.path = path
    let loaded = try table.load()
    memory = loaded.memory
    index = table.index
    batches = loaded.batches.map { Batch($0) }
  }

  private static let remedy = "arrange the list again (galley arrange)"

  /// Returns the frame of a row. A row of height 0, as a bad row is, lies where the next cell would be, or at the end
  /// of its section.
  public func frame(of row: Int) -> ArrangedFrame {
    let (batch, index) = index.position(of: row)
    let columns = batches[batch]
    return ArrangedFrame(
      x: columns.x.number(at: index, as: Double.self), y: columns.top(index),
      width: columns.width.number(at: index, as: Float.self), height: columns.height(index),
      column: Int(columns.column.number(at: index, as: UInt16.self)))
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
    var row = index.partition { batches[$0].top($1) <= highest }
    var ranges: [Range<Int>] = []
    while row < index.recordCount {
      let (batch, start) = index.position(of: row)
      let columns = batches[batch]
      for position in start..<columns.y.rowCount {
        let top = columns.top(position)
        guard top < upper else { return ranges }
        let height = columns.height(position)
        if height > 0, top + Double(height) > lower { Self.append(row, to: &ranges) }
        row += 1
      }
    }
    return ranges
  }

  /// Returns the empty range at the first row that does not begin above an offset.
  func emptyRange(at offset: Double) -> Range<Int> {
    let row = index.partition { batches[$0].top($1) < offset }
    return row..<row
  }

  /// Appends a row to ranges, of which the last may end at this row.
  @inline(__always)
  private static func append(_ row: Int, to ranges: inout [Range<Int>]) {
    if let last = ranges.last, last.upperBound == row {
      ranges[ranges.count - 1] = last.lowerBound..<row + 1
    } else {
      ranges.append(row..<row + 1)
    }
  }
}

extension MappedTables {
  /// Returns the arrangement of the variant, or nil if there is none.
  ///
  /// - Throws: `TableError` for a file that cannot be read, is damaged, or is of other rows than the tables.
  public func arrangement() throws(TableError) -> Arrangement? { try Arrangement(in: path, of: heights) }
}
