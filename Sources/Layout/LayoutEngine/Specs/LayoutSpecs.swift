// The layout specs (layout-semantics 4, 5 and 11), with the names and defaults of AsyncDisplayKit.

/// A spec of a child with distances around it; an infinite distance leaves that edge free (layout-semantics 4). Texture:
/// `ASInsetLayoutSpec`.
public struct InsetLayoutSpec: LayoutSpec {
  public var style = LayoutElementStyle()
  /// The child.
  public var children: [any LayoutElement]
  /// The distances around the child, in points.
  public var insets: EdgeInsets

  /// Creates a spec of a child with distances around it, in points.
  public init(insets: EdgeInsets, child: () -> any LayoutElement) {
    self.insets = insets
    children = [child()]
  }

  public var element: Element { .inset(insets) }
}

/// A spec of a child and an element over it that has exactly its size (layout-semantics 4). Texture:
/// `ASOverlayLayoutSpec`.
public struct OverlayLayoutSpec: LayoutSpec {
  public var style = LayoutElementStyle()
  /// The child, and the element over it if there is one.
  public var children: [any LayoutElement]

  /// Creates a spec of a child, which determines the size, and an element over it.
  public init(child: any LayoutElement, overlay: (any LayoutElement)? = nil) {
    children = [child] + (overlay.map { [$0] } ?? [])
  }

  public var element: Element { .overlay }
}

/// A spec of a child and an element behind it that has exactly its size (layout-semantics 4). Texture:
/// `ASBackgroundLayoutSpec`.
public struct BackgroundLayoutSpec: LayoutSpec {
  public var style = LayoutElementStyle()
  /// The child, and the element behind it if there is one.
  public var children: [any LayoutElement]

  /// Creates a spec of a child, which determines the size, and an element behind it.
  public init(child: any LayoutElement, background: (any LayoutElement)? = nil) {
    children = [child] + (background.map { [$0] } ?? [])
  }

  public var element: Element { .background }
}

/// A spec of a child in the middle (layout-semantics 4). Texture: `ASCenterLayoutSpec`.
public struct CenterLayoutSpec: LayoutSpec {
  /// The axes along which the child is centred. Texture: `ASCenterLayoutSpecCenteringOptions`.
  public enum Centering: Sendable {
    /// The child is centred along no axis.
    case none
    /// The child is centred horizontally.
    case x
    /// The child is centred vertically.
    case y
    /// The child is centred along both axes.
    case xy
  }

  public var style = LayoutElementStyle()
  /// The child.
  public var children: [any LayoutElement]
  /// The axes along which the child is centred.
  public var centering: Centering
  /// The axes along which the spec is at most as large as its child.
  public var sizing: RelativeLayoutSizing

  /// Creates a spec of a child in the middle.
  public init(
    _ centering: Centering = .xy, sizing: RelativeLayoutSizing = .default, child: () -> any LayoutElement
  ) {
    self.centering = centering
    self.sizing = sizing
    children = [child()]
  }

  public var element: Element {
    .center(x: centering == .x || centering == .xy, y: centering == .y || centering == .xy, sizing: sizing)
  }
}

/// A spec of a child at a corner, an edge or in the middle (layout-semantics 4). Texture: `ASRelativeLayoutSpec`.
public struct RelativeLayoutSpec: LayoutSpec {
  public var style = LayoutElementStyle()
  /// The child.
  public var children: [any LayoutElement]
  /// The horizontal position of the child.
  public var horizontal: RelativeLayoutPosition
  /// The vertical position of the child.
  public var vertical: RelativeLayoutPosition
  /// The axes along which the spec is at most as large as its child.
  public var sizing: RelativeLayoutSizing

  /// Creates a spec that positions a child along both axes.
  public init(
    horizontal: RelativeLayoutPosition = .none, vertical: RelativeLayoutPosition = .none,
    sizing: RelativeLayoutSizing = .default, child: () -> any LayoutElement
  ) {
    self.horizontal = horizontal
    self.vertical = vertical
    self.sizing = sizing
    children = [child()]
  }

  public var element: Element { .relative(horizontal: horizontal, vertical: vertical, sizing: sizing) }
}

/// A spec of a child whose height is `ratio` times its width (layout-semantics 4). Texture: `ASRatioLayoutSpec`.
public struct RatioLayoutSpec: LayoutSpec {
  public var style = LayoutElementStyle()
  /// The child.
  public var children: [any LayoutElement]
  /// The height divided by the width.
  public var ratio: Double

  /// Creates a spec of a child whose height is `ratio` times its width.
  public init(ratio: Double, child: () -> any LayoutElement) {
    self.ratio = ratio
    children = [child()]
  }

  public var element: Element { .ratio(ratio) }
}

/// A spec of children at the `layoutPosition` of their style (layout-semantics 4). Texture: `ASAbsoluteLayoutSpec`.
public struct AbsoluteLayoutSpec: LayoutSpec {
  public var style = LayoutElementStyle()
  /// The children.
  public var children: [any LayoutElement]
  /// Whether the spec fills its range or fits its children.
  public var sizing: AbsoluteLayoutSizing

  /// Creates a spec of children at their `layoutPosition`.
  public init(
    sizing: AbsoluteLayoutSizing = .default, @LayoutElementBuilder children: () -> [any LayoutElement]
  ) {
    self.sizing = sizing
    self.children = children()
  }

  public var element: Element { .absolute(sizing) }
}

/// A spec of children at the `layoutPosition` of their style, with the sizes of their `sizeRange`. It is as large as its
/// children reach (layout-semantics 11). AsyncDisplayKit 1.x: `ASStaticLayoutSpec`.
public struct StaticLayoutSpec: LayoutSpec {
  public var style = LayoutElementStyle()
  /// The children.
  public var children: [any LayoutElement]

  /// Creates a spec of children.
  public init(@LayoutElementBuilder children: () -> [any LayoutElement]) { self.children = children() }

  public var element: Element { .static }
}

/// A spec of a child and an element whose centre is at one of its corners (layout-semantics 4). Texture:
/// `ASCornerLayoutSpec`.
public struct CornerLayoutSpec: LayoutSpec {
  public var style = LayoutElementStyle()
  /// The child and the element at its corner.
  public var children: [any LayoutElement]
  /// The corner of the child.
  public var location: CornerLayoutLocation
  /// The distance of the element's centre from the corner, in points.
  public var offset: Point
  /// Whether the spec is as large as both elements, or only as large as the child.
  public var wrapsCorner: Bool

  /// Creates a spec of a child and an element at one of its corners.
  ///
  /// - Parameters:
  ///   - child: the child.
  ///   - corner: the element at the corner.
  ///   - location: the corner of the child.
  ///   - offset: the distance of the element's centre from the corner, in points.
  ///   - wrapsCorner: whether the spec is as large as both elements, or only as large as the child.
  public init(
    child: any LayoutElement, corner: any LayoutElement, location: CornerLayoutLocation, offset: Point = .zero,
    wrapsCorner: Bool = false
  ) {
    children = [child, corner]
    self.location = location
    self.offset = offset
    self.wrapsCorner = wrapsCorner
  }

  public var element: Element { .corner(location, offset: offset, wrapsCorner: wrapsCorner) }
}

/// A spec of children over each other, each of which is measured in the whole range (layout-semantics 4). Texture:
/// `ASWrapperLayoutSpec`.
public struct WrapperLayoutSpec: LayoutSpec {
  public var style = LayoutElementStyle()
  /// The children, from the lowest to the uppermost.
  public var children: [any LayoutElement]

  /// Creates a spec of children.
  public init(@LayoutElementBuilder children: () -> [any LayoutElement]) { self.children = children() }

  public var element: Element { .wrapper }
}

/// An empty layout spec: a spacer, which is as small as its range and its style allow. Texture: `ASLayoutSpec`.
public struct Spacer: LayoutSpec {
  /// The name of the class in AsyncDisplayKit.
  public static var name: String { "LayoutSpec" }
  public var style = LayoutElementStyle()
  /// The children, of which a spacer has none.
  public var children: [any LayoutElement] { [] }

  /// Creates a spacer that takes a share of the spare length of its stack.
  public init(flexGrow: Double = 0) { style.flexGrow = flexGrow }

  public var element: Element { .spec }
}
