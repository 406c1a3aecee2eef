import Buffers
import TableFormats

/// The row of each record of a table, in memory, because searches use it.
struct RecordRows: Sendable {
  private let memory: OwnedBytes
  private let count: Int

  /// - Parameter table: A table whose first column is that of the rows.
  /// - Throws: `TableError` if the file has changed since it was opened, or cannot be read.
  init(_ table: StoredTable) throws(TableError) {
    let size = MemoryLayout<UInt64>.size
    count = table.index.recordCount
    memory = try OwnedBytes(filling: count * size) { (memory) throws(TableError) in
      var end = 0
      for batch in 0..<table.index.batchCount {
        let count = table.index.count(ofBatch: batch) * size
        let values = table.columns(ofBatch: batch)[0].values
        try table.file.read(
          values.prefix(count), into: UnsafeMutableRawBufferPointer(rebasing: memory[end..<end + count]))
        end += count
      }
      try table.file.check()
    }
  }

  @inline(__always)
  subscript(record: Int) -> UInt64 {
    memory.withBytes { $0.loadUnaligned(fromByteOffset: record * MemoryLayout<UInt64>.size, as: UInt64.self) }
  }

  /// Returns the indices in the table of the records that some rows have. The cost is the logarithm of the number of
  /// records.
  func records(of rows: Range<Int>) -> Range<Int> {
    let first = firstRecord(ofRow: rows.lowerBound)
    return first..<max(first, firstRecord(ofRow: rows.upperBound))
  }

  private func firstRecord(ofRow row: Int) -> Int { partitionPoint(count) { self[$0] < UInt64(row) } }
}
