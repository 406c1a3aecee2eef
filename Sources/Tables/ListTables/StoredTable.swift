import ArrowFormat

/// An Arrow file with the places of the columns that its reader needs.
struct StoredTable: Sendable {
  let file: TableFile
  let schema: ArrowSchema
  /// The positions of the table's records in its batches.
  let index: BatchIndex
  /// The columns that were asked for, in each batch.
  private let batches: [[StoredColumn]]
  /// The names that each column refers to by number; empty for a column that has other values.
  private let dictionaries: [[String]]

  /// - Parameters:
  ///   - columns: The names and types of the columns that the file must have.
  ///   - remedy: How the file is made again.
  /// - Throws: `TableError` for a file that cannot be read, is not complete, or has other columns.
  init(_ path: String, columns: [ArrowField], remedy: String = TableError.remedy) throws(TableError) {
    let file = try TableFile(path)
    let arrow: ArrowFileReader
    do throws(ArrowFormatError) {
      arrow = try ArrowFileReader(size: file.size) { (range) throws(ArrowFormatError) in
        do throws(TableError) { return try file.copy(range) } catch { throw ArrowFormatError(error.reason) }
      }
    } catch {
      // A file that is being replaced has parts of two tables.
      try file.check()
      throw TableError.damaged(path, error.reason, remedy: remedy)
    }
    try file.check()
    var indices: [Int] = []
    for column in columns {
      guard let index = arrow.schema.fields.firstIndex(where: { Self.matches($0, column) }) else {
        throw TableError(
          path,
          "has no column \"\(column.name)\" of the type that this version of Galley writes; another version or another "
            + "program wrote it: \(remedy)")
      }
      indices.append(index)
    }
    var dictionaries: [[String]] = []
    for index in indices { dictionaries.append(try Self.dictionary(arrow, index, path)) }
    self.file = file
    self.dictionaries = dictionaries
    schema = arrow.schema
    index = BatchIndex(counts: arrow.batches.map(\.rowCount))
    batches = arrow.batches.map { batch in indices.map { batch.columns[$0] } }
  }

  /// Returns the strings of a dictionary column.
  ///
  /// - Parameter column: The index of the column among those that were asked for.
  func dictionary(_ column: Int) -> [String] { dictionaries[column] }

  /// Returns the columns of a batch that were asked for.
  func columns(ofBatch batch: Int) -> [StoredColumn] { batches[batch] }

  /// Copies the whole file into memory, and returns it with the columns of each batch.
  ///
  /// - Throws: `TableError` if the file has changed since it was opened.
  func load() throws(TableError) -> (memory: CopiedBytes, batches: [[ArrowColumnView]]) {
    let memory = try file.copy(0..<file.size)
    try file.check()
    return (memory, batches.map { columns in columns.map { ArrowColumnView($0, in: memory.bytes) } })
  }

  private static func dictionary(_ arrow: ArrowFileReader, _ column: Int, _ path: String) throws(TableError) -> [String]
  {
    guard case .dictionary(let id, _) = arrow.schema.fields[column].type else { return [] }
    do throws(ArrowFormatError) { return try arrow.dictionary(id) } catch {
      throw TableError.damaged(path, error.reason)
    }
  }

  /// Returns whether a column has the name and the type of another one. The number of a dictionary does not matter.
  private static func matches(_ field: ArrowField, _ other: ArrowField) -> Bool {
    guard field.name == other.name else { return false }
    if case .dictionary(_, let bits) = field.type, case .dictionary(_, let otherBits) = other.type {
      return bits == otherBits
    }
    return field.type == other.type
  }
}
