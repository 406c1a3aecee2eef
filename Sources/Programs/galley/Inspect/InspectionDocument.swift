import BatchLayout
import CellTemplates
import Foundation

/// A JSON document that describes the layout of a row in one variant.
struct InspectionDocument: Encodable {
  struct Node: Encodable {
    let node: String
    let type: String
    let parent: Int
    let frame: [Double]
    let lines: [String]
    let truncated: Bool
  }

  struct Overflow: Encodable {
    let path: String
    let message: String
    let points: Double
  }

  let width: Double
  let textScale: Double
  let scale: Double
  let size: [Double]
  let nodes: [Node]
  let overflow: [Overflow]
  /// The error of a bad row.
  let error: String?

  init(_ cell: CellInspection) {
    width = cell.variant.width
    textScale = cell.variant.textScale
    scale = cell.variant.scale
    size = [cell.size.width, cell.size.height]
    nodes = cell.nodes.map { node in
      Node(
        node: node.name, type: node.type, parent: node.parent,
        frame: [node.frame.origin.x, node.frame.origin.y, node.frame.size.width, node.frame.size.height],
        lines: node.lines.map(\.text), truncated: node.isTruncated)
    }
    overflow = cell.overflow.map { Overflow(path: CellError.format($0.path), message: $0.message, points: $0.points) }
    error = cell.error?.description
  }

  /// Returns one object for one cell, or an array of objects for several.
  static func json(_ cells: [CellInspection]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let documents = cells.map { InspectionDocument($0) }
    let data = documents.count == 1 ? try encoder.encode(documents[0]) : try encoder.encode(documents)
    return String(decoding: data, as: UTF8.self)
  }
}
