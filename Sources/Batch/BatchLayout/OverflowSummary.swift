/// A summary of the findings in many rows, with one entry for each element of a cells file.
public struct OverflowSummary {
  /// An element that did not fit in some rows.
  public struct Entry {
    /// The row's cell class, or empty for inline layouts.
    public let cell: String
    /// The number of rows in which it did not fit.
    public fileprivate(set) var rows = 0
    /// The finding with the most points, and the number and position of its row.
    public fileprivate(set) var worst: OverflowFinding
    public fileprivate(set) var worstRow: UInt64
    public fileprivate(set) var worstPosition: String

    /// The path of the element: `cells`, `PostCell`, `layout`, `children`, `2`. The path in an inline layout begins
    /// with `layout`.
    public var path: [String] { cell.isEmpty ? worst.path : ["cells", cell] + worst.path }

    /// The message for all rows: `…; 18 rows, row 3 by 267 pt at most`.
    public var message: String {
      let count = rows == 1 ? "1 row" : "\(rows) rows"
      let points = OverflowFinding.format(worst.points)
      return "\(worst.messageWithoutPoints); \(count), row \(worstRow) by \(points) pt at most"
    }
  }

  private struct Key: Hashable {
    let cell: String
    let path: [String]
    let kind: OverflowFinding.Kind
  }

  private var entries: [Key: Entry] = [:]

  public init() {}

  /// Adds the findings of one row. Each element counts once for the row.
  public mutating func add(_ findings: [OverflowFinding], cell: String, row: UInt64, position: String) {
    var seen: Set<Key> = []
    for finding in findings {
      let key = Key(cell: cell, path: finding.path, kind: finding.kind)
      var entry = entries[key] ?? Entry(cell: cell, worst: finding, worstRow: row, worstPosition: position)
      if seen.insert(key).inserted { entry.rows += 1 }
      if finding.points > entry.worst.points {
        (entry.worst, entry.worstRow, entry.worstPosition) = (finding, row, position)
      }
      entries[key] = entry
    }
  }

  /// All elements that did not fit, in the order of their paths.
  public var all: [Entry] {
    entries.values.sorted {
      $0.path == $1.path ? "\($0.worst.kind)" < "\($1.worst.kind)" : $0.path.lexicographicallyPrecedes($1.path)
    }
  }
}
