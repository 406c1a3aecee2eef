import BatchLayout
import Buffers
import HTTPServing
import LayoutEngine
import ListTables

/// The document with the cells of some rows: their frames, and the lines of their texts.
struct CellsDocument {
  let variant: ViewedRun.Variant
  let texts: ViewedTexts?

  /// The greatest number of rows of one document.
  static let maxRows = 500

  /// Writes the cells as a JSON array. Rows are written as soon as they are laid out.
  func write(_ rows: Range<Int>, to response: ResponseStream) throws {
    response.setHead(headers: jsonHeaders)
    var json = JSONText(capacity: 64 << 10)
    json.append("[")
    try withInspections(of: rows) { row, inspection in
      json.separate(row - rows.lowerBound)
      try append(row, inspection, to: &json)
      // A page that was scrolled on does not wait for the rest.
      if response.isClosed { throw CancellationError() }
      if json.count > 32 << 10 {
        try response.write([json.bytes])
        json.removeAll()
      }
    }
    json.append("]")
    try response.write([json.bytes])
    response.finish()
  }

  /// Calls a function with each row and its texts.
  private func withInspections(
    of rows: Range<Int>, _ body: (Int, ViewedTexts.Nodes?) throws -> Void
  ) throws {
    guard let texts, let number = variant.numbers else {
      for row in rows { try body(row, nil) }
      return
    }
    try texts.forEachCell(rows, variant, number, body)
  }

  private func append(
    _ row: Int, _ inspection: ViewedTexts.Nodes?, to json: inout JSONText
  ) throws(TableError) {
    let heights = variant.tables.heights
    json.append(#"{"row":"#, row)
    json.append(#","id":"#, string: try heights.idBytes(of: row))
    json.append(#","cell":"#, heights.cells.isEmpty ? "" : heights.cells[try heights.cellIndex(of: row)])
    json.append(#","width":"#, heights.width(of: row))
    json.append(#","height":"#, heights.height(of: row))
    json.append(#","y":"#, heights.offset(of: row))
    json.append(#","error":"#, try heights.error(of: row))
    json.append(#","nodes":["#)
    let frames = try variant.tables.frames(of: row)
    let urls = try Self.urls(of: frames, variant.tables.resources(of: row))
    let nodes = try? inspection?.get()
    for (index, frame) in frames.enumerated() {
      json.separate(index)
      append(frame, url: urls[index], lines: nodes?[index].lines ?? [], to: &json)
    }
    json.append("]")
    if case .failure(let problem)? = inspection {
      json.append(#","text_error":"#, problem.message)
    }
    json.append("}")
  }

  private func append(_ frame: NodeFrame, url: String?, lines: [CellInspection.TextLine], to json: inout JSONText) {
    json.append(#"{"name":"#, frame.node)
    json.append(#","type":"#, frame.type)
    json.append(#","parent":"#, frame.parent)
    json.append(#","x":"#, frame.x)
    json.append(#","y":"#, frame.y)
    json.append(#","width":"#, frame.width)
    json.append(#","height":"#, frame.height)
    json.append(#","line_count":"#, frame.lines)
    json.append(#","truncated":"#, frame.isTruncated)
    json.append(#","url":"#, url)
    json.append(#","lines":["#)
    for (index, line) in lines.enumerated() {
      json.separate(index)
      append(line, to: &json)
    }
    json.append("]}")
  }

  private func append(_ line: CellInspection.TextLine, to json: inout JSONText) {
    json.append(#"{"text":"#, line.text)
    json.append(#","x":"#, line.origin.x)
    json.append(#","baseline":"#, line.origin.y + line.drawing.baseline)
    json.append(#","width":"#, line.drawing.width)
    json.append(#","right_to_left":"#, line.drawing.isRightToLeft)
    json.append(#","justified":"#, line.drawing.isJustified)
    json.append(#","runs":["#)
    for (index, run) in line.drawing.runs.enumerated() {
      json.separate(index)
      json.append(#"{"text":"#, run.text)
      json.append(#","font":"#, ViewedFonts.family(Int(run.face)))
      json.append(#","size":"#, run.size)
      json.append(#","letter_spacing":"#, run.letterSpacing)
      json.append(#","level":"#, run.level.map { Int($0) })
      json.append(#","attachment_width":"#, run.attachmentWidth)
      json.append(#","weight":"#, texts?.fonts.face(Int(run.face))?.usedWeight ?? 400)
      json.append("}")
    }
    json.append("]}")
  }

  /// Returns the first URL of each frame. Resources are in the order of the frames. Several nodes may have one name, and a node may
  /// have several resources, such as a video and its poster.
  static func urls(of frames: [NodeFrame], _ resources: [Resource]) -> [String?] {
    var rest = resources[...]
    var shown = ""
    return frames.map { frame in
      let isOfFrame = { (resource: Resource?) in resource?.node == frame.node && resource?.type == frame.type }
      if !isOfFrame(rest.first) {
        let others = rest.drop { $0.node == shown }
        guard isOfFrame(others.first) else { return nil }
        rest = others
      }
      shown = frame.node
      return rest.popFirst()?.url
    }
  }
}
