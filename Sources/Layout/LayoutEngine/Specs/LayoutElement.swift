/// A layout spec or a node (ASLayoutElement).
public protocol LayoutElement {
  /// What it asks of its parent.
  var style: LayoutElementStyle { get }
}

/// A layout spec: a value, so what a node returned as its layout nobody changes afterwards.
public protocol LayoutSpec: LayoutElement {
  var style: LayoutElementStyle { get set }
  var children: [any LayoutElement] { get }
  /// How the solver sees it.
  var element: Element { get }
  /// Its class's name in AsyncDisplayKit, without the prefix.
  static var name: String { get }
}

extension LayoutSpec {
  public static var name: String { "\(self)" }

  /// The spec with its style changed: `.styled { $0.flexGrow = 1 }`.
  public func styled(_ change: (inout LayoutElementStyle) -> Void) -> Self {
    var styled = self
    change(&styled.style)
    return styled
  }
}

/// A spec that sizes and places its children itself: what a subclass of ASLayoutSpec is.
///
/// Its `style` is the solver's to heed, as for the built-in specs: `calculateLayoutThatFits` gets the range that is
/// left after it.
public protocol CustomLayoutSpec: LayoutSpec {
  /// Measures the children with `pass.layout`, places them with `pass.place`, and returns the spec's size in points.
  /// The same question must always get the same answer: answers are remembered.
  func calculateLayoutThatFits(_ constrainedSize: SizeRange, pass: inout CustomLayoutPass) -> Size
}

extension CustomLayoutSpec {
  public var element: Element { .custom }
}

/// What stands between the braces of a spec: elements, `if`, `for`.
@resultBuilder
public enum LayoutElementBuilder {
  public static func buildExpression(_ element: any LayoutElement) -> [any LayoutElement] { [element] }
  public static func buildExpression(_ element: (any LayoutElement)?) -> [any LayoutElement] {
    element.map { [$0] } ?? []
  }
  public static func buildExpression(_ elements: [any LayoutElement]) -> [any LayoutElement] { elements }
  public static func buildBlock(_ parts: [any LayoutElement]...) -> [any LayoutElement] { parts.flatMap { $0 } }
  public static func buildOptional(_ part: [any LayoutElement]?) -> [any LayoutElement] { part ?? [] }
  public static func buildEither(first: [any LayoutElement]) -> [any LayoutElement] { first }
  public static func buildEither(second: [any LayoutElement]) -> [any LayoutElement] { second }
  public static func buildArray(_ parts: [[any LayoutElement]]) -> [any LayoutElement] { parts.flatMap { $0 } }
}
