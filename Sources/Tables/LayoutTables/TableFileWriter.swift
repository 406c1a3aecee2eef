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
  ///   - declare: The initializer of the table's columns.
  init(
    creating path: String, batchSize: Int, metadata: [ArrowMetadataEntry] = [],
    _ declare: ((ColumnFormat) -> UnsafeMutablePointer<ColumnBuffer>) -> Columns
  ) throws(OutputError) {
    let batch = TableBatch(declare)
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

  /// Counts a record of a table with two columns of lists.
  ///
  /// - Parameters:
  ///   - lists: The records of the first lists of the batch, which are removed when the batch is written.
  ///   - others: Those of the second lists.
  mutating func endRecord<Records, Others>(
    lists: borrowing TableBatch<Records>, _ others: borrowing TableBatch<Others>
  ) throws(OutputError) {
    count += 1
    if count == batchSize || batch.isFull || lists.isFull || others.isFull { try flush(lists, others) }
  }

  /// Writes the names to which the next dictionary column refers, after all records.
  mutating func write(names: borrowing NameTable) throws(OutputError) {
    try writeLastBatch()
    try file.write(dictionary: dictionaries.removeFirst(), names)
  }

  /// Writes the records that are left, of a table with two columns of lists.
  mutating func writeLast<Records, Others>(
    lists: borrowing TableBatch<Records>, _ others: borrowing TableBatch<Others>
  ) throws(OutputError) {
    if count > 0 || !hasBatches { try flush(lists, others) }
  }

  mutating func finish() throws(OutputError) {
    try writeLastBatch()
    try file.finish()
  }

  /// Writes the records that are left. A table without records has one empty batch.
  private mutating func writeLastBatch() throws(OutputError) {
    if count > 0 || !hasBatches { try flush() }
  }

  private mutating func flush() throws(OutputError) { try flush(lists: []) }

  private mutating func flush<Records, Others>(
    _ lists: borrowing TableBatch<Records>, _ others: borrowing TableBatch<Others>
  ) throws(OutputError) {
    try flush(lists: [(lists.count, lists.arrowColumns()), (others.count, others.arrowColumns())])
    lists.removeAll()
    others.removeAll()
  }

  private mutating func flush(lists: [(count: Int, records: [ArrowColumn])]) throws(OutputError) {
    hasBatches = true
    try file.write(rows: count, batch.arrowColumns(lists: lists))
    batch.removeAll()
    count = 0
  }
}
