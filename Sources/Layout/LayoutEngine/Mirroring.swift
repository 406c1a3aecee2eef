import Buffers

/// The directions of a cell and its nodes.
public struct LayoutDirections: BitwiseCopyable, Sendable {
  /// The direction of nodes that state none.
  public var list: LayoutDirection
  /// The direction that the cell states, or nil for that of the list.
  public var cell: LayoutDirection?
  /// Whether any node of the cell states a direction.
  public var areStated: Bool

  public init(list: LayoutDirection = .ltr, cell: LayoutDirection? = nil, areStated: Bool = false) {
    self.list = list
    self.cell = cell
    self.areStated = areStated
  }

  /// Whether subnodes of the cell may have to be mirrored.
  @inlinable @inline(__always)
  public var mayMirror: Bool { list == .rtl || cell == .rtl || areStated }

  /// Returns whether the subnodes of a node, or of the cell if it is nil, are mirrored. The content of a scroll node has the
  /// direction of that node, and begins at the left in it, as in Texture.
  ///
  /// - Parameter outer: the element that contains the node.
  public func mirrorSubnodes(of node: Element?, in outer: Element?) -> Bool {
    guard let node else { return (cell ?? list) == .rtl }
    if node.kind == .scroll { return false }
    let stating = outer.flatMap { $0.kind == .scroll ? $0 : nil } ?? node
    return (stating.layoutDirection ?? list) == .rtl
  }
}

extension FlatBuffer<Frame> {
  /// Mirrors the subnodes of each node that is laid out from right to left within that node (layout-semantics 6.1). Texture:
  /// `-[ASDisplayNode calculateLayoutLayoutSpec:]`.
  ///
  /// A layout spec does not know the direction: its children are placed from left to right, and only the frames of the nodes
  /// in it change. All sizes stay the same.
  ///
  /// - Parameters:
  ///   - directions: the directions of the cell and its nodes.
  ///   - tree: the elements of the cell.
  ///   - grid: the pixels to which the positions were rounded.
  public mutating func mirror(_ directions: LayoutDirections, _ tree: borrowing ElementTree, _ grid: PixelGrid) {
    // A frame comes after the one that contains it. From the last to the first, positions become relative to the container,
    // which still has its own.
    for index in stride(from: count - 1, to: 0, by: -1) {
      let container = self[Int(self[index].parent)]
      // The difference of two positions on the grid is on the grid, but for the rounding of floating point numbers.
      let distance = grid.round(self[index].rect.origin.x - container.rect.origin.x)
      self[index].rect.origin.x =
        directions.mirrorSubnodes(of: element(self[index].parent, tree), in: element(container.parent, tree))
        ? container.rect.size.width - self[index].rect.size.width - distance : distance
    }
    for index in 1..<Swift.max(count, 1) { self[index].rect.origin.x += self[Int(self[index].parent)].rect.origin.x }
  }

  /// Returns the element of the frame with an index, or nil for that of the cell.
  private func element(_ index: Int32, _ tree: borrowing ElementTree) -> LayoutEngine.Element? {
    index < 0 || self[Int(index)].element == Frame.cell ? nil : tree.elements[Int(self[Int(index)].element)]
  }
}
