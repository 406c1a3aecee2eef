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
    var baselines: Baselines
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
  /// The measurement of a child that has no part in its parent's layout.
  static let unused: Int32 = -2

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
  private(set) var tracksBaselines = false
  /// Whether any size is a fraction of a parent; where none is, questions with other parents are the same.
  private var usesParents = false
  /// What nodes were asked for which they have no spec; the sizes of such a layout are preliminary.
  public internal(set) var requests = FlatBuffer<SpecRequest>(capacity: 4)
  /// Whether leaves are remembered like other elements, which costs time and is only of use to `forEachResult`.
  public var remembersLeaves = false
  /// Of the last layout.
  private(set) var root = Answer(.zero)

  public init(scale: Double) {
    self.grid = PixelGrid(scale: scale)
    self.elements = UnsafeMutablePointer(bitPattern: MemoryLayout<Double>.alignment)!
    self.styles = UnsafeMutablePointer(bitPattern: MemoryLayout<Double>.alignment)!
    self.sizes = UnsafeMutablePointer(bitPattern: MemoryLayout<Double>.alignment)!
  }

  /// Lays out the tree's root in `range` and appends the frames of its nodes, the cell's own first.
  ///
  /// - Parameter again: the tree, and what `leaves` answers, are those of the last layout. What was measured then is
  ///   still known: of a further width only the part that depends on the width costs anything.
  /// - Returns: the cell's size in points.
  /// - Throws: `LayoutFailure` with the element whose size was not finite.
  public mutating func layout(
    _ tree: borrowing ElementTree, in range: SizeRange, leaves: LeafMeasurer, again: Bool = false,
    frames: inout FlatBuffer<Frame>
  ) throws(LayoutFailure) -> Size {
    self.leaves = leaves
    failure = Self.none
    requests.removeAll()
    if !again || tree.count != latest.count || measurements.count > Self.remembered * tree.count { prepare(tree) }
    if tracksBaselines { resetBaselines() }
    root = measure(0, range, range.max)
    if failure >= 0 {
      // Sizes that were refused stand as zero in what is remembered.
      latest.removeAll()
      throw LayoutFailure(element: failure)
    }
    flatten(root, into: &frames)
    if requests.count > 0 { latest.removeAll() }
    return root.size
  }

  /// Measurements an element, on average, that are kept for a further layout of the same tree.
  private static let remembered = 16

  private mutating func prepare(_ tree: borrowing ElementTree) {
    let count = tree.count
    precondition(count > 0, "a cell has one root element")
    elements = tree.elements.base
    styles = tree.styles.base
    sizes = tree.sizes.base
    tracksBaselines = tree.alignsBaselines
    usesParents = tree.traits.contains(.fractional)
    latest.removeAll()
    measurements.removeAll()
    placements.removeAll()
    items.removeAll()
    lines.removeAll()
    latest.extend(by: count).update(repeating: Self.none, count: count)
    // A child is an item of one open stack at a time, so pointers into these stay valid during the pass.
    items.reserve(count)
    lines.reserve(count)
  }

  /// To what the styles say.
  private mutating func resetBaselines() {
    baselines.removeAll()
    let published = baselines.extend(by: latest.count)
    for index in 0..<latest.count { published[index] = styleBaselines(elements + index) }
  }

  func styleBaselines(_ element: UnsafeMutablePointer<Element>) -> Baselines {
    let style = styles + Int(element.pointee.style)
    return Baselines(ascender: style.pointee.ascender, descender: style.pointee.descender)
  }

  /// Texture's layoutThatFits:parentSize:, remembered.
  @inline(never)
  mutating func measure(_ index: Int32, _ range: SizeRange, _ parent: Size) -> Answer {
    let element = elements + Int(index)
    if element.pointee.childCount == 0 { return measureChildless(index, element, range, parent) }
    return remembered(index, range, parent) ?? measureAnew(index, element, range, parent)
  }

  @inline(__always)
  private mutating func remembered(_ index: Int32, _ range: SizeRange, _ parent: Size) -> Answer? {
    var next = latest[Int(index)]
    while next >= 0 {
      let known = measurements.base + Int(next)
      // The width alone tells most apart.
      if known.pointee.range.max.width == range.max.width && known.pointee.range == range
        && (!usesParents || sameParent(known.pointee.parent, parent))
      {
        if tracksBaselines { baselines[Int(index)] = known.pointee.baselines }
        return Answer(known.pointee.size, next)
      }
      next = known.pointee.next
    }
    return nil
  }

  /// `measure` of an element whose style gives no sizes, in an ordered range.
  @inline(__always)
  mutating func measurePlain(_ index: Int32, _ range: SizeRange, _ parent: Size) -> Answer {
    let element = elements + Int(index)
    if element.pointee.isSizedLeaf && !remembersLeaves {
      return Answer(checked(range.clamp(Size(element.pointee.numbers.0)), index))
    }
    return measure(index, range, parent)
  }

  /// Most of these cost less to measure again than to remember.
  @inline(never)
  private mutating func measureChildless(
    _ index: Int32, _ element: UnsafeMutablePointer<Element>, _ range: SizeRange, _ parent: Size
  ) -> Answer {
    switch element.pointee.kind {
    case .node where !remembersLeaves && !element.pointee.hasSpecs:
      return Answer(checked(leafSize(element, ownRange(element, range, parent)), index))
    case .spec:
      return Answer(checked(ownRange(element, range, parent).min, index))
    case .inset, .overlay, .background, .relative, .ratio, .corner:
      // Its child is absent (`when`): nothing to lay out around.
      return Answer(checked(range.clamp(.zero), index))
    default:
      return remembered(index, range, parent) ?? measureAnew(index, element, range, parent)
    }
  }

  @inline(never)
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
      case .node:
        let isLeaf = element.pointee.childCount == 0 && !element.pointee.hasSpecs
        result = isLeaf ? (leafSize(element, own), Self.none) : layoutNode(index, element, own)
      case .text:
        let text = measureText(index, element, own)
        detail = text.detail
        result = (text.size, Self.none)
      default: result = layoutWrapper(index, element, own)
      }
    }
    let size = checked(result.size, index)
    let measurement = Int32(truncatingIfNeeded: measurements.count)
    let made = measurements.extend(by: 1)
    made.pointee.range = range
    made.pointee.parent = parent
    made.pointee.size = size
    made.pointee.next = latest[Int(index)]
    made.pointee.placements = result.placements
    made.pointee.detail = detail
    if tracksBaselines { made.pointee.baselines = baselines[Int(index)] }
    latest[Int(index)] = measurement
    return Answer(size, measurement)
  }

  /// The range after the element's own style: the incoming range wins where they are disjoint.
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

  /// Every layout object ceils its size to pixels when it is made, and refuses one that is not finite.
  @inline(__always)
  private mutating func checked(_ size: Size, _ index: Int32) -> Size {
    if isValidForSize(size) { return grid.ceil(size) }
    if failure < 0 { failure = index }
    return .zero
  }

  /// Content size clamped to the range (layout-semantics 3.1).
  @inline(__always)
  private mutating func leafSize(_ element: UnsafeMutablePointer<Element>, _ range: SizeRange) -> Size {
    let content: Size
    switch element.pointee.options.0 {
    case Element.ContentSize.one.rawValue: content = Size(element.pointee.numbers.0)
    case Element.ContentSize.several.rawValue: content = chosenSize(element, range.max.width)
    default: content = isValidForSize(range.max) ? range.max : .zero
    }
    return range.clamp(content)
  }

  private mutating func chosenSize(_ element: UnsafeMutablePointer<Element>, _ maxWidth: Double) -> Size {
    let first = sizes + Int(element.pointee.numbers.0.x)
    let count = Int(element.pointee.numbers.0.y)
    for index in 0..<count where first[index].width <= maxWidth { return first[index] }
    return count > 0 ? first[count - 1] : .zero
  }

  private mutating func measureText(
    _ index: Int32, _ element: UnsafeMutablePointer<Element>, _ range: SizeRange
  ) -> LeafMeasurement {
    var text = LeafMeasurement(size: .zero)
    leaves.measure(leaves.context, element.pointee.tag, range.max.width, range.max.height, &text)
    text.size = range.clamp(Size(smaller(text.size.axes, range.max.axes)))
    if tracksBaselines { baselines[Int(index)] = Baselines(ascender: text.ascender, descender: text.descender) }
    return text
  }

  /// Remembers one child's place; returns where it stands.
  @inline(__always) @discardableResult
  mutating func place(_ position: Point, _ child: Answer) -> Int32 {
    placements.append(Placement(position: position, size: child.size, measurement: child.measurement))
    return Int32(truncatingIfNeeded: placements.count &- 1)
  }

  /// Room for the places of `count` children, written by `setPlacement`.
  @inline(__always)
  mutating func reservePlacements(_ count: Int) -> Int32 {
    _ = placements.extend(by: count)
    return Int32(truncatingIfNeeded: placements.count &- count)
  }
}

@inline(__always)
private func sameParent(_ a: Size, _ b: Size) -> Bool {
  all((a.axes .== b.axes) .| ((a.axes .!= a.axes) .& (b.axes .!= b.axes)))
}

/// The layout of an element was not finite: infinite, NaN or of ten million points and more.
public struct LayoutFailure: Error, Equatable {
  /// Index of the element in its tree.
  public let element: Int32
}
