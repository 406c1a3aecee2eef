/// The numbers of rows that changed in one variant.
package struct DiffSummary: Encodable, Sendable {
  /// The name of the variant.
  let name: String
  let oldRows, newRows: Int
  package private(set) var inserted = 0
  package private(set) var removed = 0
  package private(set) var moved = 0
  package private(set) var changed = 0
  private var resized = 0
  /// The number of rows whose texts are drawn in another way; nil unless both runs have lines.
  package private(set) var redrawn: Int?

  package init(_ diff: ListDiff, of variant: String) {
    name = variant
    oldRows = diff.old.heights.rowCount
    newRows = diff.new.heights.rowCount
    redrawn = diff.old.hasLines && diff.new.hasLines ? 0 : nil
  }

  package mutating func note(_ row: RowChange) {
    if row.oldRow == nil { inserted += 1 }
    if row.newRow == nil { removed += 1 }
    if row.isMoved { moved += 1 }
    if row.isChanged { changed += 1 }
    if row.isResized { resized += 1 }
    if row.isRedrawn { redrawn = redrawn.map { $0 + 1 } }
  }

  package var text: String {
    "\(name): \(oldRows) rows before, \(newRows) after; \(inserted) inserted, \(removed) removed, \(moved) moved, "
      + "\(changed) changed, \(resized) resized" + (redrawn.map { ", \($0) redrawn" } ?? "")
  }
}
