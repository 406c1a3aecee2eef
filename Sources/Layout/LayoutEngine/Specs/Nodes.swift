// The nodes with a content of their own (layout-semantics 3.1).

/// A text of runs in named fonts. Texture: `ASTextNode`.
///
/// The function that measures texts, such as `TextFonts` of `TextMeasuring`, knows the fonts by their names.
public final class TextNode: DisplayNode {
  /// A run of a text in one font.
  public struct Run {
    /// The characters of the run.
    public var text: String
    /// The name of the font.
    public var font: String

    /// Creates a run of characters in a font.
    public init(_ text: String, font: String) {
      self.text = text
      self.font = font
    }
  }

  /// The runs in their order.
  public let runs: [Run]
  /// The most lines that are shown; 0 is without a limit.
  public let maximumNumberOfLines: Int
  /// The string at the end of the last line of a text that is cut.
  public let truncation: String
  /// The space between two lines, in points.
  public let lineSpacing: Double
  /// The distances between the lines and the frame, in points. Texture: `textContainerInset`.
  public var textContainerInset = EdgeInsets()
  /// The rectangles beside which lines are shorter, at most eight. Texture: `exclusionPaths`.
  public var exclusionPaths: [ExclusionPath] = []

  /// Creates a text of runs.
  ///
  /// - Parameters:
  ///   - name: the name of the node in the frame table.
  ///   - runs: the runs in their order.
  ///   - maximumNumberOfLines: the most lines that are shown; 0 is without a limit.
  ///   - truncation: the string at the end of the last line of a text that is cut.
  ///   - lineSpacing: the space between two lines, in points.
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

  /// Creates a text of one run.
  public convenience init(_ name: String = "", _ text: String, font: String, maximumNumberOfLines: Int = 0) {
    self.init(name, runs: [Run(text, font: font)], maximumNumberOfLines: maximumNumberOfLines)
  }

  /// The type of the node.
  public override var type: NodeType { .text }
}

/// An image that is available. Texture: `ASImageNode`.
public final class ImageNode: DisplayNode {
  private let imageSize: Size?

  /// Creates an image.
  ///
  /// - Parameters:
  ///   - name: the name of the node in the frame table.
  ///   - imageSize: the size of the image in points, or nil if there is no image yet.
  public init(_ name: String = "", imageSize: Size?) {
    self.imageSize = imageSize
    super.init(name)
  }

  /// The type of the node.
  public override var type: NodeType { .image }
  /// Returns the size of the image in points.
  public override func calculateSizeThatFits(_ constrainedSize: Size) -> Size? { preferredFrameSize ?? imageSize }
}

/// A node of a fetched resource, which has no size of its own before it is fetched. The functions `NetworkImageNode`,
/// `MultiplexImageNode`, `VideoNode` and `VideoPlayerNode` create such nodes.
public final class NetworkNode: DisplayNode {
  private let kind: NodeType
  private let address: String?

  init(_ kind: NodeType, _ name: String, _ url: String?) {
    self.kind = kind
    address = url
    super.init(name)
  }

  /// The type of the node.
  public override var type: NodeType { kind }
  /// The address of the resource.
  public override var url: String? { address }
}

/// Returns an image that is fetched. Texture: `ASNetworkImageNode`.
public func NetworkImageNode(_ name: String = "", url: String? = nil) -> NetworkNode {
  NetworkNode(.networkImage, name, url)
}

/// Returns an image that is fetched in several versions. Texture: `ASMultiplexImageNode`.
public func MultiplexImageNode(_ name: String = "", url: String? = nil) -> NetworkNode {
  NetworkNode(.multiplexImage, name, url)
}

/// Returns a video. Texture: `ASVideoNode`.
public func VideoNode(_ name: String = "", url: String? = nil) -> NetworkNode { NetworkNode(.video, name, url) }

/// Returns a video with controls. AsyncDisplayKit: `ASVideoPlayerNode`.
public func VideoPlayerNode(_ name: String = "", url: String? = nil) -> NetworkNode {
  NetworkNode(.videoPlayer, name, url)
}

/// A button: an image and a title, one after the other and centred (layout-semantics 3.1). Texture: `ASButtonNode`.
public final class ButtonNode: DisplayNode {
  private let content: any LayoutElement

  /// Creates a button.
  ///
  /// - Parameters:
  ///   - name: the name of the node in the frame table.
  ///   - title: the title, if any. Its `flexShrink` becomes 1.
  ///   - image: the image, if any.
  ///   - contentSpacing: the space between the image and the title, in points.
  ///   - laysOutHorizontally: whether the image and the title are side by side, or one below the other.
  ///   - contentEdgeInsets: the distances around the image and the title, in points.
  ///   - imageAlignsAtEnd: whether the image comes after the title.
  public init(
    _ name: String = "", title: TextNode? = nil, image: ImageNode? = nil, contentSpacing: Double = 8,
    laysOutHorizontally: Bool = true, contentEdgeInsets: EdgeInsets = EdgeInsets(), imageAlignsAtEnd: Bool = false
  ) {
    title?.style.flexShrink = 1
    let children: [(any LayoutElement)?] = imageAlignsAtEnd ? [title, image] : [image, title]
    let stack = StackLayoutSpec(
      laysOutHorizontally ? .horizontal : .vertical, spacing: contentSpacing, horizontalAlignment: .middle,
      verticalAlignment: .center
    ) { children.compactMap { $0 } }
    content = contentEdgeInsets == EdgeInsets() ? stack : InsetLayoutSpec(insets: contentEdgeInsets) { stack }
    super.init(name)
  }

  /// The type of the node.
  public override var type: NodeType { .button }
  /// Returns the layout of the image and the title.
  public override func layoutSpecThatFits(_ constrainedSize: SizeRange) -> (any LayoutElement)? {
    guard let preferredFrameSize else { return content }
    return WrapperLayoutSpec { content }.styled { $0.preferredSize = preferredFrameSize }
  }
}
