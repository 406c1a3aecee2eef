// The specs of one child, and those with a second element over or behind it (layout-semantics 4). `range` is the range
// after the element's own style, except for inset, overlay and background specs, whose styles' sizes have no effect.

extension LayoutSolver {
  /// Lays out an inset spec.
  mutating func layoutInset(
    _ index: Int32, _ element: UnsafeMutablePointer<Element>, _ range: SizeRange, _ parent: Size
  ) -> (Size, Int32) {
    let (leading, trailing) = element.pointee.numbers
    let isFixed = isFinite(leading)
    let isPinned = isFixed .& isFinite(trailing)
    let taken = zero(leading, unless: isFixed) + zero(trailing, unless: isFinite(trailing))
    // MAX(0, NaN) is 0, so that a fraction inside an inset of an undefined parent is 0 points.
    let child = measure(
      index + 1,
      SizeRange(
        min: Size(larger(.zero, zero(range.min.axes, unless: isPinned) - taken)),
        max: Size(larger(.zero, range.max.axes - taken))),
      Size(larger(.zero, parent.axes - taken)))
    let size = range.clamp(
      Size(range.max.axes.replacing(with: child.size.axes + leading + trailing, where: isPinned)))
    var position = leading
    if !all(isFixed) {
      let spare = range.max.axes - child.size.axes
      let after = grid.round(spare / 2).replacing(with: trailing, where: isFinite(trailing))
      position.replace(with: range.max.axes - (after + child.size.axes), where: .!isFixed)
    }
    return (size, place(Point(position), child))
  }

  /// Returns lengths that are 0 where a mask is not set.
  @inline(__always)
  private func zero(_ axes: Axes, unless mask: SIMDMask<SIMD2<Int64>>) -> Axes {
    Axes.zero.replacing(with: axes, where: mask)
  }

  /// Lays out an overlay or background spec. The second element is measured in exactly the child's size. The parent size of
  /// an overlay is the child's size too, that of a background is the parent size of the spec.
  mutating func layoutOverlay(
    _ index: Int32, _ range: SizeRange, _ parent: Size, isBackground: Bool
  ) -> (Size, Int32) {
    let child = measure(index + 1, range, parent)
    let second = elements[Int(index) + 1].end
    if second == elements[Int(index)].end { return (child.size, place(.zero, child)) }
    let other = measure(second, SizeRange(exactly: child.size), isBackground ? parent : child.size)
    let placements = place(.zero, child)
    place(.zero, other)
    return (child.size, placements)
  }

  /// Lays out a relative spec.
  mutating func layoutRelative(
    _ index: Int32, _ element: UnsafeMutablePointer<Element>, _ range: SizeRange
  ) -> (Size, Int32) {
    let options = element.pointee.options
    let horizontal = unsafeBitCast(options.0, to: RelativeLayoutPosition.self)
    let vertical = unsafeBitCast(options.1, to: RelativeLayoutPosition.self)
    let sizing = unsafeBitCast(options.2, to: RelativeLayoutSizing.self)
    let parent = undefinedWhereUnbounded(range.max)
    // In AsyncDisplayKit 1.9 a child at the start has the minimum, too.
    let keepsMinimum: RelativeLayoutPosition = generation == .first ? .start : .none
    let child = measure(
      index + 1,
      SizeRange(
        min: Size(
          horizontal.rawValue <= keepsMinimum.rawValue ? range.min.width : 0,
          vertical.rawValue <= keepsMinimum.rawValue ? range.min.height : 0),
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
    let position = grid.round((size.axes - child.size.axes) * Axes(share(horizontal), share(vertical)))
    return (size, place(Point(position), child))
  }

  /// Returns the share of the spare length that is before the child.
  @inline(__always)
  private func share(_ position: RelativeLayoutPosition) -> Double {
    switch position {
    case .none, .start: 0
    case .center: 0.5
    case .end: 1
    }
  }

  /// Lays out a ratio spec: of the sizes with the maximum width or height, the one whose ratio is nearer.
  mutating func layoutRatio(
    _ index: Int32, _ element: UnsafeMutablePointer<Element>, _ range: SizeRange
  ) -> (Size, Int32) {
    let ratio = element.pointee.numbers.0.x
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

/// Returns the parent size of a spec's children: fractions only refer to valid lengths, and all others are undefined.
@inline(__always)
func undefinedWhereUnbounded(_ size: Size) -> Size {
  Size(Axes(repeating: .nan).replacing(with: size.axes, where: (size.axes .>= 0) .& (size.axes .< 10_000_000)))
}
