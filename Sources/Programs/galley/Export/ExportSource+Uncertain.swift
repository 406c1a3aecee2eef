import Buffers
import ListTables

/// The rows whose texts may have another number of lines on a device.
extension ExportSource {
  /// Writes a JSON object for each row of which a margin is below a length in points. JSON has no infinite numbers, so that
  /// an infinite margin is `"inf"`.
  func writeUncertainRows(within length: Float, to output: inout ResultOutput) throws {
    for row in 0..<heights.rowCount {
      guard let margins = heights.margins(of: row), margins.isUncertain(within: length) else { continue }
      output.text.append(#"{"row":"#, row)
      output.text.append(#","id":"#, string: try heights.idBytes(of: row))
      output.text.append(#","height":"#, heights.height(of: row))
      output.text.append(#","margin_narrower":"#, orInfinite: margins.narrower)
      output.text.append(#","margin_wider":"#, orInfinite: margins.wider)
      output.text.append("}\n")
      try output.writePart()
    }
  }
}
