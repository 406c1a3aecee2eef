import Buffers
import Hashing

/// An index of the rows of an earlier run by their hashes.
///
/// Most rows of a later run follow each other as in the earlier one, so that the next row is tried first; the hash table
/// is built when that fails for the first time.
struct BaseIndex: ~Copyable {
  private let base: BaseTables
  /// The row that follows the one that was found last.
  private var next = 0
  /// The number of rows that were not found since then. As many rows of the earlier run may have been changed.
  private var misses = 0
  /// The slots of an open hash table: the number of a row + 1, or 0 for an empty slot.
  private var slots: FlatBuffer<UInt32>

  init(_ base: BaseTables) {
    self.base = base
    slots = FlatBuffer<UInt32>()
  }

  /// Returns a row of the earlier run that can be taken over and has the same bytes as a row with this hash, or nil.
  mutating func find(_ hash: RowHash) -> Int? {
    let isNext = isRow(next, hash)
    if isNext || isRow(next + misses, hash) {
      let row = isNext ? next : next + misses
      return base.canTake(row) ? found(row) : miss()
    }
    guard let row = search(hash), base.canTake(row) else { return miss() }
    return found(row)
  }

  private func isRow(_ row: Int, _ hash: RowHash) -> Bool {
    row < base.rowCount && base.hash(of: row).hasSameBytes(as: hash)
  }

  private mutating func found(_ row: Int) -> Int {
    next = row + 1
    misses = 0
    return row
  }

  private mutating func miss() -> Int? {
    misses += 1
    return nil
  }

  private mutating func search(_ hash: RowHash) -> Int? {
    if slots.count == 0 { build() }
    var slot = Int(truncatingIfNeeded: hash.low) & (slots.count - 1)
    while slots[slot] != 0 {
      let row = Int(slots[slot] - 1)
      if base.hash(of: row).hasSameBytes(as: hash) { return row }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  private mutating func build() {
    var size = 16
    while size < 2 * base.rowCount { size *= 2 }
    slots.extend(by: size).update(repeating: 0, count: size)
    for row in 0..<base.rowCount {
      let hash = base.hash(of: row)
      guard hash.isKnown else { continue }
      var slot = Int(truncatingIfNeeded: hash.low) & (size - 1)
      var isRepeated = false
      while slots[slot] != 0, !isRepeated {
        isRepeated = base.hash(of: Int(slots[slot] - 1)).hasSameBytes(as: hash)
        if !isRepeated { slot = (slot + 1) & (size - 1) }
      }
      if !isRepeated { slots[slot] = UInt32(truncatingIfNeeded: row) + 1 }
    }
  }
}
