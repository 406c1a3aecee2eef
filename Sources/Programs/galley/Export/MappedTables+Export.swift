import Buffers
import ListTables

/// The exports that need more tables than the heights.
extension MappedTables {
  /// Writes an object for each row, with its frames as an array.
  ///
  /// - Throws: `TableError` for tables without frames.
  func writeFrames(to output: inout ResultOutput) throws {
    guard hasFrames else {
      throw TableError(path, "has no frames to export: --columns heights left them out; export json, f32 or csv")
    }
    let cursor = frames.cursor()
    for row in 0..<heights.rowCount {
      output.text.append(#"{"row":"#, row)
      output.text.append(#","id":"#, string: try heights.idBytes(of: row))
      output.text.append(#","cell":"#, heights.cells[try heights.cellIndex(of: row)])
      output.text.append(#","width":"#, heights.width(of: row))
      output.text.append(#","height":"#, heights.height(of: row))
      output.text.append(#","y":"#, heights.offset(of: row))
      if let error = try heights.error(of: row) { output.text.append(#","error":"#, error) }
      output.text.append(#","frames":["#)
      for (index, frame) in try frames.frames(heights.frames(of: row), cursor).enumerated() {
        output.text.separate(index)
        output.text.append(#"{"node":"#, frame.node)
        output.text.append(#","type":"#, frame.type)
        output.text.append(#","parent":"#, frame.parent)
        output.text.append(#","x":"#, frame.x)
        output.text.append(#","y":"#, frame.y)
        output.text.append(#","width":"#, frame.width)
        output.text.append(#","height":"#, frame.height)
        output.text.append(#","lines":"#, frame.lines)
        output.text.append(#","truncated":"#, frame.isTruncated)
        output.text.append("}")
      }
      output.text.append("]}\n")
      try output.writePart()
    }
  }

  /// Writes an object for each text: `{"row", "node", "lines": […]}`.
  ///
  /// - Throws: `TableError` for tables without lines.
  func writeTextLines(to output: inout ResultOutput) throws {
    guard let texts = textCursors() else {
      throw TableError(path, "has no lines of texts; lay out the rows again with --lines")
    }
    for row in 0..<heights.rowCount {
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
