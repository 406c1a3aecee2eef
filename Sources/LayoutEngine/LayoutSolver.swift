import Buffers

/// Lays out an `ElementTree` by Texture's rules (layout-semantics 3 to 5) at a cost per element that does not depend
/// on depth.
///
/// Texture measures a child up to three times, which nests to 3^depth. Here every measurement is remembered by its
/// exact question (size range and parent size); on chains of any depth an element is asked about three different ones
/// on average, five at worst, so the exact rules become linear. Measurements and the children's places in them are
/// plain values in flat buffers that later passes reuse: a warm pass allocates nothing.
public struct LayoutSolver: ~Copyable {
  /// One answered question about an element.
  struct Measurement: BitwiseCopyable {
    var range: SizeRange
    var parent: Size
    var size: Size
    /// What the element published to a baseline stack by being measured this way.
    var ascender: Double
    var descender: Double
    /// The previous measurement of the same element, or -1.
    var next: Int32
    /// Where its children's placements start, one each in the order of the elements.
    var placements: Int32
    var detail: UInt32
  }

  /// Where a child ended in one measurement of its parent, and by which measurement of its own (-1: none was kept,
  /// it is a leaf or was never measured).
  struct Placement: BitwiseCopyable {
    var position: Point
    var size: Size
    var measurement: Int32
  }

  /// What measuring an element answers.
  struct Answer {
    var size: Size
    var measurement: Int32

    @inline(__always)
    init(_ size: Size, _ measurement: Int32 = LayoutSolver.none) {
      self.size = size
      self.measurement = measurement
    }
  }

  /// Baselines as they stand at this point of the pass: Texture keeps them in the mutable style.
  struct Baselines: BitwiseCopyable {
    var ascender: Double
    var descender: Double
  }

  static let none: Int32 = -1

  let grid: PixelGrid
  var elements: UnsafeMutablePointer<Element>
  var styles: UnsafeMutablePointer<LayoutElementStyle>
  var sizes: UnsafeMutablePointer<Size>
  var leaves = LeafMeasurer.empty

  var latest = FlatBuffer<Int32>(capacity: 64)
  var baselines = FlatBuffer<Baselines>(capacity: 64)
  var measurements = FlatBuffer<Measurement>(capacity: 256)
  var placements = FlatBuffer<Placement>(capacity: 256)
  var items = FlatBuffer<StackItem>(capacity: 64)
  var lines = FlatBuffer<StackLine>(capacity: 64)
  var failure: Int32 = none
  /// Whether leaves are remembered like other elements, which costs time and is only of use to `forEachResult`.
  public var remembersLeaves = false
  private var root = Answer(.zero)

  public init(scale: Double) {
    self.grid = PixelGrid(scale: scale)
    self.elements = UnsafeMutablePointer(bitPattern: MemoryLayout<Double>.alignment)!
    self.styles = UnsafeMutablePointer(bitPattern: MemoryLayout<Double>.alignment)!
    self.sizes = UnsafeMutablePointer(bitPattern: MemoryLayout<Double>.alignment)!
  }

  /// Lays out the tree's root in `range` and appends the frames of its nodes, the cell's own first.
  ///
  /// - Returns: the cell's size in points.
  /// - Throws: `LayoutFailure` with the element whose size was not finite.
  public mutating func layout(
    _ tree: borrowing ElementTree, in range: SizeRange, leaves: LeafMeasurer, frames: inout FlatBuffer<Frame>
  ) throws(LayoutFailure) -> Size {
    prepare(tree, leaves)
    root = measure(0, range, range.max)
    if failure >= 0 { throw LayoutFailure(element: failure) }
    frames.append(Frame(element: Frame.cell, parent: -1, rect: Rect(0, 0, root.size.width, root.size.height)))
    flatten(root, into: &frames)
    return root.size
  }

  /// Calls `body` with every element that the last layout placed, flattened away or not, in depth-first order.
  public func forEachResult(_ body: (ElementResult) -> Void) {
    visit(0, depth: 0, Placement(position: .zero, size: root.size, measurement: root.measurement), body)
  }

  private func visit(_ index: Int32, depth: Int, _ placement: Placement, _ body: (ElementResult) -> Void) {
    let measured = placement.measurement >= 0 ? measurements[Int(placement.measurement)] : nil
    body(
      ElementResult(
        element: index, depth: depth, constrainedSize: measured?.range, position: placement.position,
        size: placement.size))
    guard let measured, measured.placements >= 0 else { return }
    var child = index + 1
    var slot = Int(measured.placements)
    while child < elements[Int(index)].end {
      visit(child, depth: depth + 1, placements[slot], body)
      slot += 1
      child = elements[Int(child)].end
    }
  }

  private mutating func prepare(_ tree: borrowing ElementTree, _ leaves: LeafMeasurer) {
    let count = tree.count
    precondition(count > 0, "a cell has one root element")
    elements = tree.elements.base
    styles = tree.styles.base
    sizes = tree.sizes.base
    self.leaves = leaves
    latest.removeAll()
    baselines.removeAll()
    measurements.removeAll()
    placements.removeAll()
    items.removeAll()
    lines.removeAll()
    failure = Self.none
    latest.extend(by: count).update(repeating: Self.none, count: count)
    let published = baselines.extend(by: count)
    for index in 0..<count {
      let style = styles + Int(elements[index].style)
      published[index] = Baselines(ascender: style.pointee.ascender, descender: style.pointee.descender)
    }
    // A child is an item of one open stack at a time, so pointers into these stay valid during the pass.
    items.reserve(count)
    lines.reserve(count)
  }

  /// Texture's layoutThatFits:parentSize:, remembered.
  mutating func measure(_ index: Int32, _ range: SizeRange, _ parent: Size) -> Answer {
    let element = elements + Int(index)
    switch element.pointee.kind {
    case .node where element.pointee.end == index + 1 && !remembersLeaves:
      return Answer(leafSize(element, ownRange(element, range, parent)))
    case .spec:
      return Answer(checked(ownRange(element, range, parent).min, index))
    case .inset, .overlay, .background, .relative, .ratio, .corner:
      // Its child is absent (`when`): nothing to lay out around.
      if element.pointee.end == index + 1 { return Answer(checked(range.clamp(.zero), index)) }
    default:
      break
    }
    var remembered = latest[Int(index)]
    while remembered >= 0 {
      let known = measurements.base + Int(remembered)
      if known.pointee.range == range && sameParent(known.pointee.parent, parent) {
        baselines[Int(index)] = Baselines(ascender: known.pointee.ascender, descender: known.pointee.descender)
        return Answer(known.pointee.size, remembered)
      }
      remembered = known.pointee.next
    }
    return measureAnew(index, element, range, parent)
  }

  private mutating func measureAnew(
    _ index: Int32, _ element: UnsafeMutablePointer<Element>, _ range: SizeRange, _ parent: Size
  ) -> Answer {
    var detail: UInt32 = 0
    let result: (size: Size, placements: Int32)
    switch element.pointee.kind {
    // These three never look at their own style (layout-semantics 3).
    case .inset: result = layoutInset(index, element, range, parent)
    case .overlay: result = layoutOverlay(index, range, parent)
    case .background: result = layoutBackground(index, range, parent)
    default:
      let own = ownRange(element, range, parent)
      switch element.pointee.kind {
      case .stack: result = layoutStack(index, element, own)
      case .relative: result = layoutRelative(index, element, own)
      case .ratio: result = layoutRatio(index, element, own)
      case .absolute: result = layoutAbsolute(index, element, own)
      case .static: result = layoutStatic(index, element, own)
      case .corner: result = layoutCorner(index, element, own)
      case .node:
        result = element.pointee.end == index + 1 ? (leafSize(element, own), Self.none) : layoutNode(index, own)
      case .text:
        let text = measureText(index, element, own)
        detail = text.detail
        result = (text.size, Self.none)
      default: result = layoutWrapper(index, element, own)
      }
    }
    let size = checked(result.size, index)
    let published = baselines[Int(index)]
    measurements.append(
      Measurement(
        range: range, parent: parent, size: size, ascender: published.ascender, descender: published.descender,
        next: latest[Int(index)], placements: result.placements, detail: detail))
    let measurement = Int32(truncatingIfNeeded: measurements.count - 1)
    latest[Int(index)] = measurement
    return Answer(size, measurement)
  }

  /// The range after the element's own style: the incoming range wins where they are disjoint.
  @inline(__always)
  private func ownRange(_ element: UnsafeMutablePointer<Element>, _ range: SizeRange, _ parent: Size) -> SizeRange {
    let style = styles + Int(element.pointee.style)
    let sized = style.pointee.sizedAxes
    if sized == 0 && range.min.width <= range.max.width && range.min.height <= range.max.height { return range }
    return range.intersect(style.pointee.sizeRange(parent, auto: .unconstrained))
  }

  /// Every layout object ceils its size to pixels when it is made, and refuses one that is not finite.
  @inline(__always)
  private mutating func checked(_ size: Size, _ index: Int32) -> Size {
    if isValidForSize(size.width) && isValidForSize(size.height) { return grid.ceil(size) }
    if failure < 0 { failure = index }
    return .zero
  }

  /// Content size clamped to the range, ceiled (layout-semantics 3.1).
  @inline(__always)
  private mutating func leafSize(_ element: UnsafeMutablePointer<Element>, _ range: SizeRange) -> Size {
    let content: Size
    switch element.pointee.options.0 {
    case Element.ContentSize.one.rawValue:
      content = Size(element.pointee.numbers.0, element.pointee.numbers.1)
    case Element.ContentSize.several.rawValue:
      content = chosenSize(element, range.max.width)
    default:
      content = isValidForSize(range.max.width) && isValidForSize(range.max.height) ? range.max : .zero
    }
    return checked(range.clamp(content), Int32(truncatingIfNeeded: element - elements))
  }

  private func chosenSize(_ element: UnsafeMutablePointer<Element>, _ maxWidth: Double) -> Size {
    let first = sizes + Int(element.pointee.numbers.0)
    let count = Int(element.pointee.numbers.1)
    for index in 0..<count where first[index].width <= maxWidth { return first[index] }
    return count > 0 ? first[count - 1] : .zero
  }

  private mutating func measureText(
    _ index: Int32, _ element: UnsafeMutablePointer<Element>, _ range: SizeRange
  ) -> LeafMeasurement {
    var text = LeafMeasurement(size: .zero)
    leaves.measure(leaves.context, element.pointee.tag, range.max.width, range.max.height, &text)
    text.size = range.clamp(
      Size(smaller(text.size.width, range.max.width), smaller(text.size.height, range.max.height)))
    baselines[Int(index)] = Baselines(ascender: text.ascender, descender: text.descender)
    return text
  }

  /// A node with a layout spec of its own takes the spec's size, unclamped (layout-semantics 3, root node).
  private mutating func layoutNode(_ index: Int32, _ range: SizeRange) -> (Size, Int32) {
    forgetBaselines(inside: index)
    let spec = measure(index + 1, range, range.max)
    return (spec.size, place(.zero, spec))
  }

  /// A node makes its spec anew each time it is measured, so what the spec's stacks published before is gone. Nodes
  /// inside keep theirs.
  private mutating func forgetBaselines(inside node: Int32) {
    var index = node + 1
    while index < elements[Int(node)].end {
      let element = elements + Int(index)
      if element.pointee.kind == .node {
        index = element.pointee.end
        continue
      }
      let style = styles + Int(element.pointee.style)
      baselines[Int(index)] = Baselines(ascender: style.pointee.ascender, descender: style.pointee.descender)
      index += 1
    }
  }

  /// Remembers one child's place; returns where it stands.
  @inline(__always) @discardableResult
  mutating func place(_ position: Point, _ child: Answer) -> Int32 {
    placements.append(Placement(position: position, size: child.size, measurement: child.measurement))
    return Int32(truncatingIfNeeded: placements.count - 1)
  }

  /// Room for the places of `count` children, written by `setPlacement`.
  @inline(__always)
  mutating func reservePlacements(_ count: Int) -> Int32 {
    _ = placements.extend(by: count)
    return Int32(truncatingIfNeeded: placements.count - count)
  }

  @inline(__always)
  func childCount(_ index: Int32, _ element: UnsafeMutablePointer<Element>) -> Int {
    var count = 0
    var child = index + 1
    while child < element.pointee.end {
      count += 1
      child = elements[Int(child)].end
    }
    return count
  }
}

@inline(__always)
private func sameParent(_ a: Size, _ b: Size) -> Bool {
  sameLength(a.width, b.width) && sameLength(a.height, b.height)
}

@inline(__always)
private func sameLength(_ a: Double, _ b: Double) -> Bool { a == b || (a != a && b != b) }

/// What became of an element in a layout.
public struct ElementResult {
  public let element: Int32
  public let depth: Int
  /// What its parent asked of it; nil when it was never measured or not remembered.
  public let constrainedSize: SizeRange?
  /// Within its parent, before rounding, in points.
  public let position: Point
  public let size: Size
}

/// The layout of an element was not finite: infinite, NaN or of ten million points and more.
public struct LayoutFailure: Error, Equatable {
  /// Index of the element in its tree.
  public let element: Int32
}
