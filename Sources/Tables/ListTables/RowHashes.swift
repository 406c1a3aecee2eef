import ArrowFormat

/// The hashes of a run's rows: a copy of hashes.arrow in memory.
package struct RowHashes: Sendable {
  package let file: TableFile
  private let memory: CopiedBytes
  private let index: BatchIndex
  private let batches: [Batch]

  /// The columns of one batch.
  ///
  /// It only reads memory that never changes and that `memory` keeps, so that it can be used from all threads.
  private struct Batch: @unchecked Sendable {
    let low, high: ArrowColumnView
  }

  /// - Parameter path: The path of hashes.arrow.
  /// - Throws: `TableError` for a file that cannot be read, is damaged, or is of another version.
  package init(_ path: String) throws(TableError) {
    let table = try StoredTable(
      path,
      columns: [ArrowField(name: "hash_low", type: .uint64), ArrowField(name: "hash_high", type: .uint64)])
    let loaded = try table.load()
    file = table.file
    memory = loaded.memory
    index = table.index
    batches = loaded.batches.map { Batch(low: $0[0], high: $0[1]) }
  }

  /// The number of rows.
  package var count: Int { index.recordCount }

  /// Returns the two halves of a row's hash.
  @inline(__always)
  package func hash(of row: Int) -> (low: UInt64, high: UInt64) {
    let (batch, index) = index.position(of: row)
    return (
      batches[batch].low.number(at: index, as: UInt64.self), batches[batch].high.number(at: index, as: UInt64.self)
    )
  }
}
