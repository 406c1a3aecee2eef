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
    output.buffer.append(#"{"variant":"#)
    output.buffer.append(json: variant)
    output.buffer.append(#","width":"#)
    output.buffer.append(width)
    output.buffer.append(#","ids":["#)
    for row in 0..<heights.rowCount {
      if row > 0 { output.buffer.append(",") }
      output.buffer.append(lossyJSON: try heights.idBytes(of: row))
      try output.writePart()
    }
    output.buffer.append(#"],"heights":["#)
    for row in 0..<heights.rowCount {
      if row > 0 { output.buffer.append(",") }
      output.buffer.append(heights.height(of: row))
      try output.writePart()
    }
    output.buffer.append("]}\n")
  }

  func writeFloats(to output: inout ExportOutput) throws {
    for row in 0..<heights.rowCount {
      withUnsafeBytes(of: heights.height(of: row).bitPattern.littleEndian) {
        output.buffer.append(contentsOf: $0.bindMemory(to: UInt8.self))
      }
      try output.writePart()
    }
  }

  func writeCSV(to output: inout ExportOutput) throws {
    output.buffer.append("row,id,cell,width,height,y,first_frame,frame_count,error,missing_glyphs\n")
    for row in 0..<heights.rowCount {
      let frames = try heights.frames(of: row)
      output.buffer.append(decimal: row)
      output.buffer.append(",")
      output.buffer.append(csv: try heights.idBytes(of: row))
      output.buffer.append(",")
      output.buffer.append(csv: heights.cells[try heights.cellIndex(of: row)])
      output.buffer.append(",")
      output.buffer.append(heights.width(of: row))
      output.buffer.append(",")
      output.buffer.append(heights.height(of: row))
      output.buffer.append(",")
      output.buffer.append(heights.offset(of: row))
      output.buffer.append(",")
      output.buffer.append(decimal: frames.lowerBound)
      output.buffer.append(",")
      output.buffer.append(decimal: frames.count)
      output.buffer.append(",")
      if let error = try heights.error(of: row) { output.buffer.append(csv: error) }
      output.buffer.append(",")
      output.buffer.append(decimal: heights.missingGlyphs(of: row))
      output.buffer.append("\n")
      try output.writePart()
    }
  }

  // MARK: Frames

  func writeLines(to output: inout ExportOutput) throws {
    guard let frames else { return }
    let names = ExportNames(frames, cells: heights.cells)
    let cursor = frames.cursor()
    for row in 0..<heights.rowCount {
      output.buffer.append(#"{"row":"#)
      output.buffer.append(decimal: row)
      output.buffer.append(#","id":"#)
      output.buffer.append(lossyJSON: try heights.idBytes(of: row))
      output.buffer.append(#","cell":"#)
      output.buffer.append(names.cells[try heights.cellIndex(of: row)])
      output.buffer.append(#","width":"#)
      output.buffer.append(heights.width(of: row))
      output.buffer.append(#","height":"#)
      output.buffer.append(heights.height(of: row))
      output.buffer.append(#","y":"#)
      output.buffer.append(heights.offset(of: row))
      if let error = try heights.error(of: row) {
        output.buffer.append(#","error":"#)
        output.buffer.append(json: error)
      }
      output.buffer.append(#","frames":["#)
      var isFirst = true
      try frames.forEachRecord(heights.frames(of: row), cursor) { frame in
        if !isFirst { output.buffer.append(",") }
        isFirst = false
        output.buffer.append(frame, names)
      }
      output.buffer.append("]}\n")
      try output.writePart()
    }
  }
}

/// The names that frames and rows refer to by index, as strings of JSON.
private struct ExportNames {
  let nodes, types, cells: [[UInt8]]

  init(_ frames: Frames, cells: [String]) {
    nodes = frames.nodes.map(Self.json)
    types = frames.types.map(Self.json)
    self.cells = cells.map(Self.json)
  }

  private static func json(_ name: String) -> [UInt8] {
    var buffer = FlatBuffer<UInt8>()
    buffer.append(json: name)
    return Array(buffer.values)
  }
}

extension FlatBuffer where Element == UInt8 {
  fileprivate mutating func append(_ frame: Frames.Record, _ names: ExportNames) {
    append(#"{"node":"#)
    append(names.nodes[frame.node])
    append(#","type":"#)
    append(names.types[frame.type])
    append(#","parent":"#)
    append(decimal: frame.parent)
    append(#","x":"#)
    append(frame.x)
    append(#","y":"#)
    append(frame.y)
    append(#","width":"#)
    append(frame.width)
    append(#","height":"#)
    append(frame.height)
    append(#","lines":"#)
    append(decimal: frame.lines)
    append(frame.isTruncated ? #","truncated":true}"# : #","truncated":false}"#)
  }
}
