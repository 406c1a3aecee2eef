/// A node with a content that can be larger than it is, such as a carousel (layout-semantics 3.2). Texture: `ASScrollNode`
/// with `automaticallyManagesContentSize`.
///
///     let carousel = ScrollNode("carousel", .horizontal) { _ in
///       StackLayoutSpec(.horizontal, spacing: 8) { cards }
///     }
public final class ScrollNode: DisplayNode {
  /// The axes along which the content scrolls.
  public let scrollableDirections: ScrollableDirections
  /// The content, a node whose name is that of the scroll node with `.content`. The size of its frame is the content size.
  public let content: DisplayNode

  /// Creates a scroll node.
  ///
  /// - Parameters:
  ///   - name: the name of the node in the frame table.
  ///   - directions: the axes along which the content scrolls.
  ///   - layout: a function that returns the layout of the content for a size range in points, which has no maximum along
  ///     these axes.
  public init(
    _ name: String = "", _ directions: ScrollableDirections = .vertical,
    layout: @escaping (_ constrainedSize: SizeRange) -> any LayoutElement
  ) {
    scrollableDirections = directions
    content = DisplayNode(name.isEmpty ? "" : name + ".content", layout: layout)
    super.init(name)
  }

  /// The type of the node.
  public override var type: NodeType { .scroll }
  /// Returns the layout of the content.
  public override func layoutSpecThatFits(_ constrainedSize: SizeRange) -> (any LayoutElement)? {
    content.layoutSpecThatFits(constrainedSize)
  }
}
