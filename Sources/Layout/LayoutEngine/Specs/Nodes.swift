/// What a node shows, which decides how it is measured and what the frame table says of it.
public enum NodeType: Sendable {
  case node, text, image, networkImage, multiplexImage, video, videoPlayer, button
}

/// A node: what a view will be made for. It has an identity, so it stands once in a cell.
///
/// Its size comes from its layout spec, else from `calculateSizeThatFits`; without either it fills what it is given
/// where that is bounded.
open class DisplayNode: LayoutElement {
  public var style = LayoutElementStyle()
  /// Its name in the frame table; without one it is called by its type and place.
  public let name: String

  /// 1.x: the size of the node's content in points, in place of an image's or of none; a button is exactly as large. Setting
  /// it also makes the style's `sizeRange` exact, which a static spec heeds. A text is measured nevertheless, and a node
  /// with a layout spec is as large as that.
  public var preferredFrameSize: Size? {
    didSet {
      guard preferredFrameSize != oldValue else { return }
      style.sizeRange = preferredFrameSize.map { RelativeSizeRange(exactly: $0) } ?? .unconstrained
    }
  }

  /// The layout spec of a node that no class was made for (layoutSpecBlock).
  private let layoutSpecBlock: ((SizeRange) -> any LayoutElement)?

  public init(_ name: String = "", style: LayoutElementStyle = LayoutElementStyle()) {
    self.name = name
    self.style = style
    layoutSpecBlock = nil
  }

  /// A node whose subnodes are those of the spec that `layout` returns for a size range.
  public init(_ name: String = "", layout: @escaping (_ constrainedSize: SizeRange) -> any LayoutElement) {
    self.name = name
    layoutSpecBlock = layout
  }

  open var type: NodeType { .node }

  /// What a fetched resource's address is, for the resource table.
  open var url: String? { nil }

  /// The layout of its subnodes, or nil if it has none. It is asked once for each range.
  open func layoutSpecThatFits(_ constrainedSize: SizeRange) -> (any LayoutElement)? {
    layoutSpecBlock?(constrainedSize)
  }

  /// The size of its content in at most this much room, in points; nil if it has none of its own. The same room must
  /// always get the same answer.
  open func calculateSizeThatFits(_ constrainedSize: Size) -> Size? { nil }

  /// Whether `layoutSpecThatFits` need not be asked.
  var isLeaf: Bool {
    (type != .node && type != .button) || (layoutSpecBlock == nil && Swift.type(of: self) == DisplayNode.self)
  }
}

extension DisplayNode {
  /// The node with a `preferredFrameSize`.
  public func preferringFrameSize(_ size: Size) -> Self {
    preferredFrameSize = size
    return self
  }

  /// The node with its style changed: `.styled { $0.flexShrink = 1 }`.
  public func styled(_ change: (inout LayoutElementStyle) -> Void) -> Self {
    change(&style)
    return self
  }
}

/// A cell of a list.
public protocol CellNode {
  /// The cell's layout; its subnodes are exactly those that the spec contains (automaticallyManagesSubnodes).
  func layoutSpecThatFits(_ constrainedSize: SizeRange) -> any LayoutElement
}

/// A text, of runs in fonts that whoever measures it knows by name.
public final class TextNode: DisplayNode {
  public struct Run {
    public var text: String
    public var font: String

    public init(_ text: String, font: String) {
      self.text = text
      self.font = font
    }
  }

  public let runs: [Run]
  /// 0: as many as there are.
  public let maximumNumberOfLines: Int
  /// Put at the end of the last line when the text is cut.
  public let truncation: String
  /// Points between lines.
  public let lineSpacing: Double

  public init(
    _ name: String = "", runs: [Run], maximumNumberOfLines: Int = 0, truncation: String = "\u{2026}",
    lineSpacing: Double = 0
  ) {
    self.runs = runs
    self.maximumNumberOfLines = maximumNumberOfLines
    self.truncation = truncation
    self.lineSpacing = lineSpacing
    super.init(name)
  }

  public convenience init(_ name: String = "", _ text: String, font: String, maximumNumberOfLines: Int = 0) {
    self.init(name, runs: [Run(text, font: font)], maximumNumberOfLines: maximumNumberOfLines)
  }

  public override var type: NodeType { .text }
}

/// An image that is at hand.
public final class ImageNode: DisplayNode {
  private let imageSize: Size?

  /// - Parameter imageSize: in points; nil before there is an image.
  public init(_ name: String = "", imageSize: Size?) {
    self.imageSize = imageSize
    super.init(name)
  }

  public override var type: NodeType { .image }
  public override func calculateSizeThatFits(_ constrainedSize: Size) -> Size? { preferredFrameSize ?? imageSize }
}

/// A node of something fetched, which has no size before it is: NetworkImageNode, MultiplexImageNode, VideoNode and
/// VideoPlayerNode.
public final class NetworkNode: DisplayNode {
  private let kind: NodeType
  private let address: String?

  init(_ kind: NodeType, _ name: String, _ url: String?) {
    self.kind = kind
    address = url
    super.init(name)
  }

  public override var type: NodeType { kind }
  public override var url: String? { address }
}

public func NetworkImageNode(_ name: String = "", url: String? = nil) -> NetworkNode {
  NetworkNode(.networkImage, name, url)
}

public func MultiplexImageNode(_ name: String = "", url: String? = nil) -> NetworkNode {
  NetworkNode(.multiplexImage, name, url)
}

public func VideoNode(_ name: String = "", url: String? = nil) -> NetworkNode { NetworkNode(.video, name, url) }

public func VideoPlayerNode(_ name: String = "", url: String? = nil) -> NetworkNode {
  NetworkNode(.videoPlayer, name, url)
}

/// An image and a title, one after the other, centred (ASButtonNode).
public final class ButtonNode: DisplayNode {
  private let content: any LayoutElement

  /// - Parameters:
  ///   - contentSpacing: points between image and title.
  ///   - imageAlignsAtEnd: whether the image comes after the title.
  public init(
    _ name: String = "", title: TextNode? = nil, image: ImageNode? = nil, contentSpacing: Double = 8,
    laysOutHorizontally: Bool = true, contentEdgeInsets: EdgeInsets = EdgeInsets(), imageAlignsAtEnd: Bool = false
  ) {
    let children: [(any LayoutElement)?] = imageAlignsAtEnd ? [title, image] : [image, title]
    let stack = StackLayoutSpec(
      laysOutHorizontally ? .horizontal : .vertical, spacing: contentSpacing, horizontalAlignment: .middle,
      verticalAlignment: .center
    ) { children.compactMap { $0 } }
    content = contentEdgeInsets == EdgeInsets() ? stack : InsetLayoutSpec(insets: contentEdgeInsets) { stack }
    super.init(name)
  }

  public override var type: NodeType { .button }
  public override func layoutSpecThatFits(_ constrainedSize: SizeRange) -> (any LayoutElement)? {
    guard let preferredFrameSize else { return content }
    return WrapperLayoutSpec { content }.styled { $0.preferredSize = preferredFrameSize }
  }
}
