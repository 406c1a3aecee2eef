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

  /// Returns whether the subnodes of a node, or of the cell if it is nil, are mirrored.
  public func mirrorSubnodes(of node: Element?) -> Bool {
    let stated = if let node { node.layoutDirection } else { cell }
    return (stated ?? list) == .rtl
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
        isMirrored(container, directions, tree)
        ? container.rect.size.width - self[index].rect.size.width - distance : distance
    }
    for index in 1..<Swift.max(count, 1) { self[index].rect.origin.x += self[Int(self[index].parent)].rect.origin.x }
  }

  /// Returns whether the subnodes of the node with a frame are mirrored. The content of a scroll node has the node's direction,
  /// and begins at the left in it, as Texture has it.
  private func isMirrored(
    _ container: Frame, _ directions: LayoutDirections, _ tree: borrowing ElementTree
  ) -> Bool {
    guard container.element != Frame.cell else { return directions.mirrorSubnodes(of: nil) }
    let node = tree.elements[Int(container.element)]
    if node.kind == .scroll { return false }
    let outer = self[Int(container.parent)].element
    guard outer != Frame.cell, tree.elements[Int(outer)].kind == .scroll else {
      return directions.mirrorSubnodes(of: node)
    }
    return directions.mirrorSubnodes(of: tree.elements[Int(outer)])
  }
}
