// The layout specs, with AsyncDisplayKit's names and defaults.

/// Children one after the other, flexible like those of a CSS flexbox.
public struct StackLayoutSpec: LayoutSpec {
  public var style = LayoutElementStyle()
  public var children: [any LayoutElement]
  public var options: StackOptions

  /// - Parameters:
  ///   - spacing: points between children.
  ///   - lineSpacing: points between the lines of a stack that wraps.
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
    options.apply(horizontal: horizontalAlignment, vertical: verticalAlignment)
    self.children = children()
  }

  public var element: Element { .stack(options) }
}

/// A child with distances around it; an infinite one leaves that side free.
public struct InsetLayoutSpec: LayoutSpec {
  public var style = LayoutElementStyle()
  public var children: [any LayoutElement]
  public var insets: EdgeInsets

  public init(insets: EdgeInsets, child: () -> any LayoutElement) {
    self.insets = insets
    children = [child()]
  }

  public var element: Element { .inset(insets) }
}

/// An element of exactly a child's size over it.
public struct OverlayLayoutSpec: LayoutSpec {
  public var style = LayoutElementStyle()
  public var children: [any LayoutElement]

  public init(child: any LayoutElement, overlay: (any LayoutElement)? = nil) {
    children = [child] + (overlay.map { [$0] } ?? [])
  }

  public var element: Element { .overlay }
}

/// An element of exactly a child's size behind it.
public struct BackgroundLayoutSpec: LayoutSpec {
  public var style = LayoutElementStyle()
  public var children: [any LayoutElement]

  public init(child: any LayoutElement, background: (any LayoutElement)? = nil) {
    children = [child] + (background.map { [$0] } ?? [])
  }

  public var element: Element { .background }
}

/// A child in the middle.
public struct CenterLayoutSpec: LayoutSpec {
  /// The axes along which it is centred.
  public enum Centering: Sendable { case none, x, y, xy }

  public var style = LayoutElementStyle()
  public var children: [any LayoutElement]
  public var centering: Centering
  public var sizing: RelativeLayoutSizing

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

/// A child at a corner, an edge or in the middle.
public struct RelativeLayoutSpec: LayoutSpec {
  public var style = LayoutElementStyle()
  public var children: [any LayoutElement]
  public var horizontal: RelativeLayoutPosition
  public var vertical: RelativeLayoutPosition
  public var sizing: RelativeLayoutSizing

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

/// A child whose height is `ratio` times its width.
public struct RatioLayoutSpec: LayoutSpec {
  public var style = LayoutElementStyle()
  public var children: [any LayoutElement]
  public var ratio: Double

  public init(ratio: Double, child: () -> any LayoutElement) {
    self.ratio = ratio
    children = [child()]
  }

  public var element: Element { .ratio(ratio) }
}

/// Children at their `layoutPosition`.
public struct AbsoluteLayoutSpec: LayoutSpec {
  public var style = LayoutElementStyle()
  public var children: [any LayoutElement]
  public var sizing: AbsoluteLayoutSizing

  public init(
    sizing: AbsoluteLayoutSizing = .default, @LayoutElementBuilder children: () -> [any LayoutElement]
  ) {
    self.sizing = sizing
    self.children = children()
  }

  public var element: Element { .absolute(sizing) }
}

/// 1.x: children at their `layoutPosition`, sized by their `sizeRange`; always fits them.
public struct StaticLayoutSpec: LayoutSpec {
  public var style = LayoutElementStyle()
  public var children: [any LayoutElement]

  public init(@LayoutElementBuilder children: () -> [any LayoutElement]) { self.children = children() }

  public var element: Element { .static }
}

/// An element at a corner of a child.
public struct CornerLayoutSpec: LayoutSpec {
  public var style = LayoutElementStyle()
  public var children: [any LayoutElement]
  public var location: CornerLayoutLocation
  public var offset: Point
  public var wrapsCorner: Bool

  /// - Parameter wrapsCorner: whether the spec is as large as both, or as large as the child.
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

/// Children over each other, each in the whole range.
public struct WrapperLayoutSpec: LayoutSpec {
  public var style = LayoutElementStyle()
  public var children: [any LayoutElement]

  public init(@LayoutElementBuilder children: () -> [any LayoutElement]) { self.children = children() }

  public var element: Element { .wrapper }
}

/// An empty LayoutSpec: a spacer.
public struct Spacer: LayoutSpec {
  public static var name: String { "LayoutSpec" }
  public var style = LayoutElementStyle()
  public var children: [any LayoutElement] { [] }

  public init(flexGrow: Double = 0) { style.flexGrow = flexGrow }

  public var element: Element { .spec }
}
