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

  /// Index of the style of an element that has none of its own.
  public static let plainStyle: Int32 = 0

  public init() { styles.append(LayoutElementStyle()) }

  @inlinable @inline(__always)
  public var count: Int { elements.count }

  /// Empties the tree, but keeps the first `sharedStyles` styles and `sharedSizes` sizes, which all cells share.
  @inline(__always)
  public mutating func reset(sharedStyles: Int = 1, sharedSizes: Int = 0) {
    elements.removeAll()
    styles.truncate(to: sharedStyles)
    sizes.truncate(to: sharedSizes)
  }

  /// Adds an element whose children come next; returns its index.
  @inline(__always)
  public mutating func open(_ element: Element) -> Int {
    elements.append(element)
    return elements.count - 1
  }

  /// All descendants of `index` are added.
  @inline(__always)
  public mutating func close(_ index: Int) { elements.base[index].end = Int32(truncatingIfNeeded: elements.count) }

  /// Adds an element without children.
  @discardableResult @inline(__always)
  public mutating func add(_ element: Element) -> Int {
    let index = open(element)
    close(index)
    return index
  }

  @inline(__always)
  public mutating func add(style: LayoutElementStyle) -> Int32 {
    styles.append(style)
    return Int32(truncatingIfNeeded: styles.count - 1)
  }
}
