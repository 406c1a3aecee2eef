/// An element of a layout: a layout spec or a node. Texture: `ASLayoutElement`.
public protocol LayoutElement {
  /// The properties that the element requests of its parent.
  var style: LayoutElementStyle { get }
}

/// A layout spec, which arranges other elements and has no frame of its own. Texture: `ASLayoutSpec`.
///
/// Specs are values, so that the layout that a node returned cannot change afterwards.
public protocol LayoutSpec: LayoutElement {
  /// The properties that the spec requests of its parent.
  var style: LayoutElementStyle { get set }
  /// The elements that the spec arranges: at most 1 if `element` is an inset, relative, center or ratio spec, and at most 2
  /// if it is an overlay, background or corner spec.
  var children: [any LayoutElement] { get }
  /// The spec as the solver's element, which cannot be that of a node.
  var element: Element { get }
  /// The name of the spec's class in AsyncDisplayKit without its prefix, for drawings of the layout.
  static var name: String { get }
}

extension LayoutSpec {
  /// The name of the type.
  public static var name: String { "\(self)" }

  /// Returns the spec with its style changed: `.styled { $0.flexGrow = 1 }`.
  public func styled(_ change: (inout LayoutElementStyle) -> Void) -> Self {
    var styled = self
    change(&styled.style)
    return styled
  }
}

/// A spec that measures and positions its children itself, like a subclass of `ASLayoutSpec`.
///
/// The solver applies the spec's `style`, as for the built-in specs.
///
///     struct ColumnsLayoutSpec: CustomLayoutSpec {
///       var style = LayoutElementStyle()
///       let children: [any LayoutElement]
///
///       func calculateLayoutThatFits(_ range: SizeRange, pass: inout CustomLayoutPass) -> Size {
///         let width = range.max.width / Double(max(pass.childCount, 1))
///         var height = 0.0
///         for child in 0..<pass.childCount {
///           let size = pass.layout(child: child, in: SizeRange(width: width), parentSize: range.max)
///           pass.place(child: child, at: Point(width * Double(child), 0))
///           height = max(height, size.height)
///         }
///         return Size(range.max.width, height)
///       }
///     }
public protocol CustomLayoutSpec: LayoutSpec {
  /// Measures the children with `pass.layout`, positions them with `pass.place`, and returns the size of the spec in points.
  ///
  /// The same range must always have the same result, because measurements are kept. The size must be valid, but is not
  /// clamped to the range. Texture: `calculateLayoutThatFits:`.
  ///
  /// - Parameters:
  ///   - constrainedSize: the range after the spec's style, in points.
  ///   - pass: the access to the children, which is valid during the call.
  func calculateLayoutThatFits(_ constrainedSize: SizeRange, pass: inout CustomLayoutPass) -> Size
}

extension CustomLayoutSpec {
  public var element: Element { .custom }
}

/// The result builder for the children of a spec: elements, optional elements, arrays of elements, `if` and `for`.
@resultBuilder
public enum LayoutElementBuilder {
  /// Returns an element.
  public static func buildExpression(_ element: any LayoutElement) -> [any LayoutElement] { [element] }
  /// Returns an element, or nothing for nil.
  public static func buildExpression(_ element: (any LayoutElement)?) -> [any LayoutElement] {
    element.map { [$0] } ?? []
  }
  /// Returns the elements of an array.
  public static func buildExpression(_ elements: [any LayoutElement]) -> [any LayoutElement] { elements }
  /// Returns the elements of all statements.
  public static func buildBlock(_ parts: [any LayoutElement]...) -> [any LayoutElement] { parts.flatMap { $0 } }
  /// Returns the elements of an `if` without `else`.
  public static func buildOptional(_ part: [any LayoutElement]?) -> [any LayoutElement] { part ?? [] }
  /// Returns the elements of the first branch of an `if`.
  public static func buildEither(first: [any LayoutElement]) -> [any LayoutElement] { first }
  /// Returns the elements of the second branch of an `if`.
  public static func buildEither(second: [any LayoutElement]) -> [any LayoutElement] { second }
  /// Returns the elements of all iterations of a `for`.
  public static func buildArray(_ parts: [[any LayoutElement]]) -> [any LayoutElement] { parts.flatMap { $0 } }
}
