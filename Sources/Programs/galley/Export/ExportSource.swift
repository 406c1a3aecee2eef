import Buffers
import ListTables

/// The heights of a variant that are exported. Rows are written one after the other, so that the memory does not depend on
/// their number.
struct ExportSource {
  private let variant: String
  private let width: Double
  private let heights: Heights

  /// - Parameter path: The directory of the variant.
  init(_ path: String) throws(TableError) {
    let directory = VariantDirectory(path)
    try directory.check()
    heights = try Heights(path + "/heights.arrow")
    variant = heights.variant ?? directory.name
    width = directory.width(heights)
  }

  func writeJSON(to output: inout ResultOutput) throws {
    output.text.append(#"{"variant":"#, variant)
    output.text.append(#","width":"#, width)
    output.text.append(#","ids":["#)
    for row in 0..<heights.rowCount {
      output.text.separate(row)
      output.text.append(string: try heights.idBytes(of: row))
      try output.writePart()
    }
    output.text.append(#"],"heights":["#)
    for row in 0..<heights.rowCount {
      output.text.separate(row)
      output.text.append(heights.height(of: row))
      try output.writePart()
    }
    output.text.append("]}\n")
  }

  func writeFloats(to output: inout ResultOutput) throws {
    for row in 0..<heights.rowCount {
      withUnsafeBytes(of: heights.height(of: row).bitPattern.littleEndian) {
        output.text.append(literal: $0)
      }
      try output.writePart()
    }
  }

  func writeCSV(to output: inout ResultOutput) throws {
    output.text.append("row,id,cell,width,height,y,first_frame,frame_count,error,missing_glyphs\n")
    for row in 0..<heights.rowCount {
      let frames = try heights.frames(of: row)
      output.text.append(row)
      output.text.append(",", csv: try heights.idBytes(of: row))
      output.text.append(",", csv: heights.cells[try heights.cellIndex(of: row)])
      output.text.append(",", heights.width(of: row))
      output.text.append(",", heights.height(of: row))
      output.text.append(",", heights.offset(of: row))
      output.text.append(",", frames.lowerBound)
      output.text.append(",", frames.count)
      output.text.append(",", csv: try heights.error(of: row) ?? "")
      output.text.append(",", heights.missingGlyphs(of: row))
      output.text.append("\n")
      try output.writePart()
    }
  }

  /// Writes a JSON object for each row of which a margin is below a length in points. JSON has no infinite numbers, so that
  /// an infinite margin is `"inf"`.
  func writeUncertainRows(within length: Double, to output: inout ResultOutput) throws {
    for row in 0..<heights.rowCount {
      guard let margins = heights.margins(of: row), Double(min(margins.narrower, margins.wider)) < length
      else { continue }
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
