import Buffers

extension Arrangement {
  /// Returns the rows of cell classes that have a height in the arrangement: a header can be bad at the width of a column.
  static func rows(of classes: [Substring], _ heights: Heights, _ table: Table) throws(TableError) -> [Int] {
    guard !classes.isEmpty else { return [] }
    let isHeader = heights.cells.map { cell in classes.contains { $0 == cell } }
    var rows: [Int] = []
    for row in 0..<heights.rowCount where isHeader[try heights.cellIndex(of: row)] {
      let (batch, index) = table.index.position(of: row)
      if table.batches[batch].height[index] > 0 { rows.append(row) }
    }
    return rows
  }

  /// Returns the header that is pinned to the top of a viewport, and its frame there.
  ///
  /// It is the header of the section at the top, if headers are pinned (`galley arrange --pin-headers`), as with
  /// `sectionHeadersPinToVisibleBounds` of `UICollectionViewFlowLayout`. The end of the section pushes it away: its footer, the
  /// next header, or the end of the content. The cost is the logarithm of the number of headers and of footers.
  ///
  /// - Parameter offset: The offset of the viewport's top in points.
  public func pinnedHeader(at offset: Double) -> (row: Int, frame: ArrangedFrame)? {
    let next = partitionPoint(pinnedHeaders.count) { self.frame(of: pinnedHeaders[$0]).y <= offset }
    guard next > 0 else { return nil }
    let row = pinnedHeaders[next - 1]
    let frame = self.frame(of: row)
    let nextHeader = next < pinnedHeaders.count ? pinnedHeaders[next] : nil
    let y = min(offset, endOfSection(from: row, before: nextHeader) - Double(frame.height))
    guard y + Double(frame.height) > offset else { return nil }
    return (row, frame.moved(x: 0, y: y - frame.y))
  }

  /// Returns the offset of the end of a header's section.
  ///
  /// - Parameter nextHeader: The row of the next header, or nil if there is none.
  private func endOfSection(from header: Int, before nextHeader: Int?) -> Double {
    let footer = partitionPoint(footers.count) { footers[$0] < header }
    if footer < footers.count, footers[footer] < nextHeader ?? .max {
      let frame = self.frame(of: footers[footer])
      return frame.y + Double(frame.height)
    }
    return nextHeader.map { self.frame(of: $0).y } ?? summary.contentHeight
  }
}
