/// A set of rows as ranges, which are in ascending order and do not overlap.
///
/// Rows below each other are always one range. Rows in several columns may be more.
public struct RowRanges: Equatable, Sendable {
  /// The first range. If there are no rows, it is empty and begins where rows would begin.
  public let first: Range<Int>
  /// The ranges behind the first, none of which is empty.
  public let others: [Range<Int>]

  public init(_ first: Range<Int>, _ others: [Range<Int>] = []) {
    self.first = first
    self.others = others
  }

  static let none = RowRanges(0..<0)

  public var isEmpty: Bool { first.isEmpty && others.isEmpty }

  /// The ranges that are not empty.
  public var ranges: [Range<Int>] { first.isEmpty ? others : [first] + others }

  func contains(_ row: Int) -> Bool { first.contains(row) || others.contains { $0.contains(row) } }

  /// Returns these rows and another one.
  func inserting(_ row: Int) -> RowRanges {
    guard !contains(row) else { return self }
    var merged: [Range<Int>] = []
    for range in (ranges + [row..<row + 1]).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      merged.join(range)
    }
    return RowRanges(merged[0], Array(merged.dropFirst()))
  }
}

extension [Range<Int>] {
  /// Appends a range behind the others, as a part of the last one if fewer than `gap` numbers lie between them.
  @inline(__always)
  mutating func join(_ range: Range<Int>, gap: Int = 1) {
    if let last, range.lowerBound - last.upperBound < gap {
      self[count - 1] = last.lowerBound..<range.upperBound
    } else {
      append(range)
    }
  }

  /// Returns what these ranges have that others do not have. Both are in ascending order.
  func subtracting(_ removed: [Range<Int>]) -> [Range<Int>] {
    var next = 0
    var left: [Range<Int>] = []
    for range in self {
      var start = range.lowerBound
      while next < removed.count, removed[next].upperBound <= start { next += 1 }
      var index = next
      while index < removed.count, removed[index].lowerBound < range.upperBound {
        if start < removed[index].lowerBound { left.append(start..<removed[index].lowerBound) }
        start = Swift.max(start, removed[index].upperBound)
        index += 1
      }
      if start < range.upperBound { left.append(start..<range.upperBound) }
    }
    return left
  }
}
