extension ListDiff {
  /// A row of the old list that stays where it is on the screen while the list is replaced.
  public enum Anchor: Equatable, Sendable {
    /// The first row of the old list with the id.
    case row(Int)
    /// Only the new list has the id.
    case inserted
    /// No list has the id.
    case unknown
  }

  /// Returns the anchor with an id.
  ///
  /// - Throws: `TableError` if a table is damaged.
  public func anchor(withID id: String) throws(TableError) -> Anchor {
    if let row = try old.heights.firstRow(withID: id) { return .row(row) }
    return try new.heights.firstRow(withID: id) == nil ? .unknown : .inserted
  }

  /// Returns the offset of the new list at which an old row has the position on the screen that it had at an offset of the old
  /// list. If the row was removed, the next row above that is left is used instead, or else the next one below.
  ///
  /// - Returns: The offset in points, which may be outside of the new list, or nil if no row of the old list is left.
  public func offset(keeping anchor: Int, at offset: Double) -> Double? {
    let rows = matching.newRows
    let isLeft = { (row: Int) in rows[row] != RowMatching.none }
    guard let row = (0...anchor).last(where: isLeft) ?? (anchor..<rows.count).first(where: isLeft) else { return nil }
    return offset - old.heights.offset(of: row) + new.heights.offset(of: Int(rows[row]))
  }
}
