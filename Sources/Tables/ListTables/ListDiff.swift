/// A row that was inserted, removed, moved, or has other frames or texts.
public struct RowChange: Equatable, Sendable {
  /// The index of the row in the old list, or nil if the row was inserted.
  public let oldRow: Int?
  /// The index of the row in the new list, or nil if the row was removed.
  public let newRow: Int?
  /// Whether a row of both lists has to be moved. The number of moved rows is the least possible.
  public let isMoved: Bool
  /// Whether a row of both lists has another width or height.
  public let isResized: Bool
  /// Whether a row of both lists has another width, height or frame of a node.
  public let isChanged: Bool
  /// Whether a row of both lists has a text that is drawn in another way: with other characters, fonts or lines. It is false
  /// unless both tables have lines.
  public internal(set) var isRedrawn = false
}

/// The difference between two tables of a list: the rows that were inserted, removed and moved, and those whose frames
/// are other ones.
///
/// Rows are matched by their ids, equal ids in the order in which they occur. Where one of the tables has no frames, only
/// widths and heights are compared. The cost is linear in the size of the tables, apart from searching among the rows that
/// were moved.
public struct ListDiff: Sendable {
  public let old: MappedTables
  public let new: MappedTables
  let matching: RowMatching
  /// The order of the matched rows.
  private let order: SequenceDiff
  /// Whether the frames of nodes are compared, which both tables have then.
  public let hasFrames: Bool
  private let frames: FrameDiff

  /// Matches the rows of two tables of one variant.
  ///
  /// - Throws: `TableError` if a table is damaged, or has more than 2,147,483,646 rows.
  public init(from old: MappedTables, to new: MappedTables) throws(TableError) {
    self.old = old
    self.new = new
    matching = try RowMatching(old.heights, new.heights)
    order = SequenceDiff(newIndices: matching.newRows)
    hasFrames = old.hasFrames && new.hasFrames
    frames = FrameDiff(old.frames, new.frames)
  }

  // MARK: Rows

  /// Calls `body` with each row that was inserted, removed, moved, or has other frames or texts: first the removed ones by their
  /// old rows, then the others by their new rows. A row that has another position only because rows above it changed is
  /// not among them.
  ///
  /// If the removed and the moved rows are taken out of the old list, and then the inserted and the moved rows are
  /// inserted in the order of their new rows, each at its new row, the result is the order of the new list.
  ///
  /// - Throws: `TableError` if a table is damaged, and what `body` throws.
  public func forEachRow(_ body: (RowChange) throws -> Void) throws {
    for (oldRow, newRow) in matching.newRows.enumerated() where newRow == RowMatching.none {
      try body(RowChange(oldRow: oldRow, newRow: nil, isMoved: false, isResized: false, isChanged: false))
    }
    let cursors = self.cursors()
    for (newRow, oldRow) in matching.oldRows.enumerated() {
      guard oldRow != RowMatching.none else {
        try body(RowChange(oldRow: nil, newRow: newRow, isMoved: false, isResized: false, isChanged: false))
        continue
      }
      let oldRow = Int(oldRow)
      let isMoved = !order.isCommon[oldRow]
      let isResized =
        old.heights.height(of: oldRow).bitPattern != new.heights.height(of: newRow).bitPattern
        || old.heights.width(of: oldRow).bitPattern != new.heights.width(of: newRow).bitPattern
      let hasOtherFrames = try hasFrames && hasOtherFrames(oldRow, newRow, cursors)
      let isChanged = isResized || hasOtherFrames
      let isRedrawn = try cursors.texts.map { try $0.old.hash(of: oldRow) != $0.new.hash(of: newRow) } ?? false
      if isMoved || isChanged || isRedrawn {
        try body(
          RowChange(
            oldRow: oldRow, newRow: newRow, isMoved: isMoved, isResized: isResized, isChanged: isChanged,
            isRedrawn: isRedrawn))
      }
    }
  }

  private func hasOtherFrames(_ oldRow: Int, _ newRow: Int, _ cursors: RowCursors) throws(TableError) -> Bool {
    let (oldFrames, newFrames) = (try old.heights.frames(of: oldRow), try new.heights.frames(of: newRow))
    return try !frames.areEqual(oldFrames, newFrames, cursors)
  }

  /// Returns the bytes of a row's id, as UTF-8.
  ///
  /// - Throws: `TableError` if a table is damaged at this place.
  public func id(of row: RowChange) throws(TableError) -> UnsafeRawBufferPointer {
    if let newRow = row.newRow { return try new.heights.idBytes(of: newRow) }
    if let oldRow = row.oldRow { return try old.heights.idBytes(of: oldRow) }
    return UnsafeRawBufferPointer(start: nil, count: 0)
  }

  // MARK: Nodes

  /// Returns the nodes of a row that were inserted, removed, moved, resized or redrawn; none for a row that was inserted or
  /// removed.
  ///
  /// - Throws: `TableError` if a table is damaged at this place, or has changed since it was opened.
  public func nodes(of row: RowChange) throws(TableError) -> [NodeChange] {
    try nodes(of: row, cursors())
  }

  /// Returns readers with which the nodes of many rows are found fast, if the rows are in their order.
  package func cursors() -> RowCursors { RowCursors(old, new) }

  package func nodes(of row: RowChange, _ cursors: RowCursors) throws(TableError) -> [NodeChange] {
    guard hasFrames, row.isChanged || row.isRedrawn, let oldRow = row.oldRow, let newRow = row.newRow else { return [] }
    let (oldFrames, newFrames) = (try old.heights.frames(of: oldRow), try new.heights.frames(of: newRow))
    let oldIdentities = try frames.identities(ofOld: oldFrames, cursors)
    let newIdentities = try frames.identities(ofNew: newFrames, cursors)
    let oldNodes = try old.frames.frames(oldFrames, cursors.old)
    let newNodes = try new.frames.frames(newFrames, cursors.new)
    let oldTexts = row.isRedrawn ? try cursors.texts?.old.texts(of: oldRow, oldNodes) : nil
    let newTexts = row.isRedrawn ? try cursors.texts?.new.texts(of: newRow, newNodes) : nil
    return NodeDiff.changes(oldNodes, oldIdentities, newNodes, newIdentities) { oldTexts?[$0] != newTexts?[$1] }
  }
}
