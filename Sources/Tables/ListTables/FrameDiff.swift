import TableFormats

/// A comparison of the frames in two tables, which number the names of nodes and types each in their own way.
///
/// Positions and sizes are equal if their bits are.
struct FrameDiff: Sendable {
  let old, new: Frames
  private let nodes, types: NameMapping

  init(_ old: Frames, _ new: Frames) {
    self.old = old
    self.new = new
    nodes = NameMapping(old.nodes, new.nodes)
    types = NameMapping(old.types, new.types)
  }

  /// Returns whether two ranges of frames have the same nodes in the same order with equal values in all columns.
  func areEqual(
    _ oldFrames: Range<Int>, _ newFrames: Range<Int>, _ cursors: RowCursors
  ) throws(TableError) -> Bool {
    guard oldFrames.count == newFrames.count else { return false }
    var areEqual = true
    var next = newFrames.lowerBound
    try cursors.old.forEachRun(oldFrames) { (oldColumns, oldIndices) throws(TableError) in
      // The two tables begin their batches at different rows.
      var first = oldIndices.lowerBound
      try cursors.new.forEachRun(next..<next + oldIndices.count) { newColumns, newIndices in
        areEqual =
          areEqual && self.areEqual(oldColumns, first, newColumns, newIndices.lowerBound, count: newIndices.count)
        first += newIndices.count
      }
      next += oldIndices.count
    }
    return areEqual
  }

  private func areEqual(
    _ old: Frames.Columns, _ oldIndex: Int, _ new: Frames.Columns, _ newIndex: Int, count: Int
  ) -> Bool {
    func haveEqualValues<Number: BitwiseCopyable & Numeric>(
      _ oldColumn: Column<Number, ArrowColumnView>, _ newColumn: Column<Number, ArrowColumnView>
    ) -> Bool {
      haveEqualBytes(
        oldColumn.bytes(oldIndex..<oldIndex + count), newColumn.bytes(newIndex..<newIndex + count))
    }
    // Columns that change most often come first.
    return haveEqualValues(old.rect.y, new.rect.y) && haveEqualValues(old.rect.height, new.rect.height)
      && haveEqualValues(old.rect.x, new.rect.x) && haveEqualValues(old.rect.width, new.rect.width)
      && haveEqualValues(old.parent, new.parent) && haveEqualValues(old.lines, new.lines)
      && (0..<count).allSatisfy { old.truncated[oldIndex + $0] == new.truncated[newIndex + $0] }
      && (nodes.isIdentity
        ? haveEqualValues(old.node, new.node)
        : (0..<count).allSatisfy {
          nodes.newNumber(of: old.node[oldIndex + $0])
            == new.node[newIndex + $0]
        })
      && (types.isIdentity
        ? haveEqualValues(old.type, new.type)
        : (0..<count).allSatisfy {
          types.newNumber(of: Int32(old.type[oldIndex + $0]))
            == Int32(new.type[newIndex + $0])
        })
  }

  // MARK: Identity of nodes

  /// Returns a number for each of the old frames that is equal for nodes of the same name and type in both tables.
  func identities(ofOld frames: Range<Int>, _ cursors: RowCursors) throws(TableError) -> [UInt64] {
    try identities(of: frames, cursors.old) { (nodes.newNumber(of: $0), types.newNumber(of: $1)) }
  }

  /// Returns a number for each of the new frames that is equal for nodes of the same name and type in both tables.
  func identities(ofNew frames: Range<Int>, _ cursors: RowCursors) throws(TableError) -> [UInt64] {
    try identities(of: frames, cursors.new) { ($0, $1) }
  }

  private func identities(
    of range: Range<Int>, _ cursor: TableCursor<Frames.Columns>,
    _ numbers: (Int32, Int32) -> (node: Int32, type: Int32)
  ) throws(TableError) -> [UInt64] {
    var identities: [UInt64] = []
    identities.reserveCapacity(range.count)
    try cursor.forEachRun(range) { columns, indices in
      for index in indices {
        let numbers = numbers(
          columns.node[index], Int32(columns.type[index]))
        identities.append(
          UInt64(UInt32(bitPattern: numbers.node)) << 32 | UInt64(UInt32(bitPattern: numbers.type)))
      }
    }
    return identities
  }
}

/// The readers of the rows of two tables, for one thread.
package struct RowCursors {
  let old, new: TableCursor<Frames.Columns>
  /// The readers of texts, if both tables have lines.
  let texts: (old: TextCursors, new: TextCursors)?

  init(_ old: MappedTables, _ new: MappedTables) {
    (self.old, self.new) = (old.frames.cursor(), new.frames.cursor())
    texts = if let old = old.textCursors(), let new = new.textCursors() { (old, new) } else { nil }
  }
}

/// The numbers of one dictionary's names in another one.
private struct NameMapping: Sendable {
  /// Whether no number has to be converted, because one dictionary is the beginning of the other.
  let isIdentity: Bool
  private let newNumbers: [Int32]

  init(_ old: [String], _ new: [String]) {
    isIdentity = zip(old, new).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
    let numbers = Dictionary(zip(new.map { UTF8Key($0) }, 0...), uniquingKeysWith: { first, _ in first })
    // A name that the new dictionary lacks gets a number of its own.
    newNumbers = old.indices.map { Int32(truncatingIfNeeded: numbers[UTF8Key(old[$0])] ?? new.count + $0) }
  }

  /// Returns the number of a name in the new dictionary. Numbers of a damaged file that stand for no name are negative.
  func newNumber(of number: Int32) -> Int32 {
    newNumbers.indices.contains(Int(number)) ? newNumbers[Int(number)] : Int32.min
  }
}
