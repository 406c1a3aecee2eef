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
  private var totals: DiffSummary

  init(from old: MappedTables, to new: MappedTables) throws {
    let diff = try ListDiff(from: old, to: new)
    totals = DiffSummary(diff, of: VariantDirectory(new.path).name)
    try diff.forEachRow { change in
      totals.note(change)
      guard let row = change.newRow else { return }
      guard let oldRow = change.oldRow else { return Self.list(row, in: &inserted) }
      if change.isMoved { Self.list(row, in: &moved) }
      if change.isChanged {
        let (before, after) = (old.heights.height(of: oldRow), new.heights.height(of: row))
        Self.list(Resized(row: row, oldHeight: before, height: after), in: &changed)
      }
      if change.isRedrawn { Self.list(row, in: &redrawn) }
    }
  }

  private static func list<Row>(_ row: Row, in rows: inout [Row]) {
    if rows.count < maxListed { rows.append(row) }
  }

  func append(to json: inout JSONText) {
    json.append(#"{"inserted":"#, inserted)
    json.append(#","removed":"#, totals.removed)
    json.append(#","moved":"#, moved)
    json.append(#","changed":"#, changed)
    json.append(#","redrawn":"#, redrawn)
    json.append(#","totals":{"inserted":"#, totals.inserted)
    json.append(#","removed":"#, totals.removed)
    json.append(#","moved":"#, totals.moved)
    json.append(#","changed":"#, totals.changed)
    json.append(#","redrawn":"#, totals.redrawn)
    json.append("}}")
  }
}
