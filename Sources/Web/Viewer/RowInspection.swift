import BatchLayout
import Buffers
import CellTemplates

/// The document that explains the layout of one row.
struct RowInspection {
  let row: Int
  let cell: CellInspection

  func append(to json: inout JSONText) {
    json.append(#"{"row":"#)
    json.append(row)
    json.append(#","tree":["#)
    for (index, line) in cell.tree.enumerated() {
      json.separate(index)
      json.append(#"{"text":"#)
      json.append(string: line.text)
      json.append(#","problem":"#)
      json.append(line.isProblem)
      json.append("}")
    }
    json.append(#"],"ascii":"#)
    json.append(string: cell.asciiArt)
    json.append(#","overflow":["#)
    for (index, finding) in cell.overflow.enumerated() {
      json.separate(index)
      json.append(#"{"path":"#)
      json.append(string: CellError.format(finding.path))
      json.append(#","message":"#)
      json.append(string: finding.message)
      json.append(#","points":"#)
      json.append(finding.points)
      json.append("}")
    }
    json.append(#"],"error":"#)
    json.append(string: cell.error?.description)
    json.append("}")
  }
}
