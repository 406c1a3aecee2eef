/// The type of a node, which determines how it is measured and its type in the frame table.
public enum NodeType: Sendable {
  /// A plain node. Texture: `ASDisplayNode`.
  case node
  /// A text. Texture: `ASTextNode`.
  case text
  /// An image that is available. Texture: `ASImageNode`.
  case image
  /// An image that is fetched. Texture: `ASNetworkImageNode`.
  case networkImage
  /// An image that is fetched in several versions. Texture: `ASMultiplexImageNode`.
  case multiplexImage
  /// A video. Texture: `ASVideoNode`.
  case video
  /// A video with controls. AsyncDisplayKit: `ASVideoPlayerNode`.
  case videoPlayer
  /// An image and a title. Texture: `ASButtonNode`.
  case button
  /// A content that scrolls. Texture: `ASScrollNode`.
  case scroll
}

/// A node, which has a frame in the cell: an application creates a view for it. Texture: `ASDisplayNode`.
///
/// The size of a node is that of its layout spec, otherwise the one that `calculateSizeThatFits` returns. A node without
/// either fills its range if that is bounded, and is empty otherwise (layout-semantics 3.1). A node has an identity, and
/// can be used only once in a cell.
///
///     final class Badge: DisplayNode {
///       override func calculateSizeThatFits(_ constrainedSize: Size) -> Size? { Size(12, 12) }
///     }
open class DisplayNode: LayoutElement {
  /// The properties that the node requests of its parent.
  public var style = LayoutElementStyle()
  /// The name of the node in the frame table. A node without a name is identified by its type and path.
  public let name: String

  /// The size of the node's content in points, which replaces the size of an image (AsyncDisplayKit 1.x,
  /// layout-semantics 11). A button has exactly this size.
  ///
  /// Setting it also sets the style's width and height, as in Texture, and its `sizeRange`, which a static spec uses.
  public var preferredFrameSize: Size? {
    didSet {
      guard preferredFrameSize != oldValue else { return }
      style.sizeRange = preferredFrameSize.map { RelativeSizeRange(exactly: $0) } ?? .unconstrained
      style.width = preferredFrameSize.map { .points($0.width) } ?? .auto
      style.height = preferredFrameSize.map { .points($0.height) } ?? .auto
    }
  }

  /// The direction of the node's subnodes; nil for that of the list. It does not apply to the subnodes of its subnodes.
  /// Texture: `semanticContentAttribute`.
  public var layoutDirection: LayoutDirection?

  /// The function that returns the layout spec of a node without a class of its own. Texture: `layoutSpecBlock`.
  private let layoutSpecBlock: ((SizeRange) -> any LayoutElement)?

  /// Creates a node with a name, which can be empty, and a style.
  public init(_ name: String = "", style: LayoutElementStyle = LayoutElementStyle()) {
    self.name = name
    self.style = style
    layoutSpecBlock = nil
  }

  /// Creates a node with the layout spec that `layout` returns for a size range in points. The nodes in the spec are its
  /// subnodes. Texture: `layoutSpecBlock`.
  public init(_ name: String = "", layout: @escaping (_ constrainedSize: SizeRange) -> any LayoutElement) {
    self.name = name
    layoutSpecBlock = layout
  }

  /// The type of the node. A subclass of one's own has the type `node`.
  open var type: NodeType { .node }

  /// The address of a fetched resource for the resource table, or nil if there is none.
  open var url: String? { nil }

  /// Returns the layout spec of the node's subnodes for a range in points, or nil if it has none. It is called once for each
  /// range. Texture: `layoutSpecThatFits:`.
  open func layoutSpecThatFits(_ constrainedSize: SizeRange) -> (any LayoutElement)? {
    layoutSpecBlock?(constrainedSize)
  }

  /// Returns the size of the node's content in points, in a box of at most `constrainedSize` points, which can be infinite;
  /// nil if the node has no size of its own. The same box must always have the same result. Without an override it is
  /// `preferredFrameSize`. Texture: `calculateSizeThatFits:`.
  open func calculateSizeThatFits(_ constrainedSize: Size) -> Size? { preferredFrameSize }

  /// Whether the node has no layout spec, so that `layoutSpecThatFits` is not called.
  var isLeaf: Bool {
    (type != .node && type != .button && type != .scroll)
      || (layoutSpecBlock == nil && Swift.type(of: self) == DisplayNode.self)
  }
}

extension DisplayNode {
  /// Sets `preferredFrameSize`, in points, and returns the node.
  public func preferringFrameSize(_ size: Size) -> Self {
    preferredFrameSize = size
    return self
  }

  /// Changes the style and returns the node: `.styled { $0.flexShrink = 1 }`.
  public func styled(_ change: (inout LayoutElementStyle) -> Void) -> Self {
    change(&style)
    return self
  }
}

/// A cell of a list. Texture: `ASCellNode`.
///
///     struct PhotoCell: CellNode {
///       let photo: Photo
///
///       func layoutSpecThatFits(_ constrainedSize: SizeRange) -> any LayoutElement {
///         StackLayoutSpec(.vertical, spacing: 8) {
///           RatioLayoutSpec(ratio: 0.75) { NetworkImageNode("photo", url: photo.url) }
///           TextNode("caption", photo.caption, font: "body")
///         }
///       }
///     }
public protocol CellNode {
  /// Returns the layout of the cell for a range in points. The cell's subnodes are exactly the nodes in the spec, as with
  /// `automaticallyManagesSubnodes` in Texture.
  func layoutSpecThatFits(_ constrainedSize: SizeRange) -> any LayoutElement

  /// The direction of the cell's subnodes; nil, as without an implementation, for that of the list. Texture:
  /// `semanticContentAttribute`.
  var layoutDirection: LayoutDirection? { get }
}

extension CellNode {
  public var layoutDirection: LayoutDirection? { nil }
}
