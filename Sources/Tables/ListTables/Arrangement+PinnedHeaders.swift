extension Arrangement {
  /// Returns the rows of cell classes that have a height.
  static func rows(of classes: [Substring], _ heights: Heights) throws(TableError) -> [Int] {
    guard !classes.isEmpty else { return [] }
    let isHeader = heights.cells.map { cell in classes.contains { $0 == cell } }
    var rows: [Int] = []
    for row in 0..<heights.rowCount where heights.height(of: row) > 0 {
      if isHeader[try heights.cellIndex(of: row)] { rows.append(row) }
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
    let nextHeader = next < pinnedHeaders.count ? pinnedHeaders[next] : summary.rowCount
    var end = next < pinnedHeaders.count ? self.frame(of: nextHeader).y : summary.contentHeight
    let footer = partitionPoint(footers.count) { footers[$0] < row }
    if footer < footers.count, footers[footer] < nextHeader {
      let frame = self.frame(of: footers[footer])
      end = frame.y + Double(frame.height)
    }
    let y = min(offset, end - Double(frame.height))
    guard y + Double(frame.height) > offset else { return nil }
    return (row, frame.moved(x: 0, y: y - frame.y))
  }
}
