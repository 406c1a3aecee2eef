// The specs whose children are over each other: wrapper, absolute, static and corner (layout-semantics 4 and 11).

extension LayoutSolver {
  /// Lays out a wrapper spec, which is as large as its largest child on each axis.
  mutating func layoutWrapper(
    _ index: Int32, _ element: UnsafeMutablePointer<Element>, _ range: SizeRange
  ) -> (Size, Int32) {
    placeChildren(index, element, range, atPositions: false) { _, _ in range }
  }

  /// Lays out an absolute spec, which fills its maximum where that is bounded unless its sizing is `sizeToFit`.
  mutating func layoutAbsolute(
    _ index: Int32, _ element: UnsafeMutablePointer<Element>, _ range: SizeRange
  ) -> (Size, Int32) {
    let parent = undefinedWhereUnbounded(range.max)
    let (extent, start) = placeChildren(index, element, range, atPositions: true) { style, position in
      style.pointee.sizeRange(
        parent,
        auto: SizeRange(min: .zero, max: Size(range.max.axes - position.axes)))
    }
    let fits = element.pointee.options.0 == AbsoluteLayoutSizing.sizeToFit.rawValue
    return (
      range.clamp(
        Size(
          fits || parent.width.isNaN ? extent.width : range.max.width,
          fits || parent.height.isNaN ? extent.height : range.max.height)), start
    )
  }

  /// Lays out a static spec of AsyncDisplayKit 1.x, which is as large as its children reach. Their `sizeRange` determines
  /// their sizes.
  mutating func layoutStatic(
    _ index: Int32, _ element: UnsafeMutablePointer<Element>, _ range: SizeRange
  ) -> (Size, Int32) {
    let (extent, start) = placeChildren(index, element, range, atPositions: true) { style, position in
      style.pointee.sizeRange == .unconstrained
        ? SizeRange(min: .zero, max: Size(range.max.axes - position.axes))
        : style.pointee.sizeRange.resolve(range.max)
    }
    return (range.clamp(extent), start)
  }

  /// Measures each child in the range that `childRange` returns, and positions it at its `layoutPosition` or at the start. Returns the
  /// size that the children reach, and the index of the first placement.
  @inline(__always)
  private mutating func placeChildren(
    _ index: Int32, _ element: UnsafeMutablePointer<Element>, _ range: SizeRange, atPositions: Bool,
    childRange: (UnsafeMutablePointer<LayoutElementStyle>, Point) -> SizeRange
  ) -> (Size, Int32) {
    let parent = atPositions ? undefinedWhereUnbounded(range.max) : range.max
    let start = reservePlacements(Int(element.pointee.childCount))
    var extent = range.min
    var slot = Int(start)
    var child = index + 1
    while child < element.pointee.end {
      let style = styles + Int(elements[Int(child)].style)
      let position = atPositions ? style.pointee.layoutPosition : .zero
      let measured = measure(child, childRange(style, position), parent)
      extent = Size(larger(extent.axes, position.axes + measured.size.axes))
      placements[slot] = Placement(position: position, size: measured.size, measurement: measured.measurement)
      slot += 1
      child = elements[Int(child)].end
    }
    return (extent, start)
  }

  /// Lays out a corner spec.
  mutating func layoutCorner(
    _ index: Int32, _ element: UnsafeMutablePointer<Element>, _ range: SizeRange
  ) -> (Size, Int32) {
    let parent = undefinedWhereUnbounded(range.max)
    let child = measure(index + 1, range, parent)
    let second = elements[Int(index) + 1].end
    if second == element.pointee.end { return (child.size, place(.zero, child)) }
    let corner = measure(second, range, parent)
    let location = unsafeBitCast(element.pointee.options.0, to: CornerLayoutLocation.self)
    let right = location == .topRight || location == .bottomRight
    let bottom = location == .bottomLeft || location == .bottomRight
    let x = (right ? child.size.width : 0) - corner.size.width / 2 + element.pointee.numbers.0.x
    let y = (bottom ? child.size.height : 0) - corner.size.height / 2 + element.pointee.numbers.0.y
    var origin = Point.zero
    var size = child.size
    if element.pointee.options.1 != 0 {
      origin = Point(smaller(0, x), smaller(0, y))
      size = range.clamp(
        Size(
          larger(child.size.width, x + corner.size.width) - origin.x,
          larger(child.size.height, y + corner.size.height) - origin.y))
    }
    let placements = place(Point(-origin.x, -origin.y), child)
    place(Point(x - origin.x, y - origin.y), corner)
    return (size, placements)
  }
}
