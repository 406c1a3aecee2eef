import BatchLayout
import Buffers
import CellTemplates

/// The document that explains the layout of one row.
struct RowInspection: JSONWritable {
  let row: Int
  let cell: CellInspection

  func append(to json: inout JSONText) {
    json.append(#"{"row":"#, row)
    json.append(#","tree":"#, cell.tree)
    json.append(#","ascii":"#, cell.asciiArt)
    json.append(#","overflow":"#, cell.overflow)
    json.append(#","error":"#, cell.error?.description)
    json.append("}")
  }
}

extension CellInspection.TreeLine: JSONWritable {
  package func append(to json: inout JSONText) {
    json.append(#"{"text":"#, text)
    json.append(#","problem":"#, isProblem)
    json.append(#","node":"#, node)
    json.append("}")
  }
}

extension OverflowFinding: JSONWritable {
  package func append(to json: inout JSONText) {
    json.append(#"{"path":"#, CellError.format(path))
    json.append(#","message":"#, message)
    json.append(#","points":"#, points)
    json.append("}")
  }
}
