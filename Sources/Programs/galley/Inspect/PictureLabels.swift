import BatchLayout
import LayoutEngine

/// The labels of a picture with the names of nodes. A node has no label if it would cover a text, another node or
/// another label.
struct PictureLabels {
  struct Label {
    let text: String
    /// The left end of the baseline in the coordinates of the cell.
    let x: Double
    let baseline: Double
    /// The index of the node.
    let node: Int
  }

  /// The font size in points.
  static let size = 7.0
  /// The assumed width of a character relative to the font size. It is an upper limit for common fonts.
  private static let characterWidth = 0.6
  private static let lineHeight = 9.0
  private static let gap = 3.0
  /// The greatest number of nodes of a cell with labels, because each label is compared with all nodes.
  private static let maxNodes = 1000

  private let cell: CellInspection
  private let obstacles: [(node: Int, box: Rect)]
  private(set) var labels: [Label] = []
  private var labelBoxes: [Rect] = []

  init(_ cell: CellInspection) {
    self.cell = cell
    let containers = Set(cell.nodes.map(\.parent))
    obstacles = cell.nodes.indices.flatMap { index -> [(node: Int, box: Rect)] in
      let node = cell.nodes[index]
      let lines = CellPicture.lineBoxes(of: node).map { (node: -1, box: $0) }
      return containers.contains(index) ? lines : lines + [(node: index, box: node.frame)]
    }
    guard cell.nodes.count <= Self.maxNodes else { return }
    // Nodes without text are labeled first, because their contents do not identify them.
    let order = cell.nodes.indices.sorted { cell.nodes[$0].lines.isEmpty && !cell.nodes[$1].lines.isEmpty }
    for index in order { addLabel(of: index) }
  }

  /// Adds the label of a node if there is space for it.
  private mutating func addLabel(of index: Int) {
    let node = cell.nodes[index]
    let width = Double(node.name.count) * Self.size * Self.characterWidth
    for corner in candidates(for: node.frame, width) {
      let box = Rect(corner.x, corner.y, width, Self.lineHeight)
      guard isInside(box, Rect(0, 0, cell.size.width, cell.size.height)), isFree(box, index) else { continue }
      labelBoxes.append(box)
      labels.append(Label(text: node.name, x: corner.x, baseline: corner.y + Self.size, node: index))
      return
    }
  }

  /// Returns the possible top left corners of a label, inside the node if it fits there, and beside it.
  private func candidates(for frame: Rect, _ width: Double) -> [Point] {
    let left = frame.origin.x + Self.gap
    let right = frame.origin.x + frame.size.width - width - Self.gap
    let top = frame.origin.y + Self.gap
    let bottom = frame.origin.y + frame.size.height - Self.lineHeight - Self.gap
    let middle = frame.origin.y + (frame.size.height - Self.lineHeight) / 2
    let outside = Point(frame.origin.x + frame.size.width + Self.gap, middle)
    guard frame.size.width >= width + 2 * Self.gap, frame.size.height >= Self.lineHeight else { return [outside] }
    if frame.size.height < Self.lineHeight + 2 * Self.gap { return [Point(right, middle), outside] }
    return [Point(left, top), Point(right, bottom), Point(left, bottom), Point(right, top), outside]
  }

  private func isInside(_ box: Rect, _ outer: Rect) -> Bool {
    box.origin.x >= outer.origin.x && box.origin.y >= outer.origin.y
      && box.origin.x + box.size.width <= outer.origin.x + outer.size.width
      && box.origin.y + box.size.height <= outer.origin.y + outer.size.height
  }

  private func isFree(_ box: Rect, _ index: Int) -> Bool {
    !labelBoxes.contains { overlaps($0, box) } && !obstacles.contains { $0.node != index && overlaps($0.box, box) }
  }

  private func overlaps(_ a: Rect, _ b: Rect) -> Bool {
    a.origin.x < b.origin.x + b.size.width && b.origin.x < a.origin.x + a.size.width
      && a.origin.y < b.origin.y + b.size.height && b.origin.y < a.origin.y + a.size.height
  }
}
