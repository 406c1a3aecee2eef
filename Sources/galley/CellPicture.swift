import BatchLayout
import Foundation
import LayoutEngine

/// A laid out cell as a picture, and as data.
enum CellPicture {
  /// Fills by node type; other nodes are outlined.
  private static let fills = [
    "image": "#f3d9c8", "networkImage": "#d9dde2", "multiplexImage": "#d9dde2", "video": "#8a929c",
    "videoPlayer": "#8a929c", "button": "#d5ecd4",
  ]
  private static let margin = 8.0

  static func svg(_ cell: CellInspection) -> String {
    let width = cell.size.width + 2 * margin
    let height = cell.size.height + 2 * margin
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"\(-margin) \(-margin) \(width) \(height)\" "
        + "width=\"\(width)\" height=\"\(height)\" font-family=\"Inter, sans-serif\">",
      rectangle(Rect(0, 0, cell.size.width, cell.size.height), fill: "#ffffff", stroke: "#444444"),
    ]
    for node in cell.nodes {
      let isText = node.type == "text"
      lines.append(
        rectangle(
          node.frame, fill: isText ? "#eaf1fd" : fills[node.type] ?? "none", stroke: isText ? "#9db8e8" : "#888888"))
      lines += node.lines.enumerated().map { line(of: node, $0, $1) }
      if node.lines.isEmpty {
        lines.append(label(node.name, node.frame.origin.x + 2, node.frame.origin.y + 8, size: 7, fill: "#555555"))
      }
    }
    return (lines + ["</svg>"]).joined(separator: "\n")
  }

  /// A line at the width that was measured for it, whatever font the viewer has.
  private static func line(of node: CellInspection.Node, _ index: Int, _ line: CellInspection.TextLine) -> String {
    let height = node.frame.size.height / Double(node.lines.count)
    let baseline = node.frame.origin.y + height * (Double(index) + 0.75)
    let text = line.text + (node.isTruncated && index == node.lines.count - 1 ? "\u{2026}" : "")
    return
      "<text x=\"\(node.frame.origin.x)\" y=\"\(baseline)\" font-size=\"\(height * 0.72)\" "
      + "textLength=\"\(max(line.width, 0.1))\" lengthAdjust=\"spacingAndGlyphs\">\(escaped(text))</text>"
  }

  private static func rectangle(_ frame: Rect, fill: String, stroke: String) -> String {
    "<rect x=\"\(frame.origin.x)\" y=\"\(frame.origin.y)\" width=\"\(frame.size.width)\" "
      + "height=\"\(frame.size.height)\" fill=\"\(fill)\" stroke=\"\(stroke)\" stroke-width=\"0.5\"/>"
  }

  private static func label(_ text: String, _ x: Double, _ y: Double, size: Double, fill: String) -> String {
    "<text x=\"\(x)\" y=\"\(y)\" font-size=\"\(size)\" fill=\"\(fill)\">\(escaped(text))</text>"
  }

  private static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: ">", with: "&gt;")
  }

  private struct Document: Encodable {
    struct Node: Encodable {
      let node: String
      let type: String
      let parent: Int
      let frame: [Double]
      let lines: [String]
      let truncated: Bool
    }

    let size: [Double]
    let nodes: [Node]
  }

  static func json(_ cell: CellInspection) throws -> String {
    let document = Document(
      size: [cell.size.width, cell.size.height],
      nodes: cell.nodes.map { node in
        Document.Node(
          node: node.name, type: node.type, parent: node.parent,
          frame: [node.frame.origin.x, node.frame.origin.y, node.frame.size.width, node.frame.size.height],
          lines: node.lines.map(\.text), truncated: node.isTruncated)
      })
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(document), as: UTF8.self)
  }
}
