import Buffers
import CellModels
import LayoutEngine

/// One laid out cell with all that can be shown of it.
public struct CellInspection {
  /// A node of the cell.
  public struct Node {
    public let name: String
    public let type: String
    /// Index of the node that contains it, or -1.
    public let parent: Int
    /// In the cell's coordinates, in points.
    public let frame: Rect
    public let lines: [TextLine]
    public let isTruncated: Bool
  }

  /// A line of a text, without the spaces that hang at its end.
  public struct TextLine {
    public let text: String
    public let width: Double
  }

  public let size: Size
  public let nodes: [Node]
  /// Texture's box drawing of the layout spec.
  public let asciiArt: String
  /// Every element with what it was asked and what came of it, a line each.
  public let tree: String
}

extension JobLayout {
  /// Lays out one row in the first variant and looks at everything. `JSONParser.padding` bytes behind `row` must be
  /// readable.
  public func inspect(_ row: ByteString) throws(CellError) -> CellInspection {
    try read(row)
    let range = constrainedSize(of: 0)
    try bind(range)
    recordsEverything = true
    defer { recordsEverything = false }
    let size = try layoutFrames(0, range)
    return CellInspection(size: size, nodes: inspectedNodes(), asciiArt: binder.asciiArt(), tree: tree())
  }

  /// Lays out one row in the first variant and answers the paths of the elements that it has.
  public func elementPaths(in row: ByteString) throws(CellError) -> (cell: String, paths: [[String]]) {
    try read(row)
    let range = constrainedSize(of: 0)
    try bind(range)
    _ = try layoutFrames(0, range)
    return (binder.cellName.string, (0..<binder.elementCount).map { binder.path(of: Int32($0)) })
  }

  private func inspectedNodes() -> [CellInspection.Node] {
    (1..<max(frames.count, 1)).map { index in
      let frame = frames[index]
      return CellInspection.Node(
        name: name(of: frame, at: index - 1), type: binder.type(of: frame.element).name, parent: Int(frame.parent) - 1,
        frame: frame.rect, lines: lines(of: frame), isTruncated: frame.detail & Self.truncatedBit != 0)
    }
  }

  /// A text's lines, filled again at the size it ended with.
  private func lines(of frame: Frame) -> [CellInspection.TextLine] {
    guard binder.textNumber(of: frame.element) >= 0 else { return [] }
    _ = measureLeaf(frame.element, frame.rect.size.width, frame.rect.size.height)
    return lastLines(of: frame.element).map { CellInspection.TextLine(text: $0.text, width: $0.width) }
  }

  private func tree() -> String {
    var lines: [String] = []
    forEachResult { result in
      let indent = String(repeating: "  ", count: result.depth)
      var line = "\(indent)\(binder.label(of: result.element)) "
      line += "\(Self.format(result.size)) at \(Self.format(result.position.x)),\(Self.format(result.position.y))"
      if let asked = result.constrainedSize {
        line += " in \(Self.format(asked.min))..\(Self.format(asked.max))"
      } else {
        line += " (never measured)"
      }
      let style = binder.tree.styles[Int(binder.tree.elements[Int(result.element)].style)].written
      if !style.isEmpty { line += " {\(style)}" }
      lines.append(line)
    }
    return lines.joined(separator: "\n")
  }

  static func format(_ size: Size) -> String { "\(format(size.width))x\(format(size.height))" }

  static func format(_ points: Double) -> String { Int(exactly: points).map(String.init) ?? "\(points)" }
}
