import Buffers

// The stack (layout-semantics 5). "main" is the axis along the stack's direction, "cross" the other; where both stand
// in one `Axes`, main comes first. Everything is compiled once for each direction.

protocol StackAxis {
  /// From main and cross to width and height, or back.
  static func turn(_ axes: Axes) -> Axes
  /// Whether a style has a size, minimum or maximum across the stack.
  static var sizedCross: LayoutElementStyle.Traits { get }
  /// The cross sizes that a style allows; percentages mean nothing here.
  static func ownCross(_ style: UnsafeMutablePointer<LayoutElementStyle>) -> (Double, Double)
}

enum HorizontalAxis: StackAxis {
  @inline(__always)
  static func turn(_ axes: Axes) -> Axes { axes }
  static var sizedCross: LayoutElementStyle.Traits { .sizedHeight }
  static func ownCross(_ style: UnsafeMutablePointer<LayoutElementStyle>) -> (Double, Double) {
    style.pointee.heights(.nan)
  }
}

enum VerticalAxis: StackAxis {
  @inline(__always)
  static func turn(_ axes: Axes) -> Axes { Axes(axes.y, axes.x) }
  static var sizedCross: LayoutElementStyle.Traits { .sizedWidth }
  static func ownCross(_ style: UnsafeMutablePointer<LayoutElementStyle>) -> (Double, Double) {
    style.pointee.widths(.nan)
  }
}

/// A child while its stack is laid out.
struct StackItem: BitwiseCopyable {
  /// Sizes so far, main and cross, in points.
  var size: Axes
  let style: UnsafeMutablePointer<LayoutElementStyle>
  let child: Int32
  var measurement: Int32
  let alignment: StackLayoutAlignItems

  @inline(__always) var main: Double { size.x }
  @inline(__always) var cross: Double { size.y }
}

/// What one stack is asked: its options, and its range turned into main and cross.
struct StackPass<Axis: StackAxis> {
  let element: UnsafeMutablePointer<Element>
  let items: UnsafeMutablePointer<StackItem>
  let min: Axes
  let max: Axes

  @inline(__always)
  init(
    _ element: UnsafeMutablePointer<Element>, _ items: UnsafeMutablePointer<StackItem>, _ range: SizeRange
  ) {
    self.element = element
    self.items = items
    min = Axis.turn(range.min.axes)
    max = Axis.turn(range.max.axes)
  }

  @inline(__always)
  var count: Int { Int(element.pointee.childCount) }

  /// What any of the children's styles says.
  @inline(__always)
  var traits: LayoutElementStyle.Traits { element.pointee.childTraits }

  /// With one child that can take any size in an exact stack, its natural size is not asked for. This is visible: the
  /// child starts from zero (layout-semantics 5.2).
  @inline(__always)
  var skipsFlexible: Bool { element.pointee.flexibleChildren == 1 && min.x == max.x }

  @inline(__always)
  var options: StackOptions { element.pointee.stack }

  /// Percentages of children only resolve against an exact axis.
  @inline(__always)
  var parent: Size { Size(Axis.turn(Axes(repeating: .nan).replacing(with: min, where: min .== max))) }

  /// How far a length along the stack is outside its range: what must be added to bring it inside.
  @inline(__always)
  func violation(ofMain length: Double) -> Double { excess(length, min.x, max.x) }

  @inline(__always)
  func violation(ofCross length: Double) -> Double { excess(length, min.y, max.y) }

  @inline(__always)
  private func excess(_ length: Double, _ low: Double, _ high: Double) -> Double {
    if length < low { return low - length }
    if length > high { return high - length }
    return 0
  }
}

/// Float noise below a hundredth of a point is no violation.
let violationEpsilon = 0.01

extension LayoutSolver {
  mutating func layoutStack<Axis: StackAxis>(
    _: Axis.Type, _ index: Int32, _ element: UnsafeMutablePointer<Element>, _ range: SizeRange
  ) -> (Size, Int32) {
    if element.pointee.childCount == 0 { return (range.min, Self.none) }
    let firstItem = items.count
    let pass = StackPass<Axis>(
      element, items.extend(by: Int(element.pointee.childCount)), range)
    measureNaturalSizes(index, pass)
    let size: Axes
    let start: Int32
    if pass.options.flexWrap == .noWrap {
      var line = StackLine(first: 0, end: pass.count)
      flex(&line, pass)
      setCrossSize(of: &line, isOnly: true, pass)
      start = reservePlacements(pass.count)
      position(line, at: 0, start, pass)
      size = Axes(larger(line.mainSum, 0), line.crossSize)
    } else {
      (size, start) = layoutLines(pass)
    }
    if tracksBaselines { publishBaselines(index, pass) }
    items.truncate(to: firstItem)
    return (range.clamp(Size(Axis.turn(size))), start)
  }

  /// A vertical stack has its first child's ascender and its last one's descender.
  private mutating func publishBaselines<Axis>(_ index: Int32, _ pass: StackPass<Axis>) {
    guard pass.options.direction == .vertical else { return }
    baselines[Int(index)] = Baselines(
      ascender: baselines[Int(pass.items[0].child)].ascender,
      descender: baselines[Int(pass.items[pass.count - 1].child)].descender)
  }

  @inline(__always)
  private mutating func measureNaturalSizes<Axis>(_ stack: Int32, _ pass: StackPass<Axis>) {
    let alignItems = pass.options.alignItems
    // What all children are asked whose styles do not say more.
    let range = SizeRange(
      min: Size(Axis.turn(Axes(0, alignItems == .stretch ? pass.min.y : 0))),
      max: Size(Axis.turn(Axes(.infinity, pass.max.y))))
    let parent = pass.parent
    var item = pass.items
    var child = stack &+ 1
    for _ in 0..<pass.count {
      let style = styles + Int(elements[Int(child)].style)
      if style.pointee.traits.isDisjoint(with: [.aligned, .based, .flexibleInBothDirections, .sized]) {
        let answer = measurePlain(child, range, parent)
        item.initialize(
          to: StackItem(
            size: Axis.turn(answer.size.axes), style: style, child: child, measurement: answer.measurement,
            alignment: alignItems))
      } else {
        item.initialize(
          to: StackItem(
            size: .zero, style: style, child: child, measurement: Self.none,
            alignment: alignItems.overridden(by: style.pointee.alignSelf)))
        measureNaturalSize(of: item, pass)
      }
      item += 1
      child = elements[Int(child)].end
    }
  }

  private mutating func measureNaturalSize<Axis>(of item: UnsafeMutablePointer<StackItem>, _ pass: StackPass<Axis>) {
    let style = item.pointee.style
    if pass.skipsFlexible && style.pointee.traits.contains(.flexibleInBothDirections) { return }
    // A flexBasis is exact, and so overrides the child's own length.
    let basis = style.pointee.flexBasis
    let parent = Axis.turn(pass.parent.axes).x
    measure(
      item, main: basis.resolveDefinite(parent, auto: 0), basis.resolveDefinite(parent, auto: .infinity),
      cross: pass.min.y, pass.max.y, pass)
  }

  /// Measures an item between two main sizes; a stretched one must fill the cross axis unless its style says more.
  mutating func measure<Axis>(
    _ item: UnsafeMutablePointer<StackItem>, main low: Double, _ high: Double, cross crossLow: Double,
    _ crossHigh: Double, _ pass: StackPass<Axis>
  ) {
    var childLow = 0.0
    var childHigh = crossHigh
    if item.pointee.alignment == .stretch {
      childLow = crossLow
      if item.pointee.style.pointee.traits.contains(Axis.sizedCross) {
        let (ownLow, ownHigh) = Axis.ownCross(item.pointee.style)
        if ownLow != 0 { childLow = ownLow }
        if ownHigh != .infinity { childHigh = ownHigh }
      }
    }
    let answer = measure(
      item.pointee.child,
      SizeRange(min: Size(Axis.turn(Axes(low, childLow))), max: Size(Axis.turn(Axes(high, childHigh)))), pass.parent)
    item.pointee.size = Axis.turn(answer.size.axes)
    item.pointee.measurement = answer.measurement
  }
}
