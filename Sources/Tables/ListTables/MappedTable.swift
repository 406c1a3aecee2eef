import ArrowFormat

/// An Arrow file in memory with the columns that its reader needs.
struct MappedTable {
  let file: MappedFile
  let arrow: ArrowFileReader
  /// The index in the file of each column that was asked for.
  private let indices: [Int]

  /// - Parameters:
  ///   - columns: The names and types of the columns that the file must have.
  ///   - remedy: How the file is made again.
  /// - Throws: `TableError` for a file that cannot be read, is not complete, or has other columns.
  init(_ path: String, columns: [ArrowField], remedy: String = TableError.remedy) throws(TableError) {
    let file = try MappedFile(path)
    do throws(ArrowFormatError) {
      arrow = try ArrowFileReader(file.bytes)
    } catch {
      throw TableError.damaged(path, error.reason, remedy: remedy)
    }
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
    self.file = file
    self.indices = indices
  }

  var rowCount: Int { arrow.rowCount }

  /// Returns a column of a batch.
  ///
  /// - Parameter column: The index of the column among those that were asked for.
  func column(_ column: Int, in batch: ArrowBatch) -> ArrowColumnView { batch.columns[indices[column]] }

  /// Returns the strings of a dictionary column.
  func dictionary(_ column: Int) throws(TableError) -> [String] {
    guard case .dictionary(let id, _) = arrow.schema.fields[indices[column]].type else { return [] }
    do throws(ArrowFormatError) { return try arrow.dictionary(id) } catch {
      throw TableError.damaged(file.path, error.reason)
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
