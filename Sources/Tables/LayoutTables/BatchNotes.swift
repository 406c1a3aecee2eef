import Buffers

/// What is noted about the rows of a run while their results are written: the first bad rows, and missing glyphs.
public struct BatchNotes: Sendable {
  /// A row that could not be laid out.
  public struct BadRow: Equatable, Sendable {
    public let row: UInt64
    /// The error with the position of the row: `line 17: …`.
    public let error: String
  }

  /// The largest number of bad rows that are kept to be listed.
  public static let maxListedBadRows = 5

  public private(set) var badRows: [BadRow] = []
  /// The missing glyphs of the first variant. Those of other variants differ only where texts depend on the width.
  public private(set) var missingGlyphs = MissingGlyphSummary()

  /// Notes the next rows, given as the columns of each variant. Of a row that is bad in several variants, the first one's error is kept.
  ///
  /// - Parameter first: The index in the job of the first row that is noted.
  mutating func note(_ tables: [JobTable], firstRow: UInt64, from first: Int = 0) {
    if let table = tables.first { missingGlyphs.note(table, firstRow: firstRow, from: first) }
    let limit = Self.maxListedBadRows - badRows.count
    guard limit > 0 else { return }
    var found: [BadRow] = []
    for table in tables where table.columns.errorBytes.count > 0 {
      var left = limit
      table.forEachError { row, error in
        guard row >= first && left > 0 else { return }
        left -= 1
        let number = firstRow + UInt64(row)
        if !found.contains(where: { $0.row == number }) { found.append(BadRow(row: number, error: error)) }
      }
    }
    badRows += found.sorted { $0.row < $1.row }.prefix(limit)
  }
}

extension JobTable {
  /// Calls `body` with the index in the job and the error of each bad row.
  func forEachError(_ body: (Int, String) -> Void) {
    var next = 0
    for row in 0..<rowCount {
      let error = columns.errorBytes.next(columns.errorLength[row], at: &next)
      if !error.isEmpty { body(row, error.string) }
    }
  }
}
