/// The positions of a list's rows along the axis in which it scrolls.
public struct RowPlacement: Sendable {
  public let axis: ListAxis
  /// The length of the content along the axis in points, with its margins.
  public let contentLength: Double
  /// Whether the rows are arranged, so that a range of offsets may have several ranges of rows.
  public let isArranged: Bool
  /// Returns the rows that overlap an interval of offsets. Touching edges do not overlap, nor do rows of height 0.
  let rows: @Sendable (_ lower: Double, _ upper: Double) -> RowRanges
  /// Returns the offset at which a row begins.
  let start: @Sendable (_ row: Int) -> Double
  /// Returns the row that is pinned to the top of a viewport at an offset; nil if no rows are pinned.
  let pinnedRow: (@Sendable (_ offset: Double) -> Int?)?
  /// Returns the length of a row along the axis.
  let length: @Sendable (_ row: Int) -> Double
  /// The resources of headers that are of another variant than the cells.
  let headerResources: HeaderResources?
}

extension RowPlacement {
  /// Creates the positions of rows that follow each other, between margins.
  private init(
    _ axis: ListAxis, _ margins: ListInsets, length rowsLength: Double,
    rows: @escaping @Sendable (_ lower: Double, _ upper: Double, _ leading: Double) -> Range<Int>,
    start: @escaping @Sendable (_ row: Int) -> Double, length: @escaping @Sendable (_ row: Int) -> Double
  ) {
    let (leading, trailing) = margins.along(axis)
    self.init(
      axis: axis, contentLength: leading + rowsLength + trailing, isArranged: false,
      rows: { RowRanges(rows($0, $1, leading)) }, start: { leading + start($0) }, pinnedRow: nil, length: length,
      headerResources: nil)
  }

  /// Creates the positions of rows that are arranged in columns.
  ///
  /// - Parameter isInverted: Whether the list is flipped, so that the first row is at the bottom.
  public init(_ arrangement: Arrangement, isInverted: Bool = false) {
    let pinnedRow: @Sendable (Double) -> Int? = { arrangement.pinnedHeader(at: $0)?.row }
    self.init(
      axis: isInverted ? .inverted : .vertical, contentLength: arrangement.summary.contentHeight, isArranged: true,
      rows: { lower, upper in
        let ranges = arrangement.rows(overlapping: lower, upper)
        let first = ranges.first ?? arrangement.emptyRange(at: lower)
        return RowRanges(first, Array(ranges.dropFirst()))
      },
      start: { arrangement.frame(of: $0).y }, pinnedRow: arrangement.pinnedHeaders.isEmpty ? nil : pinnedRow,
      length: { Double(arrangement.frame(of: $0).height) }, headerResources: arrangement.headerResources)
  }

  /// Creates the positions of rows below each other.
  ///
  /// - Parameters:
  ///   - isInverted: Whether the list is flipped, so that the rows are above each other.
  ///   - contentMargins: The distances on the screen between the rows and the edges of the content.
  public init(_ heights: Heights, isInverted: Bool = false, contentMargins: ListInsets = ListInsets()) {
    self.init(
      isInverted ? .inverted : .vertical, contentMargins, length: heights.contentHeight,
      rows: { heights.rows(overlapping: $0, $1, leading: $2) }, start: { heights.offset(of: $0) },
      length: { Double(heights.height(of: $0)) })
  }

  /// Creates the positions of rows beside each other.
  ///
  /// - Parameters:
  ///   - isRightToLeft: Whether the first row is at the right.
  ///   - contentMargins: The distances on the screen between the rows and the edges of the content.
  public init(_ rows: HorizontalRows, isRightToLeft: Bool = false, contentMargins: ListInsets = ListInsets()) {
    self.init(
      isRightToLeft ? .rightToLeft : .horizontal, contentMargins, length: rows.contentWidth,
      rows: { rows.rows(overlapping: $0, $1, leading: $2) }, start: { rows.offset(of: $0) },
      length: { rows.width(of: $0) })
  }

  /// Returns the position of a row on the screen: the points from the top of the viewport to that of the row, or from the left
  /// edge to that of the row.
  ///
  /// - Parameters:
  ///   - offset: The offset of the viewport.
  ///   - viewport: The length of the viewport along the axis in points.
  public func screenPosition(of row: Int, offset: Double, viewport: Double) -> Double {
    switch axis {
    case .vertical, .horizontal: start(row) - offset
    case .inverted: viewport - (start(row) + length(row) - offset)
    case .rightToLeft: contentLength - (start(row) + length(row)) - offset
    }
  }
}
