import Buffers
import ListTables

/// The export of the lines of texts.
struct ExportTextLines {
  private let tables: MappedTables
  private let texts: TextCursors

  /// - Parameter path: The directory of the variant.
  /// - Throws: `TableError` for tables without lines.
  init(_ path: String) throws(TableError) {
    tables = try MappedTables(path)
    guard let texts = tables.textCursors() else {
      throw TableError(path, "has no lines of texts; lay out the rows again with --lines")
    }
    self.texts = texts
  }

  /// Writes an object for each text: `{"row", "node", "lines": […]}`.
  func write(to output: inout ExportOutput) throws {
    for row in 0..<tables.heights.rowCount {
      for text in try texts.texts(of: row) {
        output.text.append(#"{"row":"#, row)
        output.text.append(#","node":"#, text.node)
        output.text.append(#","lines":"#, text.lines.map(text.characters))
        output.text.append("}\n")
      }
      try output.writePart()
    }
  }
}
