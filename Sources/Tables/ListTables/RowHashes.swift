import TableFormats

/// The hashes of a run's rows: a copy of hashes.arrow in memory.
package struct RowHashes: Sendable {
  package let file: TableFile
  private let table: LoadedTable<HashColumns<ArrowColumnView>>

  /// - Parameter path: The path of hashes.arrow.
  /// - Throws: `TableError` for a file that cannot be read, is damaged, or is of another version.
  package init(_ path: String) throws(TableError) {
    let stored = try StoredTable(path, columnFormats(HashColumns.init))
    file = stored.file
    table = try LoadedTable(stored, HashColumns.init)
  }

  package var count: Int { table.index.recordCount }

  /// Returns the two halves of a row's hash.
  @inline(__always)
  package func hash(of row: Int) -> (low: UInt64, high: UInt64) {
    let (batch, index) = table.index.position(of: row)
    return (table.batches[batch].low[index], table.batches[batch].high[index])
  }
}
