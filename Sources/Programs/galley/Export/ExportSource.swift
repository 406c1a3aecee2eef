import Buffers
import ListTables

/// The tables of a variant that is exported. Rows are read one after the other, so that the memory does not depend on
/// their number.
struct ExportSource {
  private let variant: String
  private let width: Double
  let heights: Heights
  /// The frames, if the export has them.
  private let frames: Frames?

  /// - Parameters:
  ///   - path: The directory of the variant.
  ///   - hasFrames: Whether the frames are needed beside the heights.
  init(_ path: String, hasFrames: Bool) throws(TableError) {
    let directory = VariantDirectory(path)
    if hasFrames {
      let tables = try MappedTables(path)
      guard tables.hasFrames else {
        throw TableError(path, "has no frames to export: --columns heights left them out; export json, f32 or csv")
      }
      heights = tables.heights
      frames = tables.frames
    } else {
      try directory.check()
      heights = try Heights(path + "/heights.arrow")
      frames = nil
    }
    variant = directory.name
    width = directory.width(heights)
  }

  // MARK: Heights

  func writeJSON(to output: inout ExportOutput) throws {
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

  func writeFloats(to output: inout ExportOutput) throws {
    for row in 0..<heights.rowCount {
      withUnsafeBytes(of: heights.height(of: row).bitPattern.littleEndian) {
        output.text.append(literal: $0)
      }
      try output.writePart()
    }
  }

  func writeCSV(to output: inout ExportOutput) throws {
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

  // MARK: Frames

  func writeLines(to output: inout ExportOutput) throws {
    guard let frames else { return }
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
      var count = 0
      try frames.forEachRecord(heights.frames(of: row), cursor) { frame in
        output.text.separate(count)
        count += 1
        output.text.append(#"{"node":"#, frames.nodes[frame.node])
        output.text.append(#","type":"#, frames.types[frame.type])
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
}
