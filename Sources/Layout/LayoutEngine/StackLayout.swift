import Buffers

// The stack spec (layout-semantics 5). The main axis is along the stack's direction, the cross axis is the other one. In
// an `Axes` of a stack, the length along the main axis is the first. The functions are compiled once for each direction.

/// A direction of a stack.
protocol StackAxis {
  /// Converts lengths along the main and cross axes to a width and height, or back.
  static func turn(_ axes: Axes) -> Axes
  /// The trait of a style with a size, minimum or maximum along the cross axis.
  static var sizedCross: LayoutElementStyle.Traits { get }
  /// Returns the lengths along the cross axis that a style allows. Fractions have no effect here (layout-semantics 5.3).
  static func ownCross(_ style: UnsafeMutablePointer<LayoutElementStyle>) -> (Double, Double)
}

/// The direction of a horizontal stack.
enum HorizontalAxis: StackAxis {
  @inline(__always)
  static func turn(_ axes: Axes) -> Axes { axes }
  static var sizedCross: LayoutElementStyle.Traits { .sizedHeight }
  static func ownCross(_ style: UnsafeMutablePointer<LayoutElementStyle>) -> (Double, Double) {
    style.pointee.heights(.nan)
  }
}

/// The direction of a vertical stack.
enum VerticalAxis: StackAxis {
  @inline(__always)
  static func turn(_ axes: Axes) -> Axes { Axes(axes.y, axes.x) }
  static var sizedCross: LayoutElementStyle.Traits { .sizedWidth }
  static func ownCross(_ style: UnsafeMutablePointer<LayoutElementStyle>) -> (Double, Double) {
    style.pointee.widths(.nan)
  }
}

/// A child of a stack that is being laid out.
struct StackItem: BitwiseCopyable {
  /// The lengths of the child along the main and cross axes, in points.
  var size: Axes
  let style: UnsafeMutablePointer<LayoutElementStyle>
  let child: Int32
  var measurement: Int32
  let alignment: StackLayoutAlignItems

  @inline(__always) var main: Double { size.x }
  @inline(__always) var cross: Double { size.y }
}

/// The layout of one stack in one range.
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

  /// The union of the traits of the children's styles.
  @inline(__always)
  var traits: LayoutElementStyle.Traits { element.pointee.childTraits }

  /// Whether the natural size of the children that both grow and shrink is not measured: in an exact stack with one such
  /// child. The effect is visible, as that child has the length 0 before it grows (layout-semantics 5.2).
  @inline(__always)
  var skipsFlexible: Bool { element.pointee.flexibleChildren == 1 && min.x == max.x }

  @inline(__always)
  var options: StackOptions { element.pointee.stack }

  /// The size to which the children's fractions refer: the stack's on an axis on which that is exact, otherwise NaN.
  @inline(__always)
  var parent: Size { Size(Axis.turn(Axes(repeating: .nan).replacing(with: min, where: min .== max))) }

  /// Returns the length that must be added to a length along the main axis so that it is in the range.
  @inline(__always)
  func violation(ofMain length: Double) -> Double { excess(length, min.x, max.x) }

  /// Returns the length that must be added to a length along the cross axis so that it is in the range.
  @inline(__always)
  func violation(ofCross length: Double) -> Double { excess(length, min.y, max.y) }

  @inline(__always)
  private func excess(_ length: Double, _ low: Double, _ high: Double) -> Double {
    if length < low { return low - length }
    if length > high { return high - length }
    return 0
  }
}

/// The length in points below which a violation is noise of floating point arithmetic.
let violationEpsilon = 0.01

extension LayoutSolver {
  /// Lays out a stack spec.
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
    if generation == .first {
      (size, start) = layoutInWholePoints(index, pass)
    } else if pass.options.flexWrap == .noWrap {
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

  /// Sets the baselines of a vertical stack: the ascender of its first child, and the descender of its last.
  private mutating func publishBaselines<Axis>(_ index: Int32, _ pass: StackPass<Axis>) {
    guard pass.options.direction == .vertical else { return }
    baselines[Int(index)] = Baselines(
      ascender: baselines[Int(pass.items[0].child)].ascender,
      descender: baselines[Int(pass.items[pass.count - 1].child)].descender)
  }

  /// Adds an item for each child, with its size before it grows or shrinks (layout-semantics 5.2).
  @inline(__always)
  private mutating func measureNaturalSizes<Axis>(_ stack: Int32, _ pass: StackPass<Axis>) {
    let alignItems = pass.options.alignItems
    // The range for all children whose styles have no properties that change it.
    let range = SizeRange(
      min: Size(Axis.turn(Axes(0, alignItems == .stretch ? pass.min.y : 0))),
      max: Size(Axis.turn(Axes(.infinity, pass.max.y))))
    let parent = pass.parent
    var item = pass.items
    var child = stack &+ 1
    for _ in 0..<pass.count {
      let style = styles + Int(elements[Int(child)].style)
      if style.pointee.traits.isDisjoint(with: [.aligned, .based, .flexibleInBothDirections, .sized]) {
        let measured = measurePlain(child, range, parent)
        item.initialize(
          to: StackItem(
            size: Axis.turn(measured.size.axes), style: style, child: child, measurement: measured.measurement,
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

  /// Measures an item whose style has properties that change its range.
  private mutating func measureNaturalSize<Axis>(of item: UnsafeMutablePointer<StackItem>, _ pass: StackPass<Axis>) {
    let style = item.pointee.style
    if pass.skipsFlexible && style.pointee.traits.contains(.flexibleInBothDirections) {
      // A text has its baselines also without a size.
      let element = elements + Int(item.pointee.child)
      if tracksBaselines && element.pointee.kind == .text {
        _ = measureText(item.pointee.child, element, .unconstrained)
      }
      return
    }
    // The flexBasis is an exact length, which overrides the child's own length.
    let basis = generation == .first ? firstBasis(style, pass) : style.pointee.flexBasis
    let parent = Axis.turn(pass.parent.axes).x
    measure(
      item, main: basis.resolveDefinite(parent, auto: 0), basis.resolveDefinite(parent, auto: .infinity),
      cross: pass.min.y, pass.max.y, pass)
  }

  /// Measures an item between two lengths along each axis. A stretched item fills the cross axis unless its style has a
  /// length along it (layout-semantics 5.3).
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
    let measured = measure(
      item.pointee.child,
      SizeRange(min: Size(Axis.turn(Axes(low, childLow))), max: Size(Axis.turn(Axes(high, childHigh)))), pass.parent)
    item.pointee.size = Axis.turn(measured.size.axes)
    item.pointee.measurement = measured.measurement
  }
}
