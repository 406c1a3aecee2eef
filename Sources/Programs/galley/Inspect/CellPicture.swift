import BatchLayout
import CellTemplates
import LayoutEngine
import TextMeasuring

/// A picture of a laid out cell as SVG elements in the coordinates of the cell. The document that contains them has the
/// style sheet.
struct CellPicture {
  let cell: CellInspection
  /// The area of the picture: the cell and the nodes that extend beyond it.
  let bounds: Rect

  private static let margin = 1.0
  /// The limit, in points on each side, up to which nodes beyond the cell are part of the picture.
  private static let maxOverhang = 400.0
  private static let imageTypes: Set = ["image", "networkImage", "multiplexImage", "video", "videoPlayer"]

  init(_ cell: CellInspection) {
    self.cell = cell
    var (left, top, right, bottom) = (0.0, 0.0, cell.size.width, cell.size.height)
    for box in cell.nodes.map(\.frame) + cell.overflow.map(\.area) {
      left = max(min(left, box.origin.x), -Self.maxOverhang)
      top = max(min(top, box.origin.y), -Self.maxOverhang)
      right = min(max(right, box.origin.x + box.size.width), cell.size.width + Self.maxOverhang)
      bottom = min(max(bottom, box.origin.y + box.size.height), cell.size.height + Self.maxOverhang)
    }
    bounds = Rect(
      left - Self.margin, top - Self.margin, right - left + 2 * Self.margin, bottom - top + 2 * Self.margin)
  }

  /// Returns the SVG elements of the picture.
  ///
  /// - Parameter tips: Whether each node has a description in a line below the cell, which the document can show.
  func elements(tips: Bool = false) -> [String] {
    let labels = Dictionary(PictureLabels(cell).labels.map { ($0.node, $0) }) { first, _ in first }
    let nodes = cell.nodes.indices.map { element(of: cell.nodes[$0], labels[$0], tips: tips) }
    return [rectangle(Rect(0, 0, cell.size.width, cell.size.height), "cell")] + nodes
      + cell.overflow.map { mark($0) }
  }

  // MARK: Nodes

  private func element(of node: CellInspection.Node, _ label: PictureLabels.Label?, tips: Bool) -> String {
    let kind = node.type == "text" ? "text" : Self.imageTypes.contains(node.type) ? "media" : node.type
    var parts = ["<title>\(escaped(Self.title(of: node)))</title>", rectangle(node.frame, "frame")]
    if kind == "media" { parts.append(placeholder(in: node.frame, plays: node.type.hasPrefix("video"))) }
    for (line, box) in zip(node.lines, Self.lineBoxes(of: node)) {
      let baseline = line.origin.y + line.drawing.baseline
      parts.append(GlyphSheet.line(line.drawing, x: box.origin.x, y: baseline, drawn: cell.glyphs))
      parts += line.drawing.attachments.map { attachment in
        rectangle(
          Rect(box.origin.x + attachment.x, baseline - attachment.above, attachment.width, attachment.height), "sign")
      }
      parts.append(invisibleText(of: line, box, baseline))
    }
    if let label {
      parts.append(
        "<text class=\"label\" x=\"\(svg(label.x))\" y=\"\(svg(label.baseline))\">\(escaped(label.text))</text>")
    }
    if tips {
      let bottom = bounds.origin.y + bounds.size.height + Self.tipBaseline
      parts.append("<text class=\"tip\" x=\"0\" y=\"\(svg(bottom))\">\(escaped(Self.title(of: node)))</text>")
    }
    return "<g class=\"item \(kind)\">\(parts.joined())</g>"
  }

  /// Returns the text of a line as an invisible element, which can be searched for and selected.
  private func invisibleText(of line: CellInspection.TextLine, _ box: Rect, _ baseline: Double) -> String {
    guard !line.text.isEmpty && box.size.width > 0 else { return "" }
    return "<text class=\"words\" x=\"\(svg(box.origin.x))\" y=\"\(svg(baseline))\" "
      + "font-size=\"\(svg(box.size.height * 0.7))\" textLength=\"\(svg(box.size.width))\" "
      + "lengthAdjust=\"spacingAndGlyphs\">\(escaped(line.text))</text>"
  }

  /// The height of the line below a cell that describes a node, in points.
  static let tipHeight = 16.0
  /// The distance of its baseline from the cell, in points.
  private static let tipBaseline = 11.0

  /// Returns a description such as `photo, networkImage, 366x206 at 12,60`.
  private static func title(of node: CellInspection.Node) -> String {
    let (origin, size) = (node.frame.origin, node.frame.size)
    var parts = [node.name, node.type]
    parts.append("\(svg(size.width))x\(svg(size.height)) at \(svg(origin.x)),\(svg(origin.y))")
    if node.lines.count > 0 { parts.append(node.lines.count == 1 ? "1 line" : "\(node.lines.count) lines") }
    if node.isTruncated { parts.append("truncated") }
    let missing = node.lines.reduce(0) { $0 + $1.drawing.glyphs.filter(\.key.isMissing).count }
    if missing > 0 { parts.append("\(missing) characters without a glyph in the fonts of the cells file") }
    return parts.joined(separator: ", ")
  }

  static func lineBoxes(of node: CellInspection.Node) -> [Rect] {
    let height = node.frame.size.height / Double(max(node.lines.count, 1))
    return node.lines.enumerated().map { index, line in
      Rect(line.origin.x, line.origin.y + Double(index) * height, line.drawing.width, height)
    }
  }

  /// Returns a symbol for an image or a video.
  private func placeholder(in frame: Rect, plays: Bool) -> String {
    // A rectangle without a height or width would be invisible.
    if frame.size.width == 0 || frame.size.height == 0 {
      let end = "\(svg(frame.origin.x + frame.size.width)) \(svg(frame.origin.y + frame.size.height))"
      return "<path class=\"lost\" d=\"M\(svg(frame.origin.x)) \(svg(frame.origin.y))L\(end)\"/>"
    }
    let side = min(frame.size.width, frame.size.height, 96) / 3
    guard side >= 8 else { return "" }
    let x = frame.origin.x + (frame.size.width - side) / 2
    let y = frame.origin.y + (frame.size.height - side) / 2
    let shape =
      plays
      ? "M6 3L21 12 6 21Z"
      : "M3 19L9 10 13 15.5 16 12 21 19ZM15.5 8.5a2 2 0 1 0 4 0 2 2 0 1 0-4 0Z"
    return
      "<path class=\"sign\" transform=\"translate(\(svg(x)) \(svg(y))) scale(\(svg(side / 24, digits: 4)))\" d=\"\(shape)\"/>"
  }

  // MARK: Overflow

  private func mark(_ finding: OverflowFinding) -> String {
    let kind = finding.kind == .outsideCell ? "outside" : "beyond"
    let path = CellError.format(finding.path)
    return "<g class=\"overflow\"><title>\(escaped("\(path): \(finding.message)"))</title>"
      + rectangle(finding.area, kind) + "</g>"
  }

  private func rectangle(_ frame: Rect, _ kind: String) -> String {
    "<rect class=\"\(kind)\" x=\"\(svg(frame.origin.x))\" y=\"\(svg(frame.origin.y))\" "
      + "width=\"\(svg(max(frame.size.width, 0)))\" height=\"\(svg(max(frame.size.height, 0)))\"/>"
  }
}
