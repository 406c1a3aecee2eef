import Buffers
import ListTables

/// What is different in a list since an earlier run: the numbers of all changes, and the first rows of each kind.
struct ListChanges: Sendable {
  /// The greatest number of rows of each kind.
  private static let maxListed = 1000

  private struct Resized: JSONWritable {
    let row: Int
    let oldHeight, height: Float

    func append(to json: inout JSONText) {
      json.append(#"{"row":"#, row)
      json.append(#","old_height":"#, oldHeight)
      json.append(#","height":"#, height)
      json.append("}")
    }
  }

  private var inserted: [Int] = []
  private var moved: [Int] = []
  private var changed: [Resized] = []
  private var redrawn: [Int] = []
  private var insertedCount = 0
  private var removedCount = 0
  private var movedCount = 0
  private var changedCount = 0
  /// The number of rows whose texts are drawn in another way; nil unless both runs have lines.
  private var redrawnCount: Int?

  init(from old: MappedTables, to new: MappedTables) throws {
    redrawnCount = old.hasLines && new.hasLines ? 0 : nil
    try ListDiff(from: old, to: new).forEachRow { change in
      guard let row = change.newRow else {
        removedCount += 1
        return
      }
      guard let oldRow = change.oldRow else {
        insertedCount += 1
        if inserted.count < Self.maxListed { inserted.append(row) }
        return
      }
      if change.isMoved {
        movedCount += 1
        if moved.count < Self.maxListed { moved.append(row) }
      }
      if change.isChanged {
        changedCount += 1
        if changed.count < Self.maxListed {
          changed.append(
            Resized(row: row, oldHeight: old.heights.height(of: oldRow), height: new.heights.height(of: row)))
        }
      }
      if change.isRedrawn {
        redrawnCount = redrawnCount.map { $0 + 1 }
        if redrawn.count < Self.maxListed { redrawn.append(row) }
      }
    }
  }

  func append(to json: inout JSONText) {
    json.append(#"{"inserted":"#, inserted)
    json.append(#","removed":"#, removedCount)
    json.append(#","moved":"#, moved)
    json.append(#","changed":"#, changed)
    json.append(#","redrawn":"#, redrawn)
    json.append(#","totals":{"inserted":"#, insertedCount)
    json.append(#","removed":"#, removedCount)
    json.append(#","moved":"#, movedCount)
    json.append(#","changed":"#, changedCount)
    json.append(#","redrawn":"#, redrawnCount)
    json.append("}}")
  }
}
