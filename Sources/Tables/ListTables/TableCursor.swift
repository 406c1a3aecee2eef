import TableFormats

/// A reader of a table's records that keeps those it read last. Only one thread uses the object.
///
/// What reads with it throws a `TableError` where the file is damaged, and if it has changed since it was opened.
///
/// - `Columns`: The columns of a table by their names.
package final class TableCursor<Columns> {
  private let window: TableWindow
  /// The number of records that are read at once when records are read in their order.
  private let recordsAhead: Int
  private let declare: ((ColumnFormat) -> ArrowColumnView) -> Columns
  private var columns: Columns?

  /// - Parameter declare: The initializer of the table's columns.
  init(
    _ table: StoredTable, recordsAhead: Int,
    _ declare: @escaping ((ColumnFormat) -> ArrowColumnView) -> Columns
  ) {
    window = TableWindow(table)
    self.recordsAhead = recordsAhead
    self.declare = declare
  }

  /// Calls `body` with the columns of some records in each batch, and with the indices of the records in these columns. The
  /// columns are valid during the call.
  ///
  /// - Throws: `TableError` if the file has changed since it was opened, and what `body` throws.
  @inline(__always)
  package func forEachRun(
    _ records: Range<Int>, _ body: (_ columns: Columns, _ indices: Range<Int>) throws(TableError) -> Void
  ) throws(TableError) {
    // The columns refer to the memory of this object.
    defer { withExtendedLifetime(self) {} }
    try window.table.index.forEachRun(records) { (batch, indices) throws(TableError) in
      let columns = try load(indices, ofBatch: batch)
      let first = indices.lowerBound - window.records.lowerBound
      try body(columns, first..<first + indices.count)
    }
  }

  /// Reads records, so that they are there when parts of them are used.
  func load(_ records: Range<Int>) throws(TableError) {
    try forEachRun(records) { _, _ in }
  }

  private func load(_ indices: Range<Int>, ofBatch batch: Int) throws(TableError) -> Columns {
    if let columns, window.holds(indices, ofBatch: batch) { return columns }
    let last = window.batch == batch ? window.records : 0..<0
    let count = window.table.index.count(ofBatch: batch)
    // Records behind those that were read last are probably followed by others that are needed.
    let goesOn =
      !last.isEmpty && indices.upperBound > last.upperBound
      && indices.lowerBound < last.upperBound + recordsAhead
    let end = goesOn ? min(max(indices.upperBound, indices.lowerBound + recordsAhead), count) : indices.upperBound
    columns = nil
    try window.load(indices.lowerBound..<end, ofBatch: batch)
    let columns = StoredTable.columns(window.columns, declare)
    self.columns = columns
    return columns
  }
}
