import Buffers

/// The order in which rows are taken from the tables of an earlier run and from new results.
struct RowPlan {
  /// A part of the rows of the later run that follow each other.
  enum Segment: Equatable, Sendable {
    /// Rows that follow each other in the earlier run too.
    case taken(Range<Int>)
    /// A number of rows that are laid out.
    case changed(Int)
  }

  private var segments: ArraySlice<Segment> = []
  private var positions: ArraySlice<LinePosition> = []

  var next: Segment? { segments.first }

  /// Adds rows at the end.
  mutating func add(_ compared: ComparedRows) {
    for segment in compared.segments { segments.extend(with: segment) }
    positions += compared.positions
  }

  /// Removes rows of the segment that is next.
  mutating func remove(_ count: Int) {
    let first = segments.startIndex
    switch segments[first] {
    case .taken(let rows) where rows.count > count: segments[first] = .taken(rows.lowerBound + count..<rows.upperBound)
    case .changed(let rows) where rows > count: segments[first] = .changed(rows - count)
    default: segments.removeFirst()
    }
  }

  /// Removes and returns the position of the next row that is laid out.
  mutating func removePosition() -> LinePosition { positions.removeFirst() }
}

extension ArraySlice<RowPlan.Segment> {
  /// Adds a segment at the end, as a part of the last one if it continues that.
  mutating func extend(with segment: RowPlan.Segment) {
    switch (last, segment) {
    case (.taken(let rows), .taken(let more)) where rows.upperBound == more.lowerBound:
      self[endIndex - 1] = .taken(rows.lowerBound..<more.upperBound)
    case (.changed(let rows), .changed(let more)): self[endIndex - 1] = .changed(rows + more)
    default: append(segment)
    }
  }
}
