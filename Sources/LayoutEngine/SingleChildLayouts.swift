// The specs around one child, and those that lay a second element over or under it (layout-semantics 4). `range` is
// the range after the element's own style, except for inset, overlay and background, which never look at theirs.

extension LayoutSolver {
  mutating func layoutInset(
    _ index: Int32, _ element: UnsafeMutablePointer<Element>, _ range: SizeRange, _ parent: Size
  ) -> (Size, Int32) {
    let insets = element.pointee.insets
    let horizontal = insetAxis(insets.left, insets.right, range.min.width, range.max.width, parent.width)
    let vertical = insetAxis(insets.top, insets.bottom, range.min.height, range.max.height, parent.height)
    let child = measure(
      index + 1,
      SizeRange(min: Size(horizontal.min, vertical.min), max: Size(horizontal.max, vertical.max)),
      Size(horizontal.parent, vertical.parent))
    let size = range.clamp(
      Size(
        insetLength(insets.left, insets.right, child.size.width, range.max.width),
        insetLength(insets.top, insets.bottom, child.size.height, range.max.height)))
    let position = Point(
      insetPosition(insets.left, insets.right, child.size.width, range.max.width),
      insetPosition(insets.top, insets.bottom, child.size.height, range.max.height))
    return (size, place(position, child))
  }

  @inline(__always)
  private func insetAxis(
    _ leading: Double, _ trailing: Double, _ low: Double, _ high: Double, _ parent: Double
  ) -> (min: Double, max: Double, parent: Double) {
    let pinned = leading.isFinite && trailing.isFinite
    let taken = (leading.isFinite ? leading : 0) + (trailing.isFinite ? trailing : 0)
    // MAX(0, NaN) is 0: percentages inside an inset of an undefined parent are of nothing.
    return (pinned ? larger(0, low - taken) : 0, larger(0, high - taken), larger(0, parent - taken))
  }

  @inline(__always)
  private func insetLength(_ leading: Double, _ trailing: Double, _ child: Double, _ high: Double) -> Double {
    leading.isFinite && trailing.isFinite ? child + leading + trailing : high
  }

  @inline(__always)
  private func insetPosition(_ leading: Double, _ trailing: Double, _ child: Double, _ high: Double) -> Double {
    if leading.isFinite { return leading }
    return high - ((trailing.isFinite ? trailing : grid.round((high - child) / 2)) + child)
  }

  /// The overlay gets exactly the child's size.
  mutating func layoutOverlay(_ index: Int32, _ range: SizeRange, _ parent: Size) -> (Size, Int32) {
    let child = measure(index + 1, range, parent)
    let second = elements[Int(index) + 1].end
    if second == elements[Int(index)].end { return (child.size, place(.zero, child)) }
    let overlay = measure(second, SizeRange(exactly: child.size), child.size)
    let placements = place(.zero, child)
    place(.zero, overlay)
    return (child.size, placements)
  }

  /// The background gets exactly the child's size too, but the spec's own parent.
  mutating func layoutBackground(_ index: Int32, _ range: SizeRange, _ parent: Size) -> (Size, Int32) {
    let child = measure(index + 1, range, parent)
    let second = elements[Int(index) + 1].end
    if second == elements[Int(index)].end { return (child.size, place(.zero, child)) }
    let background = measure(second, SizeRange(exactly: child.size), parent)
    let placements = place(.zero, child)
    place(.zero, background)
    return (child.size, placements)
  }

  mutating func layoutRelative(
    _ index: Int32, _ element: UnsafeMutablePointer<Element>, _ range: SizeRange
  ) -> (Size, Int32) {
    let options = element.pointee.options
    let horizontal = unsafeBitCast(options.0, to: RelativeLayoutPosition.self)
    let vertical = unsafeBitCast(options.1, to: RelativeLayoutPosition.self)
    let sizing = unsafeBitCast(options.2, to: RelativeLayoutSizing.self)
    let parent = undefinedWhereUnbounded(range.max)
    let child = measure(
      index + 1,
      SizeRange(
        min: Size(horizontal == .none ? range.min.width : 0, vertical == .none ? range.min.height : 0),
        max: range.max),
      parent)
    var size = range.clamp(
      Size(
        parent.width.isNaN ? child.size.width : range.max.width,
        parent.height.isNaN ? child.size.height : range.max.height))
    if sizing == .minimumWidth || sizing == .minimumSize {
      size.width = clamp(smaller(size.width, child.size.width), range.min.width, range.max.width)
    }
    if sizing == .minimumHeight || sizing == .minimumSize {
      size.height = clamp(smaller(size.height, child.size.height), range.min.height, range.max.height)
    }
    let position = Point(
      grid.round((size.width - child.size.width) * share(horizontal)),
      grid.round((size.height - child.size.height) * share(vertical)))
    return (size, place(position, child))
  }

  @inline(__always)
  private func share(_ position: RelativeLayoutPosition) -> Double {
    switch position {
    case .none, .start: 0
    case .center: 0.5
    case .end: 1
    }
  }

  mutating func layoutRatio(
    _ index: Int32, _ element: UnsafeMutablePointer<Element>, _ range: SizeRange
  ) -> (Size, Int32) {
    let ratio = element.pointee.numbers.0
    var best = Size.undefined
    var bestError = Double.infinity
    var found = false
    if isValidForSize(range.max.width) {
      best = range.clamp(Size(range.max.width, grid.floor(ratio * range.max.width)))
      bestError = (best.height / best.width - ratio).magnitude
      found = true
    }
    if isValidForSize(range.max.height) {
      let option = range.clamp(Size(grid.floor(range.max.height / ratio), range.max.height))
      if !found || (option.height / option.width - ratio).magnitude < bestError { best = option }
      found = true
    }
    let child =
      found
      ? measure(index + 1, range.intersect(SizeRange(exactly: best)), best)
      : measure(index + 1, range, .undefined)
    return (child.size, place(.zero, child))
  }
}

/// A bounded length is what children may take percentages of; another is undefined.
@inline(__always)
func undefinedWhereUnbounded(_ size: Size) -> Size {
  Size(
    isValidForSize(size.width) ? size.width : .nan,
    isValidForSize(size.height) ? size.height : .nan)
}
