/// The axes along which the content of a scroll node can be larger than the node. Texture: `ASScrollDirection`.
@frozen
public enum ScrollableDirections: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// The content scrolls up and down.
  case vertical
  /// The content scrolls left and right.
  case horizontal
  /// The content scrolls along both axes.
  case both
}

extension Element {
  /// Returns a scroll node, whose only child is a node with its content.
  public static func scroll(_ directions: ScrollableDirections) -> Element {
    Element(.scroll, (directions.rawValue, 0, 0, 0, 0))
  }
}

/// Scroll nodes (layout-semantics 3.2). Texture: `ASScrollNode` with `automaticallyManagesContentSize`.
extension LayoutSolver {
  /// Lays out the content without a limit along the axes that scroll, and returns the size of the node: that of its parent
  /// within the range, or that of the content along an axis on which neither is known.
  mutating func layoutScroll(
    _ index: Int32, _ element: UnsafeMutablePointer<Element>, _ range: SizeRange, _ parent: Size
  ) -> (Size, Int32) {
    let style = styles + Int(element.pointee.style)
    let own = style.pointee.sizeRange(parent, auto: .unconstrained)
    var open = range
    let scrollsVertically = element.pointee.options.0 != ScrollableDirections.horizontal.rawValue
    let scrollsHorizontally = element.pointee.options.0 != ScrollableDirections.vertical.rawValue
    if scrollsVertically { open.max.height = .infinity }
    if scrollsHorizontally { open.max.width = .infinity }
    var content = measureContent(index, open.intersect(own))
    let contentSize = content.size
    var size = range.clamp(parent)
    if !isValidForSize(size.width) { size.width = contentSize.width }
    if !isValidForSize(size.height) { size.height = contentSize.height }
    // The content may want to fill the node.
    if scrollsVertically && contentSize.height < size.height || scrollsHorizontally && contentSize.width < size.width {
      content = measureContent(index, range.intersect(own))
    }
    return (size, place(.zero, content))
  }

  private mutating func measureContent(_ index: Int32, _ range: SizeRange) -> MeasuredElement {
    measure(index + 1, range, range.max)
  }
}
