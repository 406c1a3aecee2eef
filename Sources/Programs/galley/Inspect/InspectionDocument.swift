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
  /// The name of the platform; nil for `texture`.
  let platform: String?
  /// The name of the text size; nil for the plain sizes of fonts.
  let textSize: String?
  let layoutDirection: String?
  let size: [Double]
  let nodes: [Node]
  let overflow: [Overflow]
  /// The error of a bad row.
  let error: String?

  init(_ cell: CellInspection) {
    width = cell.variant.width
    textScale = cell.variant.textScale
    scale = cell.variant.scale
    platform = cell.variant.platform == .texture ? nil : cell.variant.platform.name
    textSize = cell.variant.textSize?.name
    layoutDirection = cell.variant.layoutDirection == .ltr ? nil : cell.variant.layoutDirection.name
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

  /// Prints one object for one cell, or an array of objects for several.
  static func show(_ cells: [CellInspection]) throws {
    let documents = cells.map { InspectionDocument($0) }
    let formatting: JSONEncoder.OutputFormatting = [.prettyPrinted, .withoutEscapingSlashes]
    if documents.count == 1 {
      try Results.print(documents[0], formatting)
    } else {
      try Results.print(documents, formatting)
    }
  }
}
