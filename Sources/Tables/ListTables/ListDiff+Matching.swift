import Foundation

/// The rows of two lists that are matched by their ids; equal ids are matched in the order in which they occur.
struct RowMatching: Sendable {
  /// The index of a row that the other list lacks.
  static let none = SequenceDiff.none
  /// The largest number of rows of a list.
  static let maxRows = Int(Int32.max) - 1

  /// The row of the old list that each row of the new one is matched with, or `none`.
  private(set) var oldRows: [Int32]
  /// The row of the new list that each row of the old one is matched with, or `none`.
  private(set) var newRows: [Int32]

  init(_ old: Heights, _ new: Heights) throws(TableError) {
    for heights in [old, new] where heights.rowCount > Self.maxRows {
      throw TableError(
        heights.path, "has \(heights.rowCount) rows, but lists can be compared up to \(Self.maxRows); split the list")
    }
    oldRows = [Int32](repeating: Self.none, count: new.rowCount)
    newRows = [Int32](repeating: Self.none, count: old.rowCount)

    // Rows at the beginning that have the same ids need no index.
    var next = 0
    while next < min(old.rowCount, new.rowCount), haveEqualBytes(try old.idBytes(of: next), try new.idBytes(of: next)) {
      match(next, next)
      next += 1
    }
    guard next < old.rowCount, next < new.rowCount else { return }
    var index = try RowIndex(old, from: next)
    for row in next..<new.rowCount {
      let id = try new.idBytes(of: row)
      if next < old.rowCount, newRows[next] == Self.none, !index.isRepetition[next],
        haveEqualBytes(try old.idBytes(of: next), id)
      {
        // Most rows follow the row that they followed before.
        match(next, row)
      } else if let found = try index.firstRow(withID: id, in: old, where: { newRows[$0] == Self.none }) {
        match(found, row)
        next = found
      } else {
        continue
      }
      next += 1
    }
  }

  private mutating func match(_ old: Int, _ new: Int) {
    oldRows[new] = Int32(truncatingIfNeeded: old)
    newRows[old] = Int32(truncatingIfNeeded: new)
  }
}

/// A hash table from ids to the rows that have them, with flat arrays. It takes about 20 bytes a row.
private struct RowIndex {
  private struct Slot {
    var hash: UInt32 = 0
    /// The first row that has the id and may be unmatched, or `none` for an empty slot.
    var row = RowMatching.none
  }

  private var slots: [Slot]
  /// The next row with the same id, or `none`.
  private var following: [Int32]
  /// Whether a row before this one has the same id.
  private(set) var isRepetition: [Bool]

  /// - Parameter first: The first row that is added.
  init(_ heights: Heights, from first: Int) throws(TableError) {
    let count = heights.rowCount - first
    slots = [Slot](repeating: Slot(), count: max(16, 1 << (Int.bitWidth - (2 * count - 1).leadingZeroBitCount)))
    following = [Int32](repeating: RowMatching.none, count: heights.rowCount)
    isRepetition = [Bool](repeating: false, count: heights.rowCount)
    // From the last row to the first, so that the first row with an id ends up in the slot.
    var row = heights.rowCount
    while row > first {
      row -= 1
      let id = try heights.idBytes(of: row)
      let hash = Self.hash(id)
      let slot = try self.slot(of: id, hash, in: heights)
      if slots[slot].row != RowMatching.none {
        following[row] = slots[slot].row
        isRepetition[Int(slots[slot].row)] = true
      }
      slots[slot] = Slot(hash: hash, row: Int32(truncatingIfNeeded: row))
    }
  }

  /// Returns the first row with an id for which a condition holds. Rows for which it does not hold are never looked at
  /// again, except for the last one with the id.
  mutating func firstRow(
    withID id: UnsafeRawBufferPointer, in heights: Heights, where condition: (Int) -> Bool
  ) throws(TableError) -> Int? {
    let slot = try self.slot(of: id, Self.hash(id), in: heights)
    while slots[slot].row != RowMatching.none {
      let row = Int(slots[slot].row)
      if condition(row) { return row }
      guard following[row] != RowMatching.none else { return nil }
      slots[slot].row = following[row]
    }
    return nil
  }

  /// Returns the slot that has an id, or the empty slot to which it belongs.
  private func slot(
    of id: UnsafeRawBufferPointer, _ hash: UInt32, in heights: Heights
  ) throws(TableError) -> Int {
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot].row != RowMatching.none {
      if slots[slot].hash == hash, haveEqualBytes(try heights.idBytes(of: Int(slots[slot].row)), id) { return slot }
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  /// Returns a hash that is seeded for each process, so that nobody can choose ids that have equal hashes.
  private static func hash(_ id: UnsafeRawBufferPointer) -> UInt32 {
    var hasher = Hasher()
    hasher.combine(bytes: id)
    return UInt32(truncatingIfNeeded: hasher.finalize())
  }
}

@inline(__always)
func haveEqualBytes(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
  guard a.count == b.count else { return false }
  guard let start = a.baseAddress, let other = b.baseAddress else { return true }
  return memcmp(start, other, a.count) == 0
}
