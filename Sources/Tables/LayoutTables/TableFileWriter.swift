import TableFormats

/// The writer of a table's file. Its columns are filled record by record, and written when a batch is full.
struct TableFileWriter<Columns>: ~Copyable {
  private let batch: TableBatch<Columns>
  private var file: ArrowFileWriter
  /// The number of records in a batch. It is fixed, so that the file does not depend on how the rows were split into
  /// jobs.
  private let batchSize: Int
  /// The number of records that were appended and are not written yet.
  private var count = 0
  private var hasBatches = false
  /// The dictionaries that are not written yet.
  private var dictionaries: [Int64]

  /// - Parameters:
  ///   - metadata: The metadata of the table's schema.
  ///   - lists: The records of the columns of lists, which are removed with those of the table when a batch is written.
  ///   - declare: The initializer of the table's columns.
  init(
    creating path: String, batchSize: Int, metadata: [ArrowMetadataEntry] = [], lists: [RecordBatch] = [],
    _ declare: ((ColumnFormat) -> UnsafeMutablePointer<ColumnBuffer>) -> Columns
  ) throws(OutputError) {
    let batch = TableBatch(lists: lists, declare)
    file = try ArrowFileWriter(creating: path, ArrowSchema(batch.formats.map(\.field), metadata: metadata))
    dictionaries = batch.formats.compactMap { format in
      if case .dictionary(let id, _) = format.type { id } else { nil }
    }
    self.batch = batch
    self.batchSize = batchSize
  }

  var columns: Columns { batch.columns }
  var size: Int64 { file.size }
  var checksum: UInt64 { file.checksum }

  /// The number of records for which the batch has room.
  var room: Int { batchSize - count }

  /// Counts records whose values were appended to all columns.
  mutating func endRecords(_ added: Int = 1) throws(OutputError) {
    count += added
    if count == batchSize || batch.isFull { try flush() }
  }

  /// Writes the names to which the next dictionary column refers, after all records.
  mutating func write(names: borrowing NameTable) throws(OutputError) {
    try writeLastBatch()
    try file.write(dictionary: dictionaries.removeFirst(), names)
  }

  mutating func finish() throws(OutputError) {
    try writeLastBatch()
    try file.finish()
  }

  /// Writes the records that are left. A table without records has one empty batch.
  private mutating func writeLastBatch() throws(OutputError) {
    if count > 0 || !hasBatches { try flush() }
  }

  private mutating func flush() throws(OutputError) {
    hasBatches = true
    try file.write(rows: count, batch.arrowColumns())
    batch.removeAll()
    count = 0
  }
}
