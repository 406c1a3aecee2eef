/// Leaf nodes and texts (layout-semantics 3.1).
extension LayoutSolver {
  /// Returns the size of a leaf node: the size of its content, clamped to its range (layout-semantics 3.1).
  @inline(__always)
  mutating func leafSize(_ element: UnsafeMutablePointer<Element>, _ range: SizeRange) -> Size {
    let content: Size
    switch element.pointee.options.0 {
    case Element.ContentSize.one.rawValue: content = Size(element.pointee.numbers.0)
    case Element.ContentSize.several.rawValue: content = chosenSize(element, range.max.width)
    default: content = isValidForSize(range.max) ? range.max : .zero
    }
    return range.clamp(content)
  }

  /// Returns the first of a node's sizes whose width fits, otherwise the last.
  private mutating func chosenSize(_ element: UnsafeMutablePointer<Element>, _ maxWidth: Double) -> Size {
    let first = sizes + Int(element.pointee.numbers.0.x)
    let count = Int(element.pointee.numbers.0.y)
    for index in 0..<count where first[index].width <= maxWidth { return first[index] }
    return count > 0 ? first[count - 1] : .zero
  }

  /// Measures a text and sets its baselines.
  mutating func measureText(
    _ index: Int32, _ element: UnsafeMutablePointer<Element>, _ range: SizeRange
  ) -> LeafMeasurement {
    var text = LeafMeasurement(size: .zero)
    leaves.measure(leaves.context, element.pointee.tag, range.max.width, range.max.height, &text)
    text.size = range.clamp(Size(smaller(text.size.axes, range.max.axes)))
    if tracksBaselines { baselines[Int(index)] = Baselines(ascender: text.ascender, descender: text.descender) }
    return text
  }
}
