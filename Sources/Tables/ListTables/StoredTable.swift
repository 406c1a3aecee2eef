import Buffers
import TableFormats

/// An Arrow file with the places of the columns that its reader needs.
struct StoredTable: Sendable {
  let file: TableFile
  let schema: ArrowSchema
  /// The positions of the table's records in its batches.
  let index: BatchIndex
  /// The columns that Galley reads, in each batch.
  private let batches: [[StoredColumn]]
  /// The names to which the dictionary columns refer by number, in the order of these columns.
  let dictionaries: [[String]]

  /// - Parameters:
  ///   - formats: The columns of the table, which the file must have.
  ///   - remedy: How the file is made again.
  /// - Throws: `TableError` for a file that cannot be read, is not complete, or has other columns.
  init(_ path: String, _ formats: [ColumnFormat], remedy: String = TableError.remedy) throws(TableError) {
    let file = try TableFile(path)
    let arrow: ArrowFileReader
    do throws(ArrowFormatError) {
      arrow = try ArrowFileReader(size: file.size) { (range) throws(ArrowFormatError) in
        do throws(TableError) { return try file.bytes(range) } catch { throw ArrowFormatError(error.reason) }
      }
    } catch {
      // A file that is being replaced has parts of two tables.
      try file.check()
      throw TableError.damaged(path, error.reason, remedy: remedy)
    }
    try file.check()
    var indices: [Int?] = []
    for column in formats where !column.isDerived {
      let index = arrow.schema.fields.firstIndex { Self.matches($0, column) }
      guard index != nil || (column.isLater && !arrow.schema.fields.contains { $0.name == column.name }) else {
        throw TableError(
          path,
          "has no column \"\(column.name)\" of the type that this version of Galley writes; another version or another "
            + "program wrote it: \(remedy)")
      }
      indices.append(index)
    }
    var dictionaries: [[String]] = []
    for index in indices.compactMap(\.self) {
      guard case .dictionary(let id, _) = arrow.schema.fields[index].type else { continue }
      do throws(ArrowFormatError) { dictionaries.append(try arrow.dictionary(id)) } catch {
        throw TableError.damaged(path, error.reason)
      }
    }
    self.file = file
    self.dictionaries = dictionaries
    schema = arrow.schema
    index = BatchIndex(counts: arrow.batches.map(\.rowCount))
    let types = formats.filter { !$0.isDerived }.map(\.type)
    batches = arrow.batches.map { batch in
      zip(indices, types).map { index, type in
        index.map { batch.columns[$0] } ?? StoredColumn(missing: type, rows: batch.rowCount)
      }
    }
  }

  /// The records of all lists of a column as a table of their own.
  ///
  /// - Parameter column: The index of the column among those that Galley reads.
  init(recordsOf column: Int, of table: StoredTable) {
    file = table.file
    schema = table.schema
    dictionaries = []
    let structures = (0..<table.index.batchCount).compactMap { table.columns(ofBatch: $0)[column].children.first }
    index = BatchIndex(counts: structures.map(\.rowCount))
    batches = structures.map(\.children)
  }

  /// A table without records, in the place of one that a run has not written.
  ///
  /// - Parameter file: Another file of the same run, which the errors name.
  init(withoutRecords file: TableFile) {
    self.file = file
    schema = ArrowSchema([])
    dictionaries = []
    index = BatchIndex(counts: [])
    batches = []
  }

  /// The checksum of the frames to which it belongs; nil if there are none, and in tables of earlier versions.
  var framesChecksum: String? { schema.metadata.value(of: TableMetadata.frames) }

  /// Returns the columns of a batch that Galley reads.
  func columns(ofBatch batch: Int) -> [StoredColumn] { batches[batch] }

  /// Returns the columns of a table by their names.
  ///
  /// - Parameter views: The columns that Galley reads, in their order.
  static func columns<Columns>(
    _ views: [ArrowColumnView], _ declare: ((ColumnFormat) -> ArrowColumnView) -> Columns
  ) -> Columns {
    var next = views.makeIterator()
    return declare { $0.isDerived ? .empty : next.next() ?? .empty }
  }

  /// Returns whether a column has the declared name and type. The number of a dictionary does not matter.
  private static func matches(_ field: ArrowField, _ other: ColumnFormat) -> Bool {
    guard field.name == other.name else { return false }
    if case .dictionary(_, let bits) = field.type, case .dictionary(_, let otherBits) = other.type {
      return bits == otherBits
    }
    return field.type == other.type
  }
}

/// A copy of a table in memory.
///
/// The memory never changes and is kept with the columns, so that they can be used from all threads.
struct LoadedTable<Columns>: @unchecked Sendable {
  let index: BatchIndex
  let batches: [Columns]
  private let memory: OwnedBytes

  /// - Parameter declare: The initializer of the table's columns.
  /// - Throws: `TableError` if the file has changed since it was opened.
  init(_ table: StoredTable, _ declare: ((ColumnFormat) -> ArrowColumnView) -> Columns) throws(TableError) {
    self.init(table, in: try table.file.copy(), declare)
  }

  /// - Parameters:
  ///   - memory: The bytes of the whole file.
  ///   - declare: The initializer of the table's columns.
  init(_ table: StoredTable, in memory: OwnedBytes, _ declare: ((ColumnFormat) -> ArrowColumnView) -> Columns) {
    self.memory = memory
    index = table.index
    batches = (0..<table.index.batchCount).map { batch in
      let views = table.columns(ofBatch: batch).map { ArrowColumnView($0, in: memory.bytes) }
      return StoredTable.columns(views, declare)
    }
  }

  /// Calls `body` with the columns of each batch that has some of the records, and with the indices of these in it.
  @inline(__always)
  func forEachRun<Failure>(
    _ records: Range<Int>, _ body: (_ columns: Columns, _ indices: Range<Int>) throws(Failure) -> Void
  ) throws(Failure) {
    try index.forEachRun(records) { (batch, indices) throws(Failure) in try body(batches[batch], indices) }
  }
}
