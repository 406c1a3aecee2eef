/// Measuring: each element is measured at most once for each range and parent size (layout-semantics 3).
extension LayoutSolver {
  /// Measures an element, or returns a measurement with the same range and parent size that was kept. Texture:
  /// `-[ASLayoutElement layoutThatFits:parentSize:]`.
  ///
  /// - Parameters:
  ///   - range: the sizes that the element can have, in points.
  ///   - parent: the size to which fractions refer, in points; NaN on an axis that is undefined.
  @inline(never)
  mutating func measure(_ index: Int32, _ range: SizeRange, _ parent: Size) -> MeasuredElement {
    let element = elements + Int(index)
    if element.pointee.childCount == 0 { return measureChildless(index, element, range, parent) }
    return remembered(index, range, parent) ?? measureAnew(index, element, range, parent)
  }

  /// Returns the measurement of an element in a range that was kept, or nil.
  @inline(__always)
  private mutating func remembered(_ index: Int32, _ range: SizeRange, _ parent: Size) -> MeasuredElement? {
    var next = latest[Int(index)]
    while next >= 0 {
      let known = measurements.base + Int(next)
      // The width alone distinguishes most measurements.
      if known.pointee.range.max.width == range.max.width && known.pointee.range == range
        && (!usesParents || sameParent(known.pointee.parent, parent))
      {
        if tracksBaselines {
          if mustMeasureAgain(index) { return nil }
          baselines[Int(index)] = known.pointee.baselines
        }
        return MeasuredElement(known.pointee.size, next)
      }
      next = known.pointee.next
    }
    return nil
  }

  /// Measures an element whose style has no sizes, in an ordered range.
  @inline(__always)
  mutating func measurePlain(_ index: Int32, _ range: SizeRange, _ parent: Size) -> MeasuredElement {
    let element = elements + Int(index)
    if element.pointee.isSizedLeaf && !remembersLeaves {
      return MeasuredElement(checked(range.clamp(Size(element.pointee.numbers.0)), index))
    }
    return measure(index, range, parent)
  }

  /// Measures an element without children. For most of them, measuring takes less time than keeping the measurement.
  @inline(never)
  private mutating func measureChildless(
    _ index: Int32, _ element: UnsafeMutablePointer<Element>, _ range: SizeRange, _ parent: Size
  ) -> MeasuredElement {
    let size: Size
    switch element.pointee.kind {
    case .node where !element.pointee.hasSpecs: size = leafSize(element, ownRange(element, range, parent))
    case .spec: size = ownRange(element, range, parent).min
    // The child of these is absent because of its condition (`when`).
    case .inset, .overlay, .background: size = range.clamp(.zero)
    case .relative, .ratio, .corner: size = ownRange(element, range, parent).clamp(.zero)
    default: return remembered(index, range, parent) ?? measureAnew(index, element, range, parent)
    }
    guard remembersLeaves else { return MeasuredElement(checked(size, index)) }
    return remembered(index, range, parent) ?? keep(checked(size, index), Self.none, 0, of: index, range, parent)
  }

  /// Measures an element and keeps the measurement.
  @inline(never)
  private mutating func measureAnew(
    _ index: Int32, _ element: UnsafeMutablePointer<Element>, _ range: SizeRange, _ parent: Size
  ) -> MeasuredElement {
    var detail: UInt32 = 0
    let result: (size: Size, placements: Int32)
    switch element.pointee.kind {
    // The sizes of the styles of these three have no effect (layout-semantics 3).
    case .inset: result = layoutInset(index, element, range, parent)
    case .overlay: result = layoutOverlay(index, range, parent, isBackground: false)
    case .background: result = layoutOverlay(index, range, parent, isBackground: true)
    // The sizes of its style are those of its content.
    case .scroll: result = layoutScroll(index, element, range, parent)
    default:
      let own = ownRange(element, range, parent)
      switch element.pointee.kind {
      case .stack:
        result =
          element.pointee.stack.direction == .vertical
          ? layoutStack(VerticalAxis.self, index, element, own)
          : layoutStack(HorizontalAxis.self, index, element, own)
      case .relative: result = layoutRelative(index, element, own)
      case .ratio: result = layoutRatio(index, element, own)
      case .absolute: result = layoutAbsolute(index, element, own)
      case .static: result = layoutStatic(index, element, own)
      case .corner: result = layoutCorner(index, element, own)
      case .custom: result = layoutCustom(index, element, own)
      case .node: result = layoutNode(index, element, own)
      case .text:
        let text = measureText(index, element, own)
        detail = text.detail
        result = (text.size, Self.none)
      default: result = layoutWrapper(index, element, own)
      }
    }
    return keep(checked(result.size, index), result.placements, detail, of: index, range, parent)
  }

  /// Keeps a measurement, which `remembered` returns for the same range from now on.
  @inline(__always)
  private mutating func keep(
    _ size: Size, _ placements: Int32, _ detail: UInt32, of index: Int32, _ range: SizeRange, _ parent: Size
  ) -> MeasuredElement {
    let measurement = Int32(truncatingIfNeeded: measurements.count)
    let made = measurements.extend(by: 1)
    made.pointee.range = range
    made.pointee.parent = parent
    made.pointee.size = size
    made.pointee.next = latest[Int(index)]
    made.pointee.placements = placements
    made.pointee.detail = detail
    if tracksBaselines { made.pointee.baselines = baselines[Int(index)] }
    latest[Int(index)] = measurement
    return MeasuredElement(size, measurement)
  }

  /// Returns the intersection of a range with the sizes of the element's style. The range wins where they are disjoint
  /// (layout-semantics 3).
  @inline(__always)
  private mutating func ownRange(_ element: UnsafeMutablePointer<Element>, _ range: SizeRange, _ parent: Size)
    -> SizeRange
  {
    let style = styles + Int(element.pointee.style)
    if style.pointee.traits.isDisjoint(with: .sized) && range.isOrdered { return range }
    return intersected(range, style, parent)
  }

  @inline(never)
  private mutating func intersected(
    _ range: SizeRange, _ style: UnsafeMutablePointer<LayoutElementStyle>, _ parent: Size
  ) -> SizeRange {
    range.intersect(style.pointee.sizeRange(parent, auto: .unconstrained))
  }

  /// Returns a size rounded up to pixels (layout-semantics 1), or 0 by 0 for a size that is not valid, which is noted as the
  /// failure of the layout.
  @inline(__always)
  private mutating func checked(_ size: Size, _ index: Int32) -> Size {
    if isValidForSize(size) { return grid.ceil(size) }
    if failure < 0 { failure = index }
    return .zero
  }

  /// Appends the placement of a child and returns its index.
  @inline(__always) @discardableResult
  mutating func place(_ position: Point, _ child: MeasuredElement) -> Int32 {
    placements.append(Placement(position: position, size: child.size, measurement: child.measurement))
    return Int32(truncatingIfNeeded: placements.count &- 1)
  }

  /// Appends `count` placements, which the caller must set, and returns the index of the first.
  @inline(__always)
  mutating func reservePlacements(_ count: Int) -> Int32 {
    _ = placements.extend(by: count)
    return Int32(truncatingIfNeeded: placements.count &- count)
  }
}

/// Returns whether two parent sizes are the same. Undefined lengths are equal to each other.
@inline(__always)
private func sameParent(_ a: Size, _ b: Size) -> Bool {
  all((a.axes .== b.axes) .| ((a.axes .!= a.axes) .& (b.axes .!= b.axes)))
}
