/// A spec whose children are one after the other and flexible (layout-semantics 5). Texture: `ASStackLayoutSpec`.
///
///     StackLayoutSpec(.vertical, spacing: 8) {
///       ImageNode("photo", imageSize: Size(300, 200))
///       TextNode("caption", caption, font: "body")
///     }
public struct StackLayoutSpec: LayoutSpec {
  public var style = LayoutElementStyle()
  /// The children in the order of the main axis.
  public var children: [any LayoutElement]
  /// The properties of the stack. If the direction changes, `horizontalAlignment` and `verticalAlignment` set the property
  /// of their new axis; that of the other axis keeps its value.
  public var options: StackOptions {
    didSet { if options.direction != oldValue.direction { resolveAlignments() } }
  }
  /// An alignment that sets the property of its axis, unless it is `none`.
  public var horizontalAlignment: HorizontalAlignment { didSet { resolveAlignments() } }
  /// An alignment that sets the property of its axis, unless it is `none`.
  public var verticalAlignment: VerticalAlignment { didSet { resolveAlignments() } }

  /// Creates a stack.
  ///
  /// - Parameters:
  ///   - direction: the direction of the main axis.
  ///   - spacing: the space between two children, in points.
  ///   - justifyContent: the distribution of the children along the main axis.
  ///   - alignItems: the alignment of the children along the cross axis.
  ///   - flexWrap: whether the stack has several lines.
  ///   - alignContent: the distribution of the lines of a stack that wraps.
  ///   - lineSpacing: the space between two lines of a stack that wraps, in points.
  ///   - horizontalAlignment: an alignment that overrides the property of its axis, unless it is `none`.
  ///   - verticalAlignment: an alignment that overrides the property of its axis, unless it is `none`.
  ///   - children: the children in the order of the main axis.
  public init(
    _ direction: StackLayoutDirection = .horizontal, spacing: Double = 0,
    justifyContent: StackLayoutJustifyContent = .start, alignItems: StackLayoutAlignItems = .stretch,
    flexWrap: StackLayoutFlexWrap = .noWrap, alignContent: StackLayoutAlignContent = .start, lineSpacing: Double = 0,
    horizontalAlignment: HorizontalAlignment = .none, verticalAlignment: VerticalAlignment = .none,
    @LayoutElementBuilder children: () -> [any LayoutElement]
  ) {
    options = StackOptions()
    options.direction = direction
    options.spacing = spacing
    options.justifyContent = justifyContent
    options.alignItems = alignItems
    options.flexWrap = flexWrap
    options.alignContent = alignContent
    options.lineSpacing = lineSpacing
    self.horizontalAlignment = horizontalAlignment
    self.verticalAlignment = verticalAlignment
    self.children = children()
    resolveAlignments()
  }

  private mutating func resolveAlignments() {
    options.apply(horizontal: horizontalAlignment, vertical: verticalAlignment)
  }

  public var element: Element { .stack(options) }
}
