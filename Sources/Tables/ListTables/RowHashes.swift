import ArrowFormat

/// The hashes of a run's rows: the mapped hashes.arrow.
package struct RowHashes: Sendable {
  private let file: MappedFile
  private let index: BatchIndex
  private let batches: [Batch]

  /// The columns of one batch.
  ///
  /// It only reads memory that never changes and that `file` keeps, so that it can be used from all threads.
  private struct Batch: @unchecked Sendable {
    let low, high: ArrowColumnView
  }

  /// - Parameter path: The path of hashes.arrow.
  /// - Throws: `TableError` for a file that cannot be read, is damaged, or is of another version.
  package init(_ path: String) throws(TableError) {
    let table = try MappedTable(
      path,
      columns: [ArrowField(name: "hash_low", type: .uint64), ArrowField(name: "hash_high", type: .uint64)])
    file = table.file
    index = BatchIndex(counts: table.arrow.batches.map(\.rowCount))
    batches = table.arrow.batches.map { Batch(low: table.column(0, in: $0), high: table.column(1, in: $0)) }
  }

  /// The bytes of the file.
  package var bytes: UnsafeRawBufferPointer { file.bytes }
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
