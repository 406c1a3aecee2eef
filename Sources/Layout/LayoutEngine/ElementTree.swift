import Buffers

/// The elements of one cell, their styles and the sizes their contents may take: a flat arena that is emptied and
/// filled again cell after cell.
///
/// A cell has exactly one root element, its layout spec. Build it depth first: `open` an element, add its children,
/// `close` it.
public struct ElementTree: ~Copyable {
  public private(set) var elements = FlatBuffer<Element>(capacity: 64)
  public var styles = FlatBuffer<LayoutElementStyle>(capacity: 64)
  public var sizes = FlatBuffer<Size>(capacity: 16)

  /// What any of the elements' styles says.
  private(set) var traits = LayoutElementStyle.Traits()
  /// Whether any stack looks at baselines; if none does, none are kept.
  private(set) var alignsBaselines = false
  /// The innermost open element, or -1.
  private var parent: Int32 = -1

  /// Index of the style of an element that has none of its own.
  public static let plainStyle: Int32 = 0

  public init() { styles.append(LayoutElementStyle()) }

  @inlinable @inline(__always)
  public var count: Int { elements.count }

  /// Empties the tree, but keeps the first `sharedStyles` styles and `sharedSizes` sizes, which all cells share.
  @inline(__always)
  public mutating func reset(sharedStyles: Int = 1, sharedSizes: Int = 0) {
    traits = []
    alignsBaselines = false
    parent = -1
    elements.removeAll()
    styles.truncate(to: sharedStyles)
    sizes.truncate(to: sharedSizes)
  }

  /// Adds an element whose children come next; its style is already in the tree. Returns its index.
  @inline(__always)
  public mutating func open(_ element: Element) -> Int {
    if element.kind == .stack && element.stack.alignItems.isBaseline { alignsBaselines = true }
    let index = append(element)
    elements.base[index].end = parent
    parent = Int32(truncatingIfNeeded: index)
    return index
  }

  /// All descendants of `index`, the element opened last, are added.
  @inline(__always)
  public mutating func close(_ index: Int) {
    parent = elements.base[index].end
    elements.base[index].end = Int32(truncatingIfNeeded: elements.count)
  }

  /// Adds an element without children.
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

  @inline(__always)
  public mutating func add(style: LayoutElementStyle) -> Int32 {
    styles.append(style)
    return Int32(truncatingIfNeeded: styles.count - 1)
  }

  /// Makes it the same as another tree.
  public mutating func copy(_ other: borrowing ElementTree) {
    reset(sharedStyles: 0)
    elements.append(contentsOf: other.elements.values)
    styles.append(contentsOf: other.styles.values)
    sizes.append(contentsOf: other.sizes.values)
    traits = other.traits
    alignsBaselines = other.alignsBaselines
  }
}
