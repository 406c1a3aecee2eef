/// A layout element of a cell, which is a node or a layout spec, as a plain value in an `ElementTree`. Texture:
/// `ASLayoutElement`.
///
/// Elements are in depth-first order: the children of an element follow it, and `end` is the index after its last
/// descendant, so that a tree is traversed as an array. The properties of a kind share four numbers and five bytes. The
/// static functions create elements of each kind.
///
///     var tree = ElementTree()
///     let inset = tree.open(.inset(EdgeInsets(8)))
///     tree.add(.node(calculatedSize: Size(60, 60)))
///     tree.close(inset)
@frozen
public struct Element: BitwiseCopyable, Sendable {
  /// The kind of an element, which determines how it is laid out (layout-semantics 3 to 5 and 11).
  @frozen
  public enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// An empty spec, used as a spacer. Texture: `ASLayoutSpec`.
    case spec
    /// Children over each other, each in the whole range. Texture: `ASWrapperLayoutSpec`.
    case wrapper
    /// Children one after the other. Texture: `ASStackLayoutSpec`.
    case stack
    /// A child with distances around it. Texture: `ASInsetLayoutSpec`.
    case inset
    /// A child and an element over it. Texture: `ASOverlayLayoutSpec`.
    case overlay
    /// A child and an element behind it. Texture: `ASBackgroundLayoutSpec`.
    case background
    /// A child at a corner, an edge or in the middle. Texture: `ASRelativeLayoutSpec` and `ASCenterLayoutSpec`.
    case relative
    /// A child with a ratio of height to width. Texture: `ASRatioLayoutSpec`.
    case ratio
    /// Children at their `layoutPosition`. Texture: `ASAbsoluteLayoutSpec`.
    case absolute
    /// Children at their `layoutPosition`, sized by their `sizeRange`. AsyncDisplayKit 1.x: `ASStaticLayoutSpec`.
    case `static`
    /// A child and an element at one of its corners. Texture: `ASCornerLayoutSpec`.
    case corner
    /// A spec that its owner lays out, with `LeafMeasurer.layOut`.
    case custom
    /// A node with a size of its own, a node that fills its range, or a node with a layout spec. Texture:
    /// `ASDisplayNode`.
    case node
    /// A node whose size the `LeafMeasurer` determines. Texture: `ASTextNode`.
    case text
    /// A node with a content that can be larger than it is. Texture: `ASScrollNode`.
    case scroll

    /// Whether elements of the kind are nodes, which have frames.
    @inlinable @inline(__always)
    public var isNode: Bool { rawValue >= Kind.node.rawValue }
  }

  /// The kind of the element.
  public var kind: Kind
  /// The raw values of the kind's properties.
  @usableFromInline var options: (UInt8, UInt8, UInt8, UInt8, UInt8)
  /// The union of the traits of the children's styles.
  @usableFromInline var childTraits = LayoutElementStyle.Traits()
  // Elements are compared as bytes, so that the padding between their properties must be set too.
  @usableFromInline var padding: UInt8 = 0
  /// The index after the last descendant; as long as the element is open, the index of its parent.
  public internal(set) var end: Int32 = 0
  /// The index of the style among the tree's styles.
  public var style: Int32 = 0
  /// A number by which the owner identifies the element. The engine passes it to the `LeafMeasurer`.
  public var tag: Int32 = 0
  @usableFromInline var childCount: Int32 = 0
  /// The number of children that both grow and shrink.
  @usableFromInline var flexibleChildren: Int32 = 0
  @usableFromInline var morePadding: Int32 = 0
  @usableFromInline var numbers: (Axes, Axes)

  @inlinable @inline(__always)
  init(
    _ kind: Kind, _ options: (UInt8, UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 0, 0),
    numbers: (Axes, Axes) = (.zero, .zero)
  ) {
    self.kind = kind
    self.options = options
    self.numbers = numbers
  }
}

/// The position of a relative spec's child along one axis. Texture: `ASRelativeLayoutSpecPosition`.
@frozen
public enum RelativeLayoutPosition: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// The child is at the start, and at least as large as the minimum of the spec's range.
  case none
  /// The child is at the start: left or top.
  case start
  /// The child is in the middle.
  case center
  /// The child is at the end: right or bottom.
  case end
}

/// The axes along which a relative or center spec is at most as large as its child. Texture:
/// `ASRelativeLayoutSpecSizingOption`.
@frozen
public enum RelativeLayoutSizing: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// The spec fills its range where that is bounded.
  case `default`
  /// The spec is at most as wide as its child.
  case minimumWidth
  /// The spec is at most as high as its child.
  case minimumHeight
  /// The spec is at most as wide and as high as its child.
  case minimumSize
}

/// The size of an absolute spec. Texture: `ASAbsoluteLayoutSpecSizing`.
@frozen
public enum AbsoluteLayoutSizing: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// The spec fills its range where that is bounded.
  case `default`
  /// The spec is as large as its children reach.
  case sizeToFit
}

/// The corner of the child at which a corner spec has its second element. Texture: `ASCornerLayoutLocation`.
@frozen
public enum CornerLayoutLocation: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// The upper left corner.
  case topLeft
  /// The upper right corner.
  case topRight
  /// The lower left corner.
  case bottomLeft
  /// The lower right corner.
  case bottomRight
}

extension Element {
  /// An empty spec, which is a spacer.
  @inlinable public static var spec: Element { Element(.spec) }
  /// A spec whose children are over each other.
  @inlinable public static var wrapper: Element { Element(.wrapper) }
  /// A spec of a child and, as its second child, an element over it.
  @inlinable public static var overlay: Element { Element(.overlay) }
  /// A spec of a child and, as its second child, an element behind it.
  @inlinable public static var background: Element { Element(.background) }
  /// A spec whose children are at their `layoutPosition` and sized by their `sizeRange`.
  @inlinable public static var `static`: Element { Element(.static) }
  /// A node whose size the `LeafMeasurer` determines.
  @inlinable public static var text: Element { Element(.text) }

  /// Returns a stack spec.
  @inlinable @inline(__always)
  public static func stack(_ options: StackOptions) -> Element {
    var element = Element(.stack)
    element.stack = options
    return element
  }

  /// The properties of a stack spec; meaningless for other kinds.
  @inlinable
  public var stack: StackOptions {
    @inline(__always) get {
      var stack = StackOptions()
      stack.direction = unsafeBitCast(options.0, to: StackLayoutDirection.self)
      stack.justifyContent = unsafeBitCast(options.1, to: StackLayoutJustifyContent.self)
      stack.alignItems = unsafeBitCast(options.2, to: StackLayoutAlignItems.self)
      stack.flexWrap = unsafeBitCast(options.3, to: StackLayoutFlexWrap.self)
      stack.alignContent = unsafeBitCast(options.4, to: StackLayoutAlignContent.self)
      stack.spacing = numbers.0.x
      stack.lineSpacing = numbers.0.y
      stack.baselineRelativeArrangement = numbers.1.x != 0
      return stack
    }
    set {
      options = (
        newValue.direction.rawValue, newValue.justifyContent.rawValue, newValue.alignItems.rawValue,
        newValue.flexWrap.rawValue, newValue.alignContent.rawValue
      )
      numbers.0 = Axes(newValue.spacing, newValue.lineSpacing)
      numbers.1.x = newValue.baselineRelativeArrangement ? 1 : 0
    }
  }

  /// Returns an inset spec with distances around its child, in points.
  @inlinable @inline(__always)
  public static func inset(_ insets: EdgeInsets) -> Element {
    Element(.inset, numbers: (insets.leading, insets.trailing))
  }

  /// The distances of an inset spec, in points; meaningless for other kinds.
  @inlinable
  public var insets: EdgeInsets {
    @inline(__always) get {
      EdgeInsets(top: numbers.0.y, left: numbers.0.x, bottom: numbers.1.y, right: numbers.1.x)
    }
    set { numbers = (newValue.leading, newValue.trailing) }
  }

  /// Returns a relative spec, which positions its child along both axes.
  public static func relative(
    horizontal: RelativeLayoutPosition, vertical: RelativeLayoutPosition, sizing: RelativeLayoutSizing
  ) -> Element {
    Element(.relative, (horizontal.rawValue, vertical.rawValue, sizing.rawValue, 0, 0))
  }

  /// Returns a center spec: a relative spec whose child is centred along the given axes, and has the position `none` along
  /// the others.
  public static func center(x: Bool, y: Bool, sizing: RelativeLayoutSizing) -> Element {
    relative(horizontal: x ? .center : .none, vertical: y ? .center : .none, sizing: sizing)
  }

  /// Returns a ratio spec. `ratio` is the height divided by the width.
  @inlinable @inline(__always)
  public static func ratio(_ ratio: Double) -> Element {
    Element(.ratio, numbers: (Axes(ratio, 0), .zero))
  }

  /// The height of a ratio spec divided by its width; meaningless for other kinds.
  public var ratio: Double { numbers.0.x }

  /// Returns an absolute spec, whose children are at their `layoutPosition`.
  public static func absolute(_ sizing: AbsoluteLayoutSizing) -> Element {
    Element(.absolute, (sizing.rawValue, 0, 0, 0, 0))
  }

  /// Returns a corner spec of a child and, as its second child, an element at one of its corners.
  ///
  /// - Parameters:
  ///   - location: the corner of the child.
  ///   - offset: the distance of the element's centre from the corner, in points.
  ///   - wrapsCorner: whether the spec is as large as both elements, or only as large as the child.
  public static func corner(_ location: CornerLayoutLocation, offset: Point, wrapsCorner: Bool) -> Element {
    Element(.corner, (location.rawValue, wrapsCorner ? 1 : 0, 0, 0, 0), numbers: (offset.axes, .zero))
  }

  /// A node without a size of its own: it fills its maximum if that is bounded, and is empty otherwise
  /// (layout-semantics 3.1); or a node with a layout spec, which is its only child.
  @inlinable public static var node: Element { Element(.node) }

  /// Returns a node whose content has a size in points, such as an image.
  @inlinable @inline(__always)
  public static func node(calculatedSize size: Size) -> Element {
    Element(.node, (ContentSize.one.rawValue, 0, 0, 0, 0), numbers: (size.axes, .zero))
  }

  /// Returns a node that has one of `count` sizes of the tree, from the index `first` on: the first size whose width fits
  /// its maximum, otherwise the last.
  public static func node(calculatedSizes first: Int, count: Int) -> Element {
    Element(.node, (ContentSize.several.rawValue, 0, 0, 0, 0), numbers: (Axes(Double(first), Double(count)), .zero))
  }

  /// Returns a node whose layout spec depends on its size range (Texture: `layoutSpecThatFits:`).
  ///
  /// Its children are the specs for `count` ranges. The minimum and maximum of each range are among the sizes of the tree,
  /// from the index `first` on. If the node is measured in another range, the solver adds a `SpecRequest` to its
  /// `requests`. The style and the tag are those of `node`.
  public static func node(specsFor first: Int, count: Int, like node: Element = .node) -> Element {
    var element = node
    element.options.0 = ContentSize.specs.rawValue
    element.numbers.0 = Axes(Double(first), Double(count))
    return element
  }

  /// Whether it is a node with a layout spec for each range.
  @inline(__always)
  var hasSpecs: Bool { kind == .node && options.0 == ContentSize.specs.rawValue }

  /// A spec that its owner lays out, with `LeafMeasurer.layOut`.
  @inlinable public static var custom: Element { Element(.custom) }

  /// Whether it is a node that has one size and no children.
  @inline(__always)
  var isSizedLeaf: Bool { kind == .node && options.0 == ContentSize.one.rawValue && childCount == 0 }

  /// Whether the sizes of its style have an effect (layout-semantics 3).
  var hasOwnSize: Bool { kind != .inset && kind != .overlay && kind != .background && kind != .scroll }

  /// The way in which a node gets the size of its content.
  @frozen @usableFromInline
  enum ContentSize: UInt8 { case fills, one, several, specs }
}
