/// One layout element of a cell: a node or a layout spec, as a plain value in an `ElementTree`.
///
/// Elements stand in depth-first order: an element's children follow it, and `end` is the index after its last
/// descendant, so that walking a tree is walking an array. What a kind needs beyond that shares four numbers and a
/// few option bytes; the `static func`s below say which.
@frozen
public struct Element: BitwiseCopyable, Sendable {
  @frozen
  public enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// An empty LayoutSpec, used as a spacer.
    case spec
    case wrapper, stack, inset, overlay, background, relative, ratio, absolute, `static`, corner
    /// A spec that its owner lays out, through `LeafMeasurer.layOut`.
    case custom
    /// A node with a size of its own, one that fills what it gets, or one with a layout spec (its only child).
    case node
    /// A node whose size the `LeafMeasurer` tells.
    case text

    @inlinable @inline(__always)
    public var isNode: Bool { rawValue >= Kind.node.rawValue }
  }

  public var kind: Kind
  @usableFromInline var options: (UInt8, UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 0, 0)
  /// What any of the children's styles says.
  @usableFromInline var childTraits = LayoutElementStyle.Traits()
  // Between its properties an element has no bytes that nobody sets: elements are compared as bytes.
  @usableFromInline var padding: UInt8 = 0
  /// Index after the last descendant; of the parent as long as the element is open.
  public internal(set) var end: Int32 = 0
  /// Index of the style in the tree's styles.
  public var style: Int32 = 0
  /// The owner's own number for the element; the engine passes it on untouched.
  public var tag: Int32 = 0
  @usableFromInline var childCount: Int32 = 0
  /// How many of its children both grow and shrink.
  @usableFromInline var flexibleChildren: Int32 = 0
  @usableFromInline var morePadding: Int32 = 0
  @usableFromInline var numbers: (Axes, Axes) = (.zero, .zero)

  @inlinable
  init(_ kind: Kind) { self.kind = kind }
}

/// How a relative spec places its child along one axis.
@frozen
public enum RelativeLayoutPosition: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  case none, start, center, end
}

/// Whether a relative or center spec shrinks to its child.
@frozen
public enum RelativeLayoutSizing: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  case `default`, minimumWidth, minimumHeight, minimumSize
}

@frozen
public enum AbsoluteLayoutSizing: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  case `default`, sizeToFit
}

@frozen
public enum CornerLayoutLocation: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  case topLeft, topRight, bottomLeft, bottomRight
}

/// What a stack is told. `horizontalAlignment` and `verticalAlignment` overwrite the matching one of
/// `justifyContent` and `alignItems`.
@frozen
public struct StackOptions: BitwiseCopyable, Equatable, Sendable {
  public var direction = StackLayoutDirection.horizontal
  public var justifyContent = StackLayoutJustifyContent.start
  public var alignItems = StackLayoutAlignItems.stretch
  public var flexWrap = StackLayoutFlexWrap.noWrap
  public var alignContent = StackLayoutAlignContent.start
  /// Between items and between lines, in points.
  public var spacing = 0.0
  public var lineSpacing = 0.0

  public init() {}

  public mutating func apply(horizontal: HorizontalAlignment, vertical: VerticalAlignment) {
    let rows = direction == .horizontal
    switch horizontal {
    case .none: break
    case .left: if rows { justifyContent = .start } else { alignItems = .start }
    case .middle: if rows { justifyContent = .center } else { alignItems = .center }
    case .right: if rows { justifyContent = .end } else { alignItems = .end }
    }
    switch vertical {
    case .none: break
    case .top: if rows { alignItems = .start } else { justifyContent = .start }
    case .center: if rows { alignItems = .center } else { justifyContent = .center }
    case .bottom: if rows { alignItems = .end } else { justifyContent = .end }
    }
  }
}

extension Element {
  @inlinable public static var spec: Element { Element(.spec) }
  @inlinable public static var wrapper: Element { Element(.wrapper) }
  @inlinable public static var overlay: Element { Element(.overlay) }
  @inlinable public static var background: Element { Element(.background) }
  @inlinable public static var `static`: Element { Element(.static) }
  @inlinable public static var text: Element { Element(.text) }

  @inlinable @inline(__always)
  public static func stack(_ options: StackOptions) -> Element {
    var element = Element(.stack)
    element.stack = options
    return element
  }

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
      return stack
    }
    set {
      options = (
        newValue.direction.rawValue, newValue.justifyContent.rawValue, newValue.alignItems.rawValue,
        newValue.flexWrap.rawValue, newValue.alignContent.rawValue
      )
      numbers.0 = Axes(newValue.spacing, newValue.lineSpacing)
    }
  }

  @inlinable @inline(__always)
  public static func inset(_ insets: EdgeInsets) -> Element {
    var element = Element(.inset)
    element.insets = insets
    return element
  }

  @inlinable
  public var insets: EdgeInsets {
    @inline(__always) get {
      EdgeInsets(top: numbers.0.y, left: numbers.0.x, bottom: numbers.1.y, right: numbers.1.x)
    }
    set { numbers = (newValue.leading, newValue.trailing) }
  }

  public static func relative(
    horizontal: RelativeLayoutPosition, vertical: RelativeLayoutPosition, sizing: RelativeLayoutSizing
  ) -> Element {
    var element = Element(.relative)
    element.options = (horizontal.rawValue, vertical.rawValue, sizing.rawValue, 0, 0)
    return element
  }

  /// A center spec is a relative one: centred along the named axes, unplaced along the others.
  public static func center(x: Bool, y: Bool, sizing: RelativeLayoutSizing) -> Element {
    relative(horizontal: x ? .center : .none, vertical: y ? .center : .none, sizing: sizing)
  }

  /// `ratio` is height over width.
  @inlinable @inline(__always)
  public static func ratio(_ ratio: Double) -> Element {
    var element = Element(.ratio)
    element.numbers.0.x = ratio
    return element
  }

  /// A ratio spec's height over width.
  public var ratio: Double { numbers.0.x }

  public static func absolute(_ sizing: AbsoluteLayoutSizing) -> Element {
    var element = Element(.absolute)
    element.options.0 = sizing.rawValue
    return element
  }

  public static func corner(_ location: CornerLayoutLocation, offset: Point, wrapsCorner: Bool) -> Element {
    var element = Element(.corner)
    element.options = (location.rawValue, wrapsCorner ? 1 : 0, 0, 0, 0)
    element.numbers.0 = offset.axes
    return element
  }

  /// A node without a size of its own: it fills its maximum when that is bounded, and is empty otherwise
  /// (layout-semantics 3.1). Also the node that has a layout spec, its only child.
  @inlinable public static var node: Element { Element(.node) }

  /// A node whose content has a size, such as an image.
  @inlinable @inline(__always)
  public static func node(calculatedSize size: Size) -> Element {
    var element = Element(.node)
    element.options.0 = ContentSize.one.rawValue
    element.numbers.0 = size.axes
    return element
  }

  /// A node that chooses among `count` sizes of the tree, from `first` on: the first whose width fits its maximum,
  /// else the last.
  public static func node(calculatedSizes first: Int, count: Int) -> Element {
    var element = Element(.node)
    element.options.0 = ContentSize.several.rawValue
    element.numbers.0 = Axes(Double(first), Double(count))
    return element
  }

  /// A node whose layout spec depends on the size range it is asked: its children are what it returned for the
  /// `count` ranges that stand, as minimum and maximum, among the tree's sizes from `first` on. When it is asked
  /// another, the solver notes that in its `requests`. Style and tag are those of `node`.
  public static func node(specsFor first: Int, count: Int, like node: Element = .node) -> Element {
    var element = node
    element.options.0 = ContentSize.specs.rawValue
    element.numbers.0 = Axes(Double(first), Double(count))
    return element
  }

  @inline(__always)
  var hasSpecs: Bool { kind == .node && options.0 == ContentSize.specs.rawValue }

  @inlinable public static var custom: Element { Element(.custom) }

  /// Whether it is a node that has one size and no children.
  @inline(__always)
  var isSizedLeaf: Bool { kind == .node && options.0 == ContentSize.one.rawValue && childCount == 0 }

  /// The one size of a node's content, if it has one.
  public var calculatedSize: Size? {
    kind == .node && options.0 == ContentSize.one.rawValue ? Size(numbers.0) : nil
  }

  @frozen @usableFromInline
  enum ContentSize: UInt8 { case fills, one, several, specs }
}
