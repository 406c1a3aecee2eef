import Buffers

/// The positions of a list's rows beside each other, as in a carousel or a pager: each row is as long as its cell is wide.
///
/// Lengths and offsets are points; offsets count from the first row. A row of height 0, as a bad row is, has no length.
public struct HorizontalRows: Sendable {
  /// The offset of each row, and of the end of the content.
  private let offsets: [Double]
  /// The height of the list: that of its highest row.
  public let height: Float

  /// Reads the widths of all rows. The cost is that of all rows, and 8 bytes of memory for each.
  ///
  /// - Throws: `TableError` if a width is not a length.
  public init(_ heights: Heights) throws(TableError) {
    var offsets = [0.0]
    offsets.reserveCapacity(heights.rowCount + 1)
    var end = 0.0
    var highest: Float = 0
    for row in 0..<heights.rowCount {
      let height = heights.height(of: row)
      let width = height > 0 ? heights.width(of: row) : 0
      guard width >= 0, width.isFinite else { throw TableError.damaged(heights.path, "its row \(row) has no width") }
      highest = max(highest, height)
      end += Double(width)
      offsets.append(end)
    }
    self.offsets = offsets
    height = highest
  }

  public var rowCount: Int { offsets.count - 1 }

  /// The sum of all lengths.
  public var contentWidth: Double { offsets[rowCount] }

  /// Returns the offset at which a row begins. That of `rowCount` is the width of the content.
  public func offset(of row: Int) -> Double { offsets[row] }

  /// Returns the length of a row.
  public func width(of row: Int) -> Double { offsets[row + 1] - offsets[row] }

  /// Returns the row that covers an offset, as `Heights.row(at:)`. It is the page of a pager at that offset, if this is a
  /// multiple of the page's width in the tables: offsets are compared exactly.
  public func row(at offset: Double) -> Int? {
    let row = firstRow(after: max(offset, 0))
    return row < rowCount ? row : nil
  }

  /// Returns the rows that overlap an interval of offsets, as `Heights.rows(overlapping:_:leading:)`.
  public func rows(overlapping lower: Double, _ upper: Double, leading: Double = 0) -> Range<Int> {
    let first = firstRow(after: max(lower, leading), leading: leading)
    guard lower < upper else { return first..<first }
    let bound = min(upper, leading + contentWidth)
    return first..<max(first, partitionPoint(rowCount) { leading + offsets[$0] < bound })
  }

  /// Returns the first row whose end is after an offset, or `rowCount`.
  private func firstRow(after offset: Double, leading: Double = 0) -> Int {
    partitionPoint(rowCount) { leading + offsets[$0 + 1] <= offset }
  }
}
