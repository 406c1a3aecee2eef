import Buffers
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
      } else if let found = index.firstRow(withID: id, where: { newRows[$0] == Self.none }) {
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

/// The rows of a list by their ids, whose bytes stay in the list's table. It takes about 45 bytes a row.
private struct RowIndex {
  /// The first row that has an id and may be unmatched.
  private var rows: [ByteString: Int32]
  /// The next row with the same id, or `none`.
  private var following: [Int32]
  /// Whether a row before this one has the same id.
  private(set) var isRepetition: [Bool]

  /// - Parameter first: The first row that is added.
  init(_ heights: Heights, from first: Int) throws(TableError) {
    rows = Dictionary(minimumCapacity: heights.rowCount - first)
    following = [Int32](repeating: RowMatching.none, count: heights.rowCount)
    isRepetition = [Bool](repeating: false, count: heights.rowCount)
    // From the last row to the first, so that the first row with an id ends up in the dictionary.
    for row in (first..<heights.rowCount).reversed() {
      let id = ByteString(try heights.idBytes(of: row))
      guard let next = rows.updateValue(Int32(truncatingIfNeeded: row), forKey: id) else { continue }
      following[row] = next
      isRepetition[Int(next)] = true
    }
  }

  /// Returns the first row with an id for which a condition holds. Rows for which it does not hold are never looked at
  /// again, except for the last one with the id.
  mutating func firstRow(withID id: UnsafeRawBufferPointer, where condition: (Int) -> Bool) -> Int? {
    let id = ByteString(id)
    guard let first = rows[id] else { return nil }
    var row = first
    while !condition(Int(row)) {
      guard following[Int(row)] != RowMatching.none else { return nil }
      row = following[Int(row)]
      rows[id] = row
    }
    return Int(row)
  }
}

@inline(__always)
func haveEqualBytes(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
  guard a.count == b.count else { return false }
  guard let start = a.baseAddress, let other = b.baseAddress else { return true }
  return memcmp(start, other, a.count) == 0
}
