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
        output.buffer.append(#"{"row":"#)
        output.buffer.append(decimal: row)
        output.buffer.append(#","node":"#)
        output.buffer.append(json: text.node)
        output.buffer.append(#","lines":["#)
        for (index, line) in text.lines.enumerated() {
          if index > 0 { output.buffer.append(",") }
          output.buffer.append(json: text.characters(of: line))
        }
        output.buffer.append("]}\n")
      }
      try output.writePart()
    }
  }
}
