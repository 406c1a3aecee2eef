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
  /// The names to which the first dictionary column refers by number. They are written after all records.
  var names = NameTable()
  /// The names to which the second dictionary column refers.
  private let fixedNames: [String]

  /// - Parameters:
  ///   - metadata: The metadata of the table's schema.
  ///   - lists: The records of the columns of lists, which are removed with those of the table when a batch is written.
  ///   - fixedNames: The names of a second dictionary column, which are all known.
  ///   - declare: The initializer of the table's columns.
  init(
    creating path: String, batchSize: Int = 65_536, metadata: [ArrowMetadataEntry] = [], lists: [RecordBatch] = [],
    fixedNames: [String] = [], _ declare: ((ColumnFormat) -> UnsafeMutablePointer<ColumnBuffer>) -> Columns
  ) throws(OutputError) {
    let batch = TableBatch(lists: lists, declare)
    file = try ArrowFileWriter(creating: path, ArrowSchema(batch.formats.map(\.field), metadata: metadata))
    self.batch = batch
    self.batchSize = batchSize
    self.fixedNames = fixedNames
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

  /// Writes all that is left.
  ///
  /// - Parameter metadata: Metadata of the table's schema that are known only now.
  mutating func finish(metadata: [ArrowMetadataEntry] = []) throws(OutputError) {
    try writeRest()
    try close(metadata: metadata)
  }

  /// Writes the records that are left and the names. A table without records has one empty batch. Nothing but `close` may follow.
  mutating func writeRest() throws(OutputError) {
    if count > 0 || !hasBatches { try flush() }
    for case .dictionary(let id, _) in batch.formats.map(\.type) {
      assert(id <= 1, "a table has at most two dictionaries")
      if id == 0 {
        try file.write(dictionary: id, names)
      } else {
        try file.write(dictionary: id, NameTable(fixedNames))
      }
    }
  }

  /// Ends the file.
  mutating func close(metadata: [ArrowMetadataEntry]) throws(OutputError) { try file.finish(metadata: metadata) }

  private mutating func flush() throws(OutputError) {
    hasBatches = true
    try file.write(rows: count, batch.arrowColumns())
    batch.removeAll()
    count = 0
  }
}
