/// How far the width of a laid out cell can change before its layout depends on more than the space of its texts, in points.
public struct WidthBounds: BitwiseCopyable, Equatable, Sendable {
  /// The length by less than which the width can shrink before a child of a horizontal stack that has its natural width begins
  /// to shrink, before one that has grown has only a point of what it grew by, or before one that grows and shrinks has no room.
  /// It is infinite if there is no such child.
  public internal(set) var narrower = Double.infinity
  /// The length by which a text had more space when its lines were broken first than when it was measured for its frame, as
  /// the stretched children of a stack that is as wide as its widest child are, or may have in a slightly wider stack.
  public internal(set) var unused = 0.0
  /// The length by which a text had less space when its lines gave a stack its height than when it was measured for its frame: the
  /// width of a child that shrank is rounded up to whole pixels before the child is stretched.
  public internal(set) var rounded = 0.0
}

/// The functions walk down the measurements and narrow the bounds. They keep this invariant: in each width of the cell within
/// the bounds so far, every element that was visited has its height as long as its texts have their lines, and the space of
/// each of these texts has changed by at most as much as the cell. A function returns false where no bounds keep it. Its
/// parameter `unused` is how much more space the texts of the element had when their lines were broken first.
extension LayoutSolver {
  /// Returns the bounds of the width of the last layout, whose width must have been exact; nil if the height depends on the
  /// width in another way than by the lines of its texts, or if a text's space can change by more than the width.
  ///
  /// Below a horizontal stack, only the children that grow or shrink depend on the width, because their natural sizes are
  /// measured without a limit (layout-semantics 5.2). A child that shrinks, and the only one that grows, changes by a share
  /// of the change of the stack's width, so that no text changes by more than the cell.
  public func widthBounds() -> WidthBounds? {
    // A fraction is of a parent whose width may not change as the cell's does.
    if usesParents { return nil }
    var bounds = WidthBounds()
    guard follows(0, root.measurement, unused: 0, &bounds) else { return nil }
    return bounds
  }

  /// Returns whether an element has the same height in another width as long as its texts have the same lines, and narrows
  /// the bounds to those in which this holds.
  private func follows(_ index: Int32, _ measurement: Int32, unused: Double, _ bounds: inout WidthBounds) -> Bool {
    let element = elements + Int(index)
    if measurement < 0 || element.pointee.isChildless {
      return element.pointee.keepsHeight
    }
    let range = measurements[Int(measurement)].range
    let (low, high) = (styles + Int(element.pointee.style)).pointee.widths(.nan)
    if low == high && range.min.width == 0 && low <= range.max.width && element.pointee.hasOwnSize {
      bounds.narrower = smaller(bounds.narrower, range.max.width - low)
      return true
    }
    switch element.pointee.kind {
    case .text:
      bounds.unused = larger(bounds.unused, unused)
      return true
    case .ratio, .custom, .scroll: return false
    case .stack:
      if element.pointee.stack.flexWrap != .noWrap { return false }
      if element.pointee.stack.direction == .horizontal && element.pointee.childTraits.contains(.flexible) {
        // Children change by whole points in the first generation. A stack with a least or largest width is exact in only some widths,
        // and an exact one does not measure its only child that grows and shrinks.
        if generation == .first || low > 0 || high < .infinity { return false }
      }
      // The range wins where it and the style are disjoint.
      let width = clamp(high, range.min.width, range.max.width)
      return element.pointee.stack.direction == .horizontal
        ? itemsFollow(index, measurement, width, isExact: range.min.width == range.max.width, unused, &bounds)
        : childrenFollow(index, measurement, stretchedFrom: width, unused, &bounds)
    case .static where hasFractionalRanges(index): return false
    default:
      return !element.pointee.hasSpecs && childrenFollow(index, measurement, stretchedFrom: 0, unused, &bounds)
    }
  }

  /// Returns whether the children of an element that have a part in its size follow.
  ///
  /// - Parameter width: the width up to which the natural sizes of a vertical stack's children were measured.
  private func childrenFollow(
    _ index: Int32, _ measurement: Int32, stretchedFrom width: Double, _ unused: Double, _ bounds: inout WidthBounds
  ) -> Bool {
    let end = elements[Int(index)].hasSecondElement ? elements[Int(index) + 1].end : elements[Int(index)].end
    var child = index + 1
    var slot = Int(measurements[Int(measurement)].placements)
    while child < end {
      let own = placements[slot].measurement
      let more = own < 0 ? 0 : larger(width - measurements[Int(own)].range.max.width, 0)
      if !follows(child, own, unused: unused + more, &bounds) { return false }
      slot += 1
      child = elements[Int(child)].end
    }
    return true
  }

  /// Returns whether the children of a horizontal stack follow.
  ///
  /// - Parameters:
  ///   - width: the largest width of the stack, in points.
  ///   - isExact: whether this is its only width.
  private func itemsFollow(
    _ index: Int32, _ measurement: Int32, _ width: Double, isExact: Bool, _ unused: Double,
    _ bounds: inout WidthBounds
  ) -> Bool {
    let stack = elements + Int(index)
    if stack.pointee.childTraits.isDisjoint(with: [.flexible, .based]) { return true }
    let spacing = stack.pointee.stack.spacing * Double(stack.pointee.childCount - 1)
    var flexing = StackFlexing(skipsFlexible: isExact && stack.pointee.flexibleChildren == 1, spare: width - spacing)
    var slot = Int(measurements[Int(measurement)].placements)
    var child = index + 1
    while child < stack.pointee.end {
      let style = styles + Int(elements[Int(child)].style)
      if style.pointee.flexBasis.isRelative { return false }
      if style.pointee.traits.contains(.flexible) {
        let range = measurements[Int(measurement)].range
        if !itemFollows(child, placements[slot], in: range, unused, &flexing, &bounds) { return false }
      } else {
        flexing.spare -= placements[slot].size.width
      }
      flexing.spare -= style.pointee.spacingBefore + style.pointee.spacingAfter
      slot += 1
      child = elements[Int(child)].end
    }
    if flexing.canShrink { bounds.narrower = smaller(bounds.narrower, larger(flexing.spare, 0)) }
    // A stack without any width has an exact one, in which such a child is skipped.
    if !isExact && stack.pointee.flexibleChildren == 1 { bounds.narrower = smaller(bounds.narrower, width) }
    // A child grows only when there is a whole point for it, and then by the rest too (layout-semantics 5.5), so that its
    // width changes by up to a point more than that of the stack.
    if flexing.jumps && isExact && flexing.spare > 0 {
      if flexing.spare < 1 { return false }
      bounds.narrower = smaller(bounds.narrower, flexing.spare - 1)
    }
    // Each of several children grows by whole points.
    return !flexing.textsGrow || flexing.growing == 1
  }

  /// Returns whether a child of a horizontal stack that grows or shrinks follows, and takes its natural width from the spare one.
  private func itemFollows(
    _ child: Int32, _ placement: Placement, in stack: SizeRange, _ unused: Double, _ flexing: inout StackFlexing,
    _ bounds: inout WidthBounds
  ) -> Bool {
    let element = elements + Int(child)
    let style = styles + Int(element.pointee.style)
    let basis = style.pointee.flexBasis
    let grows = style.pointee.flexGrow > 0
    if grows { flexing.growing += 1 }
    // A stack does not measure the natural size of its only child that grows and shrinks, which has neither a width nor a
    // layout if there is no room for it.
    let isSkipped = flexing.skipsFlexible && style.pointee.traits.contains(.flexibleInBothDirections)
    if isSkipped && placement.size.width == 0 { return false }
    let isEmpty = element.pointee.kind == .spec && style.pointee.traits.isDisjoint(with: [.sized, .based])
    if isSkipped && !isEmpty { flexing.jumps = true }
    if placement.measurement < 0 {
      let width = basis.unit == .points ? basis.value : placement.size.width
      flexing.spare -= isEmpty || isSkipped ? 0 : width
      return element.pointee.keepsHeight
    }
    let natural =
      isSkipped ? 0 : basis.unit == .points ? basis.value : naturalWidth(of: child) ?? placement.size.width
    flexing.spare -= natural
    // Its texts have fewer lines when it grows only if something limits its natural width.
    let isLimited = basis.unit == .points || style.pointee.widths(.nan).1 < .infinity
    if grows && isLimited && !element.pointee.isChildless { flexing.jumps = true }
    if measurements[Int(placement.measurement)].range.max.width.isFinite && placement.size.width != natural {
      if grows { flexing.textsGrow = true }
      let range = measurements[Int(placement.measurement)].range
      bounds.rounded = larger(bounds.rounded, rounding(of: child, to: range, stack))
      // A child that lacks less than this length has its natural width.
      let ignored = placement.size.width < natural ? violationEpsilon : 0
      return follows(child, placement.measurement, unused: unused + ignored, &bounds)
    }
    if style.pointee.flexShrink > 0 { flexing.canShrink = true }
    // In a wider stack it grows, where its own bounds do not count.
    var others = WidthBounds()
    return !grows || follows(child, placement.measurement, unused: 0, &others)
  }

  /// Returns the length by which the range of a stretched child is wider than the one in which its height was measured.
  ///
  /// - Parameter stack: the range of the stack.
  private func rounding(of child: Int32, to range: SizeRange, _ stack: SizeRange) -> Double {
    guard range.min.height == range.max.height else { return 0 }
    // The last ones are of this layout.
    for noted in stretched.values.reversed()
    where noted.child == child && noted.min == stack.min.width && noted.max == stack.max.width {
      let length = range.max.width - noted.width
      return length > 0 && length < 1 / grid.scale ? length : 0
    }
    return 0
  }

  /// Returns the width of a child of a horizontal stack before it grew or shrank, or nil if it was not measured.
  private func naturalWidth(of child: Int32) -> Double? {
    var next = latest[Int(child)]
    while next >= 0 {
      if measurements[Int(next)].range.max.width == .infinity { return measurements[Int(next)].size.width }
      next = measurements[Int(next)].next
    }
    return nil
  }

  /// Returns whether the size range of a child of a static spec has a fraction of the spec's size.
  private func hasFractionalRanges(_ index: Int32) -> Bool {
    var child = index + 1
    while child < elements[Int(index)].end {
      let range = (styles + Int(elements[Int(child)].style)).pointee.sizeRange
      if [range.minWidth, range.minHeight, range.maxWidth, range.maxHeight].contains(where: { $0.isRelative }) {
        return true
      }
      child = elements[Int(child)].end
    }
    return false
  }
}

/// How the children of a horizontal stack grow and shrink.
private struct StackFlexing {
  /// Whether the stack does not measure the natural size of its only child that grows and shrinks.
  let skipsFlexible: Bool
  /// The width that the natural sizes of the children leave, in points.
  var spare: Double
  /// The number of children that grow.
  var growing = 0
  /// Whether a child that was measured has grown, or one shrinks when there is less room.
  var textsGrow = false, canShrink = false
  /// Whether the width of a child that begins to grow changes by more than that of the stack.
  var jumps = false
}

extension Element {
  /// Whether the height of an element without children does not depend on its width.
  fileprivate var keepsHeight: Bool {
    kind != .custom && (kind != .node || options.0 < ContentSize.several.rawValue)
  }

  /// Whether it has neither children nor texts.
  fileprivate var isChildless: Bool { childCount == 0 && kind != .text }

  /// Whether only its first child has a part in its size.
  fileprivate var hasSecondElement: Bool {
    kind == .overlay || kind == .background || kind == .corner && options.1 == 0
  }
}
