import Buffers
import ListTables

/// The rows whose texts may have another number of lines on a device.
extension ExportSource {
  /// Writes a JSON object for each row of which a margin is below a length in points. JSON has no infinite numbers, so that
  /// an infinite margin is `"inf"`.
  func writeUncertainRows(within length: Float, to output: inout ExportOutput) throws {
    for row in 0..<heights.rowCount {
      guard let margins = heights.margins(of: row), margins.isUncertain(within: length) else { continue }
      output.buffer.append(#"{"row":"#)
      output.buffer.append(decimal: row)
      output.buffer.append(#","id":"#)
      output.buffer.append(json: try heights.idBytes(of: row))
      output.buffer.append(#","height":"#)
      output.buffer.append(heights.height(of: row))
      output.buffer.append(#","margin_narrower":"#)
      output.buffer.append(margin: margins.narrower)
      output.buffer.append(#","margin_wider":"#)
      output.buffer.append(margin: margins.wider)
      output.buffer.append("}\n")
      try output.writePart()
    }
  }
}

extension FlatBuffer where Element == UInt8 {
  fileprivate mutating func append(margin: Float) {
    if margin.isFinite { append(margin) } else { append(#""inf""#) }
  }
}
