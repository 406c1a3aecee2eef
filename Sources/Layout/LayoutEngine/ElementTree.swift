import Buffers

/// The elements of one cell, their styles, and the sizes that their contents can have: a flat arena that is emptied and
/// filled again for each cell.
///
/// A cell has exactly one root element, its layout spec. A tree is built depth first: `open` adds an element, then come its
/// children, then `close` ends it.
///
///     var tree = ElementTree()
///     let stack = tree.open(.stack(StackOptions()))
///     tree.add(.node(calculatedSize: Size(60, 60)))
///     tree.add(.text)
///     tree.close(stack)
public struct ElementTree: ~Copyable {
  /// The elements in depth-first order.
  public private(set) var elements = FlatBuffer<Element>(capacity: 64)
  /// The styles that the elements refer to.
  public var styles = FlatBuffer<LayoutElementStyle>(capacity: 64)
  /// The sizes and ranges that nodes refer to, in points.
  public var sizes = FlatBuffer<Size>(capacity: 16)

  /// The generation whose rules the tree is laid out by.
  public var generation = LayoutGeneration.second
  /// The union of the traits of the elements' styles.
  private(set) var traits = LayoutElementStyle.Traits()
  /// Whether any stack aligns its children by baselines. Otherwise no baselines are kept.
  private(set) var alignsBaselines = false
  /// Whether any element is a scroll node, whose size depends on that of its parent.
  private(set) var hasScrollNodes = false
  /// The index of the innermost open element, or -1.
  private var parent: Int32 = -1

  /// The index of the default style.
  public static let plainStyle: Int32 = 0

  /// Creates a tree without elements, with the default style.
  public init() { styles.append(LayoutElementStyle()) }

  /// The number of elements.
  @inlinable @inline(__always)
  public var count: Int { elements.count }

  /// Removes all elements, and the styles and sizes after the first `sharedStyles` and `sharedSizes`, which all cells share.
  @inline(__always)
  public mutating func reset(sharedStyles: Int = 1, sharedSizes: Int = 0) {
    traits = []
    alignsBaselines = false
    hasScrollNodes = false
    parent = -1
    elements.removeAll()
    styles.truncate(to: sharedStyles)
    sizes.truncate(to: sharedSizes)
  }

  /// Adds an element whose children are added next, and returns its index. Its style must already be in the tree.
  @inline(__always)
  public mutating func open(_ element: Element) -> Int {
    if element.kind == .stack && element.stack.alignsBaselines { alignsBaselines = true }
    if element.kind == .scroll { hasScrollNodes = true }
    let index = append(element)
    elements.base[index].end = parent
    parent = Int32(truncatingIfNeeded: index)
    return index
  }

  /// Ends the element that was opened last, after all its descendants were added.
  @inline(__always)
  public mutating func close(_ index: Int) {
    parent = elements.base[index].end
    elements.base[index].end = Int32(truncatingIfNeeded: elements.count)
  }

  /// Adds an element without children, and returns its index. Its style must already be in the tree.
  @discardableResult @inline(__always)
  public mutating func add(_ element: Element) -> Int {
    let index = append(element)
    elements.base[index].end = Int32(truncatingIfNeeded: elements.count)
    return index
  }

  @inline(__always)
  private mutating func append(_ element: Element) -> Int {
    elements.append(element)
    let own = styles.base[Int(element.style)].traits
    traits.formUnion(own)
    if parent >= 0 {
      let parent = elements.base + Int(parent)
      parent.pointee.childCount &+= 1
      parent.pointee.childTraits.formUnion(own)
      if own.contains(.flexibleInBothDirections) { parent.pointee.flexibleChildren &+= 1 }
    }
    return elements.count &- 1
  }

  /// Adds a style, and returns the index by which elements refer to it.
  @inline(__always)
  public mutating func add(style: LayoutElementStyle) -> Int32 {
    styles.append(style)
    return Int32(truncatingIfNeeded: styles.count - 1)
  }

  /// Replaces the contents by those of another tree.
  public mutating func copy(_ other: borrowing ElementTree) {
    reset(sharedStyles: 0)
    elements.append(contentsOf: other.elements.values)
    styles.append(contentsOf: other.styles.values)
    sizes.append(contentsOf: other.sizes.values)
    generation = other.generation
    traits = other.traits
    alignsBaselines = other.alignsBaselines
    hasScrollNodes = other.hasScrollNodes
  }
}
