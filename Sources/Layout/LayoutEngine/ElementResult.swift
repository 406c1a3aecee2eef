import Buffers

/// The result of one element in a layout, whether it has a frame or not.
public struct ElementResult {
  /// The index of the element in its tree.
  public let element: Int32
  /// The number of elements that contain it.
  public let depth: Int
  /// The range that its parent measured it in, in points; nil if it was never measured or its measurement was not kept.
  public let constrainedSize: SizeRange?
  /// The intersection of `constrainedSize` with the sizes of the element's style, in points: the range in which the lines
  /// of a text were filled.
  public let ownRange: SizeRange?
  /// The position within its parent before rounding, in points.
  public let position: Point
  /// The size, in points.
  public let size: Size
}

extension LayoutSolver {
  /// Returns the range in which a node of the last layout was measured, or nil if its measurement was not kept.
  ///
  /// This changes nothing, but without `mutating` the compiler copies the solver.
  public mutating func ownRange(of frame: Frame) -> SizeRange? {
    let index = Int(frame.measurement)
    return index >= 0 && index < measurements.count ? ownRange(frame.element, measurements.base + index) : nil
  }

  /// Calls `body` with the result of every element that has a part in the last layout, in depth-first order. Set
  /// `remembersLeaves` before the layout, so that leaves have ranges too.
  public func forEachResult(_ body: (ElementResult) -> Void) {
    visit(0, depth: 0, Placement(position: .zero, size: root.size, measurement: root.measurement), body)
  }

  private func visit(_ index: Int32, depth: Int, _ placement: Placement, _ body: (ElementResult) -> Void) {
    let measured = placement.measurement >= 0 ? measurements.base + Int(placement.measurement) : nil
    body(
      ElementResult(
        element: index, depth: depth, constrainedSize: measured?.pointee.range,
        ownRange: measured.map { ownRange(index, $0) },
        position: placement.position, size: placement.size))
    guard let measured, measured.pointee.placements >= 0 else { return }
    var child = index + 1
    var slot = Int(measured.pointee.placements)
    while child < elements[Int(index)].end {
      if placements[slot].measurement != Self.unused { visit(child, depth: depth + 1, placements[slot], body) }
      slot += 1
      child = elements[Int(child)].end
    }
  }

  /// Returns the range in which an element was laid out.
  private func ownRange(_ index: Int32, _ measured: UnsafeMutablePointer<Measurement>) -> SizeRange {
    let element = elements + Int(index)
    let style = styles + Int(element.pointee.style)
    let range = measured.pointee.range
    let isOwn = style.pointee.traits.isDisjoint(with: .sized) && range.isOrdered
    if isOwn || !element.pointee.hasOwnSize { return range }
    return range.intersect(style.pointee.sizeRange(measured.pointee.parent, auto: .unconstrained))
  }
}
