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

  private var segments: [Segment] = []
  private var first = 0
  private var positions: [LinePosition] = []
  private var firstPosition = 0

  /// The segment that is next.
  var next: Segment? { first < segments.count ? segments[first] : nil }

  /// Adds rows at the end.
  mutating func add(_ compared: ComparedRows) {
    for segment in compared.segments {
      if first < segments.count { segments.extend(with: segment) } else { segments.append(segment) }
    }
    positions += compared.positions
  }

  /// Removes rows of the segment that is next.
  mutating func remove(_ count: Int) {
    switch segments[first] {
    case .taken(let rows) where rows.count > count: segments[first] = .taken(rows.lowerBound + count..<rows.upperBound)
    case .changed(let rows) where rows > count: segments[first] = .changed(rows - count)
    default: first += 1
    }
    Self.release(&segments, &first)
  }

  /// Removes and returns the position of the next row that is laid out.
  mutating func removePosition() -> LinePosition {
    defer {
      firstPosition += 1
      Self.release(&positions, &firstPosition)
    }
    return positions[firstPosition]
  }

  /// Releases the removed elements at the beginning of an array, when they are half of it.
  private static func release<Element>(_ elements: inout [Element], _ first: inout Int) {
    guard first > 1024, first * 2 > elements.count else { return }
    elements.removeFirst(first)
    first = 0
  }
}

extension [RowPlan.Segment] {
  /// Adds a segment at the end, as a part of the last one if it continues that.
  mutating func extend(with segment: RowPlan.Segment) {
    switch (last, segment) {
    case (.taken(let rows), .taken(let more)) where rows.upperBound == more.lowerBound:
      self[count - 1] = .taken(rows.lowerBound..<more.upperBound)
    case (.changed(let rows), .changed(let more)): self[count - 1] = .changed(rows + more)
    default: append(segment)
    }
  }
}
